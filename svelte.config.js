import adapter from '@sveltejs/adapter-node';

/**
 * The library of the command palette (bits-ui) has an inline style in its markup, which the content security
 * policy below forbids. Set by script instead, the style is allowed.
 * @type {import('svelte/compiler').PreprocessorGroup}
 */
const styleByScript = {
	name: 'style-by-script',
	markup: ({ content, filename }) => ({
		code: filename?.includes('/bits-ui/')
			? content.replaceAll('style="display: contents;"', 'style:display="contents"')
			: content
	})
};

/**
 * The icon library creates each shape of an icon by code during hydration; as static markup, icons take a
 * third of that. All icons accompany text, so they are hidden from screen readers.
 * @type {import('svelte/compiler').PreprocessorGroup}
 */
const plainIcons = {
	name: 'plain-icons',
	markup({ content, filename }) {
		if (!filename?.includes('/@lucide/svelte/dist/icons/')) return { code: content };
		/** @type {{ node: [string, Record<string, string>][] }} */
		const { node } = JSON.parse(/const iconData = (\{.*\});/.exec(content)?.[1] ?? '');
		const shapes = node.map(([tag, attributes]) => {
			const written = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`);
			return `<${tag} ${written.join(' ')}/>`;
		});
		return {
			code: `<script>const { class: extra } = $props();</script>
<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" class={extra}>${shapes.join('')}</svg>`
		};
	}
};

/** @type {import('@sveltejs/kit').Config} */
export default {
	compilerOptions: { runes: true },
	preprocess: [styleByScript, plainIcons],
	kit: {
		adapter: adapter({ precompress: true }),
		// Registered only when a member turns on browser notifications.
		serviceWorker: { register: false },
		// A refusal is rendered by another route than the requested one, but shown at the requested URL, from
		// which its relative paths would not resolve.
		paths: { relative: false },
		// Kit's own origin check runs before hooks and knows nothing of bearer tokens; the same-origin
		// rule for cookies is in src/lib/server/platform/http/origin.ts and covers JSON posts as well.
		csrf: { trustedOrigins: ['*'] },
		csp: {
			// Pages that are the same for all visitors are rendered once, so a nonce would be reused.
			mode: 'hash',
			directives: {
				'default-src': ['none'],
				'script-src': ['self'],
				// SvelteKit hides its route announcer by an inline style; the hash allows only that one.
				'style-src': [
					'self',
					'unsafe-hashes',
					'sha256-S8qMpvofolR8Mpjy4kQvEm7m1q8clzU4dfDH0AmvZjo='
				],
				'img-src': ['self', 'data:'],
				'font-src': ['self'],
				'connect-src': ['self'],
				'manifest-src': ['self'],
				'form-action': ['self'],
				'base-uri': ['none'],
				'frame-ancestors': ['none']
			}
		}
	}
};
