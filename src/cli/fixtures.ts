/** The files of fixtures that `npm run contract` and the tests read. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fixturesIn } from '#lib/rpc/fixture.ts';

interface NamedFixture {
	/** The path of its file below the folder without the ending and, where the file holds several, its name there. */
	name: string;
	text: string;
}

/**
 * Every fixture of a file, or of the files below a folder, in the order in which they stand there.
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
