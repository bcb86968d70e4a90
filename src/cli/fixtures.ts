/** Reads fixtures for `npm run contract` and the tests. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fixturesIn } from '#lib/rpc/fixture.ts';

interface NamedFixture {
	/**
	 * Path of the file below the folder without extension and, if the file contains several fixtures, the
	 * name within it.
	 */
	name: string;
	text: string;
}

/**
 * Returns the fixtures of a file, or of all files below a folder, in their order.
 *
 * @throws {NodeJS.ErrnoException} when the place cannot be read
 */
export function fixturesUnder(place: string): NamedFixture[] {
	const isFolder = statSync(place).isDirectory();
	const folder = isFolder ? place : dirname(place);
	const files = isFolder
		? readdirSync(place, { recursive: true, encoding: 'utf8' })
				.filter((file) => file.endsWith('.json'))
				.sort()
		: [basename(place)];
	return files.flatMap((file) => {
		const path = file.replace(/\.json$/, '');
		return fixturesIn(readFileSync(join(folder, file), 'utf8')).map(([name, text]) => ({
			name: name === '' ? path : `${path}/${name}`,
			text
		}));
	});
}
