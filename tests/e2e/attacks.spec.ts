/** The attacks once more, on the program as it is served: they fail, and nothing turns a guard off. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openDatabase } from '#lib/server/db/open.ts';
import { attackAll, pairs } from '../attacks/all.ts';
import { FORMULA, plantToken } from '../attacks/door.ts';
import { page as get, startTarget } from '../attacks/target.ts';
import { startArmedDevnet } from '../attacks/traps.ts';
import { expect, test } from './support/console.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** The name under which a test build looks for guards that are off. */
const SWITCH = 'guards-off';

test('every attack fails, also after its guard was told to go', async () => {
	test.setTimeout(300_000);
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-attacks-'));
	const db = await openDatabase({ dataDir });
	const devnet = await startArmedDevnet();
	const target = await startTarget({ root: ROOT, devnet, db, dataDir });
	try {
		await plantToken(target);
		const { cookie } = await target.person('viewer');
		await expect
			.poll(async () => (await get(target, '/api/v1/chains/ALPHA/tokens.csv', cookie)).text(), {
				timeout: 60_000
			})
			.toContain(FORMULA);
		expect(await attackAll(target, false)).toEqual([]);
		const carriedOut = new Set(
			pairs.filter(({ before }) => before.length === 0).map(({ name }) => name)
		);
		console.info(`${carriedOut.size} attacks failed on the served program, twice each`);
	} finally {
		await target.stop();
		await devnet.stop();
		await db.close();
		rmSync(dataDir, { recursive: true, force: true });
	}
});

test('the built program has no switch in it', () => {
	const files = readdirSync(join(ROOT, 'build'), { recursive: true, encoding: 'utf8' })
		.map((name) => join(ROOT, 'build', name))
		.filter((path) => /\.m?js$/.test(path) && statSync(path).isFile());
	expect(files.length).toBeGreaterThan(50);
	expect(files.filter((path) => readFileSync(path, 'utf8').includes(SWITCH))).toEqual([]);
});
