import adapter from '@sveltejs/adapter-node';

/**
 * The palette's library writes one style into its markup, which the policy below forbids: set by script instead, it is
 * allowed.
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
 * The icons' library makes each shape of an icon by code when the page comes alive. Written down as they are, icons are
 * a third of that. All of ours stand beside words: none is read out.
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
		// Registered where a member turns on browser notifications, and nowhere else.
		serviceWorker: { register: false },
		// A refusal is made by another route than the one that was asked for, and shown at its address: what
		// is relative to the one is not found from the other.
		paths: { relative: false },
		// Kit's own origin check runs before hooks and knows nothing of bearer tokens; the same-origin
		// rule for cookies stands in src/lib/server/platform/http/origin.ts and covers JSON posts as well.
		csrf: { trustedOrigins: ['*'] },
		csp: {
			// What is the same for all visitors is made once: a nonce would not be one any more.
			mode: 'hash',
			directives: {
				'default-src': ['none'],
				'script-src': ['self'],
				// SvelteKit's route announcer is hidden by a style attribute of its own; its hash lets in no other.
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
