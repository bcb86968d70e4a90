import type { ResolveOptions } from '@sveltejs/kit';

const HEAD_END = '</head>';

/**
 * Fills the page template: the theme, and the scripts to preload. SvelteKit would name these in a header,
 * which is never compressed and would be larger than all others together.
 */
export function frameOf({ theme }: Pick<App.Locals, 'theme'>): ResolveOptions {
	const scripts: string[] = [];
	return {
		preload({ type, path }) {
			if (type === 'js') scripts.push(path);
			return false;
		},
		transformPageChunk({ html }) {
			// Only the short head is processed; the page itself can be large.
			const end = html.indexOf(HEAD_END) + HEAD_END.length;
			const head = html
				.slice(0, end)
				// Matches only the placeholders of the template, not text in the page: the policy contains
				// the hash of the script.
				.replace('data-theme="%komodeck.theme%"', () => `data-theme="${theme}"`)
				.replace(/%komodeck\.scripts%(?=\s*<\/head>)/, () =>
					scripts.map((path) => `<link rel="modulepreload" href="${encodeURI(path)}">`).join('')
				);
			return head + html.slice(end);
		}
	};
}
