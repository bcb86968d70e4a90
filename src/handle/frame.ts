import type { ResolveOptions } from '@sveltejs/kit';

const HEAD_END = '</head>';

/**
 * What stands in the frame of a page: its theme, and the scripts that it needs at once. SvelteKit would name those in a
 * header, which is never compressed and takes more than all others together.
 */
export function frameOf({ theme }: Pick<App.Locals, 'theme'>): ResolveOptions {
	const scripts: string[] = [];
	return {
		preload({ type, path }) {
			if (type === 'js') scripts.push(path);
			return false;
		},
		transformPageChunk({ html }) {
			// The text of a page is made of thousands of parts: only the small one is taken apart once more.
			const end = html.indexOf(HEAD_END) + HEAD_END.length;
			const head = html
				.slice(0, end)
				// The marks that the template has, and none in what a page holds: the policy names the hash of its script.
				.replace('data-theme="%komodeck.theme%"', () => `data-theme="${theme}"`)
				.replace(/%komodeck\.scripts%(?=\s*<\/head>)/, () =>
					scripts.map((path) => `<link rel="modulepreload" href="${encodeURI(path)}">`).join('')
				);
			return head + html.slice(end);
		}
	};
}
