import { sveltekit } from '@sveltejs/kit/vite';
import tailwindcss from '@tailwindcss/vite';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { routes } from './src/lib/server/access/policy/routes.ts';
import { routeDifferences } from './src/start/routeTable.ts';
import { sharedScripts } from './src/start/sharedScripts.ts';

/** A page or endpoint that the table of permissions does not know fails the build. */
const permissionTable: Plugin = {
	name: 'komodeck-permission-table',
	apply: 'build',
	buildStart() {
		const differences = routeDifferences(join(import.meta.dirname, 'src/routes'), routes);
		if (differences.length > 0) this.error(differences.join('\n'));
	}
};

export default defineConfig({
	plugins: [permissionTable, tailwindcss(), sveltekit()],
	build: {
		target: 'es2022',
		sourcemap: true,
		// What Tailwind needs: colors need no second form for browsers before those.
		cssTarget: ['chrome111', 'firefox128', 'safari16.4'],
		// Which scripts a page needs is said in its HTML. A list of all scripts of all pages would come with each.
		modulePreload: { polyfill: false, resolveDependencies: () => [] }
	},
	environments: {
		client: {
			build: {
				rolldownOptions: {
					output: { codeSplitting: { groups: sharedScripts(import.meta.dirname) } }
				}
			}
		}
	}
});
