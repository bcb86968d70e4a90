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

/** @type {import('@sveltejs/kit').Config} */
export default {
	compilerOptions: { runes: true },
	preprocess: styleByScript,
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
