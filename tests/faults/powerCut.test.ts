/** What of a data folder survives a power cut: bytes and names that were flushed to disk, and nothing else. */
import type * as Fs from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { openAsIs, openDatabase } from '#lib/server/database.ts';
import { openRecord } from '#lib/server/platform/audit-trail/record.ts';
import { writeBackup } from '#lib/server/platform/backup/write.ts';
import { markInstallation } from '#lib/server/platform/database/installation.ts';
import { readSecretKey } from '#lib/server/platform/secrets/secretKey.ts';

/** The part of a path below the test's folder, without the random end of a temporary name. */
type Name = string;

/** Names that are on no disk yet, and files whose bytes are not. */
const disk = vi.hoisted(() => ({
	opened: new Map<number, Name>(),
	unflushedBytes: new Set<Name>(),
	unflushedNames: new Set<Name>(),
	/** Names that were given to files before their bytes were flushed. */
	early: [] as Name[]
}));

vi.mock('node:fs', async (original) => {
	const fs = await original<typeof Fs>();
	const { dirname: folderOf } = await import('node:path');
	const flushed = (path: Name): void => {
		disk.unflushedBytes.delete(path);
		for (const name of disk.unflushedNames) {
			if (folderOf(name) === path) disk.unflushedNames.delete(name);
		}
	};
	const named = (from: Name, to: Name): void => {
		if (disk.unflushedBytes.has(from)) disk.early.push(to);
		disk.unflushedNames.add(to);
	};
	return {
		...fs,
		openSync(...args: Parameters<typeof fs.openSync>) {
			const handle = fs.openSync(...args);
			const path = String(args[0]);
			disk.opened.set(handle, path);
			if (/^[wa]/.test(String(args[1]))) disk.unflushedBytes.add(path);
			return handle;
		},
		fsyncSync(handle: number) {
			fs.fsyncSync(handle);
			flushed(disk.opened.get(handle) ?? '');
		},
		appendFileSync(...args: Parameters<typeof fs.appendFileSync>) {
			const isNew = !fs.existsSync(String(args[0]));
			fs.appendFileSync(...args);
			if (isNew) disk.unflushedNames.add(String(args[0]));
		},
		mkdirSync(...args: Parameters<typeof fs.mkdirSync>) {
			disk.unflushedNames.add(String(args[0]));
			return fs.mkdirSync(...args);
		},
		linkSync(from: string, to: string) {
			fs.linkSync(from, to);
			named(from, to);
		},
		renameSync(from: string, to: string) {
			fs.renameSync(from, to);
			named(from, to);
		}
	};
});

const folder = mkdtempSync(join(tmpdir(), 'komodeck-power-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
	disk.unflushedBytes.clear();
	disk.unflushedNames.clear();
	disk.early.length = 0;
});

/** Expects that a power cut at this moment would lose none of the names given since the test began. */
function expectDurable(): void {
	expect(disk.early).toEqual([]);
	expect([...disk.unflushedNames]).toEqual([]);
}

test('a new key and its folders are on the disk before anything is encrypted under it', () => {
	const dataDir = join(folder, 'new', 'data');
	readSecretKey({ dataDir }, true);
	expectDurable();
});

test('the mark of an installation is on the disk when it is written', async () => {
	const dataDir = join(folder, 'marked');
	const db = await openDatabase({ dataDir });
	await markInstallation(db, join(folder, 'further', 'server'));
	await db.close();
	expectDurable();
});

test('the copy of the audit log is on the disk, also the one that was put away', () => {
	const record = openRecord(join(folder, 'copied'));
	record.setEnd({ seq: 1, hash: 'a', at: 1, mac: 'b' });
	record.setAccounts({ accounts: {}, mac: 'c' });
	const places = { number: 1, first: 1, last: 1, rows: 1 };
	const hashes = { lastHash: 'a', previous: '', sealedAt: 1, mac: 'd' };
	record.addCheckpoints([{ ...places, ...hashes }]);
	record.putAway(new Date(0));
	expectDurable();
});

test('a backup is on the disk when the command ends', async () => {
	await (await openDatabase({ dataDir: join(folder, 'backed-up') })).close();
	const db = openAsIs({ dataDir: join(folder, 'backed-up') });
	await writeBackup(db, new Uint8Array(32), join(folder, 'backup.jsonl'));
	await db.close();
	expectDurable();
});
