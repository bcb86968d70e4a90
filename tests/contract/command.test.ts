import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'komodeck-contract-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the check of the contract in a process of its own. */
function contract(...places: string[]): { status: number | null; out: string; err: string } {
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		['src/cli/contract.ts', ...places],
		{ cwd: ROOT, encoding: 'utf8' }
	);
	return { status, out: stdout, err: stderr };
}

const FITS = {
	service: 'daemon',
	method: 'getblockcount',
	kind: 'success',
	request: { id: 'a', method: 'getblockcount', params: [] },
	response: { result: 7, error: null, id: 'a' }
};
const { service: _service, ...NAMELESS } = FITS;
const NOTE = { provenance: 'Read from the source.', electrum: { status: 500 } };
const INSTANCES = { version: { status: 200, body: { result: '2.5.1', datetime: 'now' } } };
const UNNAMED = 'the fixture names no known service';

const write = (content: unknown, name = 'fixtures.json'): void =>
	writeFileSync(join(folder, name), JSON.stringify(content));

describe('the check of the contract', () => {
	test('is passed by fixtures that fit, and counts notes apart', () => {
		write({ one: FITS, two: FITS, note: NOTE });
		write(FITS, 'single.json');
		write(NOTE, 'note.json');
		expect(contract(folder)).toEqual({
			status: 0,
			out: '3 fixtures fit, 0 do not, 2 notes passed over\n',
			err: ''
		});
	});

	test.each<[string, unknown, string]>([
		['a fixture without a service', NAMELESS, 'fixtures'],
		[
			'a fixture of a service that is spelled otherwise',
			{ ...FITS, service: 'deamon' },
			'fixtures'
		],
		['one of several without a service', { one: FITS, two: NAMELESS }, 'fixtures/two'],
		['several without a service', { one: NAMELESS, two: NAMELESS }, 'fixtures'],
		['collected responses without their origin', { instances: INSTANCES }, 'fixtures'],
		['a fixture with a note beside it', { ...NAMELESS, ...NOTE }, 'fixtures']
	])('is not passed by %s', (_what, content, name) => {
		write(content);
		const { status, out } = contract(folder);
		expect(status).toBe(1);
		expect(out).toContain(`${name}: ${UNNAMED}\n`);
	});

	test('is not passed where nothing was checked', () => {
		expect(contract(folder)).toMatchObject({ status: 1, out: '0 fixtures fit, 0 do not\n' });
		write(NOTE);
		expect(contract(folder).status).toBe(1);
	});

	test('takes one folder, and checks nothing when there are more or none', () => {
		write(FITS);
		mkdirSync(join(folder, 'more'));
		for (const places of [[], [folder, join(folder, 'more')]]) {
			expect(contract(...places)).toEqual({
				status: 2,
				out: '',
				err: 'Name one folder with fixtures: npm run contract -- DIR\n'
			});
		}
	});
});
