import remapping from '@jridgewell/remapping';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Makes the source maps of the built server refer to the sources. SvelteKit builds into `.svelte-kit/output`,
 * and its adapter bundles that again with maps that refer only to this output.
 *
 * @param root the project's folder
 */
export function joinSourceMaps(root: string): void {
	for (const name of globSync('build/server/**/*.js.map', { cwd: root })) {
		const file = join(root, name);
		const joined = remapping(readFileSync(file, 'utf8'), (source) => {
			const before = `${resolve(dirname(file), source)}.map`;
			return existsSync(before) ? readFileSync(before, 'utf8') : null;
		});
		writeFileSync(file, joined.toString());
	}
}
