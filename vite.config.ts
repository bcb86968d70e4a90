import { sveltekit } from '@sveltejs/kit/vite';
import tailwindcss from '@tailwindcss/vite';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { routes } from './src/lib/server/access/policy/routes.ts';
import { routeDifferences } from './src/start/routeTable.ts';

/** A page or endpoint that the table of permissions does not know fails the build. */
const permissionTable: Plugin = {
	name: 'komodeck-permission-table',
	apply: 'build',
	buildStart() {
		const differences = routeDifferences(join(import.meta.dirname, 'src/routes'), routes);
		if (differences.length > 0) this.error(differences.join('\n'));
	}
};

/**
 * What seven and more pages share is one file: a page took 48 small scripts, each with headers of its own, and the
 * style sheet waited beside them. Fewer sharers than these, and pages would carry what only others use.
 */
const SHARED_SCRIPT = { name: 'shared', minShareCount: 7 };
/** What stands around each page, and few pages use besides. */
const FRAME_SCRIPT = {
	name: 'frame',
	test: /src\/lib\/(?:messages\/(?:roles|pages\/(?:access|notifications))|ui\/(?:SuggestionContent|suggest|recentPages))\.(?:svelte|svelte\.ts|ts)$/
};

export default defineConfig({
	plugins: [permissionTable, tailwindcss(), sveltekit()],
	build: { target: 'es2022', sourcemap: true },
	environments: {
		client: {
			build: {
				rolldownOptions: { output: { codeSplitting: { groups: [SHARED_SCRIPT, FRAME_SCRIPT] } } }
			}
		}
	}
});
