/**
 * Snapshots of networks: the history of a development network takes seconds to create, and tests that only need
 * the usual one can share it. It is created once for each kind of network and each version of devnet's sources,
 * refreshed every few minutes, kept beside the other tool caches, and copied for each test.
 */
import { createHash } from 'node:crypto';
import {
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync
} from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/komodeck-devnet');
/** All sources that determine a network's history. */
const SOURCES = ['src/devnet', 'src/lib/chain', 'src/lib/rpc', 'package-lock.json'];

/** Pages show a network as stuck if its last block is older. */
const FRESH_MS = 5 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;

let sourcesHash: string | undefined;

function hashOfSources(): string {
	if (sourcesHash !== undefined) return sourcesHash;
	const hash = createHash('sha256');
	for (const name of SOURCES) {
		const files = name.endsWith('.json')
			? ['']
			: readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' })
					.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
					.toSorted();
		for (const file of files) hash.update(file).update(readFileSync(join(ROOT, name, file)));
	}
	sourcesHash = hash.digest('hex').slice(0, 16);
	return sourcesHash;
}

/** Folder of the snapshot of a kind. */
const folderOf = (kind: object): string =>
	join(
		CACHE,
		`${hashOfSources()}-${Math.floor(Date.now() / FRESH_MS)}`,
		createHash('sha256').update(JSON.stringify(kind)).digest('hex').slice(0, 16)
	);

/** Copies the snapshot of a kind into a folder. @returns whether there was one */
export function copySnapshot(kind: object, dir: string): boolean {
	const from = folderOf(kind);
	if (!existsSync(from)) return false;
	cpSync(from, join(dir, 'state'), { recursive: true });
	return true;
}

/**
 * Stores a network that has just started as the snapshot for later tests. Of two simultaneous ones, one is
 * kept.
 */
export function keepSnapshot(kind: object, dir: string): void {
	const to = folderOf(kind);
	if (existsSync(to)) return;
	mkdirSync(join(to, '..'), { recursive: true });
	for (const name of readdirSync(CACHE)) {
		const folder = join(CACHE, name);
		// Another process may have removed it at this moment.
		const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
		if (made < Date.now() - HOUR_MS) rmSync(folder, { recursive: true, force: true });
	}
	const draft = `${to}.${process.pid}`;
	cpSync(join(dir, 'state'), draft, { recursive: true });
	try {
		renameSync(draft, to);
	} catch {
		rmSync(draft, { recursive: true, force: true });
	}
}
