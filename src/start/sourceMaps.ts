import remapping from '@jridgewell/remapping';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Makes the source maps of the built server lead to the sources. SvelteKit builds into `.svelte-kit/output`, its
 * adapter builds that once more and maps to it only.
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
