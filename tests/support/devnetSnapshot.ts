/**
 * Snapshots of networks: the history of a development network takes seconds to create, and tests that only need
 * the usual one can share it. It is created once for each kind of network and each version of devnet's sources,
 * created anew when it is too old for a test, kept beside the other tool caches, and copied for each test.
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

/** The first part of the names of a kind's snapshots; the second is the time of their creation. */
const prefixOf = (kind: object): string => {
	const hash = createHash('sha256').update(JSON.stringify(kind)).digest('hex').slice(0, 16);
	return `${hashOfSources()}-${hash}-`;
};

/** Time of creation in the name of a snapshot, Unix milliseconds; NaN for an unfinished one. */
const madeAt = (name: string): number => Number(name.slice(name.lastIndexOf('-') + 1));

/**
 * Copies the newest snapshot of a kind into a folder.
 * @param mostAgeMs its maximum age: its last block is as old
 * @returns whether there was one
 */
export function copySnapshot(kind: object, dir: string, mostAgeMs: number): boolean {
	if (!existsSync(CACHE)) return false;
	const prefix = prefixOf(kind);
	const newest = readdirSync(CACHE)
		.filter((name) => name.startsWith(prefix) && madeAt(name) > Date.now() - mostAgeMs)
		.toSorted((a, b) => madeAt(b) - madeAt(a))[0];
	if (newest === undefined) return false;
	cpSync(join(CACHE, newest), join(dir, 'state'), { recursive: true });
	return true;
}

/** Stores a network that has just started as the snapshot for later tests. */
export function keepSnapshot(kind: object, dir: string): void {
	mkdirSync(CACHE, { recursive: true });
	for (const name of readdirSync(CACHE)) {
		const folder = join(CACHE, name);
		// Another process may have removed it at this moment.
		const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
		if (made < Date.now() - HOUR_MS) rmSync(folder, { recursive: true, force: true });
	}
	const to = join(CACHE, `${prefixOf(kind)}${Date.now()}`);
	const draft = `${to}.draft${process.pid}`;
	cpSync(join(dir, 'state'), draft, { recursive: true });
	try {
		renameSync(draft, to);
	} catch {
		rmSync(draft, { recursive: true, force: true });
	}
}
