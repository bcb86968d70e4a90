/**
 * Networks that have begun already: the past of a development network costs seconds to make, and tests that
 * only want one with the usual past can share it. It is made once for each kind of network and each version
 * of devnet's sources, anew every few minutes, kept beside the other caches of the tools, and copied for each test.
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
	statSync,
	writeFileSync
} from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/komodeck-devnet');
/** All that a network's past follows from. */
const SOURCES = ['src/devnet', 'src/lib/chain', 'src/lib/rpc', 'package-lock.json'];

/** A network that has stood still for longer looks stuck to the pages that are tested on it. */
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

/** Where the network of a kind lies once it was made. */
const folderOf = (kind: object): string =>
	join(
		CACHE,
		`${hashOfSources()}-${Math.floor(Date.now() / FRESH_MS)}`,
		createHash('sha256').update(JSON.stringify(kind)).digest('hex').slice(0, 16)
	);

/** Copies the network of a kind into a folder, behind other ports. @returns whether there was one */
export function copySnapshot(kind: object, dir: string, basePort: number): boolean {
	const from = folderOf(kind);
	if (!existsSync(from)) return false;
	cpSync(from, join(dir, 'state'), { recursive: true });
	const file = join(dir, 'state', 'network.json');
	type Ported = { port: number };
	const record = JSON.parse(readFileSync(file, 'utf8')) as {
		control: Ported;
		daemons: Record<string, Ported>;
		node: Ported;
	};
	const by = basePort - record.control.port;
	for (const one of [record.control, record.node, ...Object.values(record.daemons)]) one.port += by;
	writeFileSync(file, JSON.stringify(record), { mode: 0o600 });
	return true;
}

/** Keeps a network that has just begun for the tests that follow. Of two at the same moment one is kept. */
export function keepSnapshot(kind: object, dir: string): void {
	const to = folderOf(kind);
	if (existsSync(to)) return;
	mkdirSync(join(to, '..'), { recursive: true });
	for (const name of readdirSync(CACHE)) {
		const folder = join(CACHE, name);
		// Another process may have removed it just now.
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
