import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { closeToOthers, isReplaceableByOthers } from './ownerOnly.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-modes-'));
afterAll(() => rmSync(folder, { recursive: true }));
const modeOf = (...path: string[]): number => statSync(join(folder, ...path)).mode & 0o777;

test('what was written for everybody is closed to others, and what is not ours stays as it is', () => {
	chmodSync(folder, 0o755);
	mkdirSync(join(folder, 'audit'));
	const ours = [
		'komodeck.sqlite',
		'komodeck.sqlite-wal',
		'index.sqlite',
		'audit/end.json',
		'installation.id'
	];
	for (const name of [...ours, 'notes.txt']) {
		writeFileSync(join(folder, name), 'x');
		chmodSync(join(folder, name), 0o644);
	}
	chmodSync(join(folder, 'audit'), 0o755);
	symlinkSync(join(folder, 'notes.txt'), join(folder, 'audit-link'));
	expect(closeToOthers(folder)).toBe(6);
	for (const name of ours) expect(modeOf(name)).toBe(0o600);
	expect(modeOf('audit')).toBe(0o700);
	expect(modeOf('notes.txt')).toBe(0o644);
	expect(closeToOthers(folder)).toBe(0);
});

test('a folder in which others may replace files is known as such', () => {
	const modes = [0o700, 0o755, 0o775, 0o777, 0o1777];
	const found = modes.filter((mode) => {
		chmodSync(folder, mode);
		return isReplaceableByOthers(folder);
	});
	chmodSync(folder, 0o700);
	expect(found).toEqual([0o775, 0o777]);
	expect(isReplaceableByOthers(join(folder, 'none'))).toBe(false);
});
