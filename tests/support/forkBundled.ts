/**
 * Starts processes that tests kill one after another, each bundled into one file: loading their hundreds of
 * modules took longer than the rest of their life.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { build } from 'vite';

const ROOT = resolve(import.meta.dirname, '../..');
/** Packages with native parts stay where they are installed. */
const NATIVE = ['better-sqlite3', '@node-rs/argon2', 'tiny-secp256k1'];

const bundles = new Map<string, Promise<string>>();

async function bundle(entry: string): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-bundle-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
	await build({
		root: ROOT,
		configFile: false,
		logLevel: 'error',
		ssr: { noExternal: true, external: NATIVE },
		build: {
			ssr: entry,
			outDir: join(folder, 'out'),
			target: 'node22',
			minify: false,
			copyPublicDir: false
		}
	});
	return join(folder, 'out', `${basename(entry, '.ts')}.js`);
}

/**
 * Starts a process for a test.
 * @param entry its source; it must not look for files beside its own
 * @param order passed to it as its argument
 */
export async function forkBundled(entry: string, order: object): Promise<ChildProcess> {
	const made = bundles.get(entry) ?? bundle(entry);
	bundles.set(entry, made);
	return fork(await made, [JSON.stringify(order)], { execArgv: [] });
}
