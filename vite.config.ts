import { sveltekit } from '@sveltejs/kit/vite';
import tailwindcss from '@tailwindcss/vite';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { routes } from './src/lib/server/access/policy/routes.ts';
import { routeDifferences } from './src/start/routeTable.ts';
import { sharedScripts } from './src/start/sharedScripts.ts';

/** Fails the build when the pages and endpoints differ from the table of permissions. */
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
		// The browsers that Tailwind requires anyway: older ones would need fallbacks for colors.
		cssTarget: ['chrome111', 'firefox128', 'safari16.4'],
		// The HTML of a page names the scripts that it needs; a preload list of all scripts of all pages
		// would be loaded with each page.
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
