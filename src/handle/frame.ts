import type { ResolveOptions } from '@sveltejs/kit';

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
		transformPageChunk: ({ html }) =>
			html
				// The marks that the template has, and none in what a page holds: the policy names the hash of its script.
				.replace('data-theme="%komodeck.theme%"', () => `data-theme="${theme}"`)
				.replace(/%komodeck\.scripts%(?=\s*<\/head>)/, () =>
					scripts.map((path) => `<link rel="modulepreload" href="${encodeURI(path)}">`).join('')
				)
	};
}
