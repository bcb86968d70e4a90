import { fileFault } from '#lib/messages/fileFaults.ts';
import { START_ERRORS, START_UP } from '#lib/messages/startUp.ts';
import Database from 'better-sqlite3';
import { spawnSync } from 'node:child_process';
import {
	accessSync,
	closeSync,
	constants,
	existsSync,
	mkdirSync,
	openSync,
	readFileSync,
	rmSync,
	writeFileSync
} from 'node:fs';
import { join, resolve } from 'node:path';
import { joinSourceMaps } from './sourceMaps.ts';
import { sourceHash } from './buildHash.ts';

/** The project's folder. */
export const ROOT = resolve(import.meta.dirname, '../..');
/** Maximum bytes captured from a failed build. */
const MOST_OUTPUT = 16 * 1024 * 1024;
const STAMP = join(ROOT, 'build/stamp');
const HANDLER = join(ROOT, 'build/handler.js');
/** Folder of the lock between processes that build. It is next to the build, which is emptied each time. */
const LOCK_FOLDER = join(ROOT, '.svelte-kit');
/** Messages that the pages have to be built first, by the error code of a failed write. */
const UNBUILT: ReadonlyMap<string | undefined, string> = new Map([
	['EACCES', START_ERRORS.unbuilt(ROOT)],
	['EPERM', START_ERRORS.unbuilt(ROOT)],
	['EROFS', START_ERRORS.readOnly(ROOT)]
]);
/**
 * Preloaded by the bundler's process, so that it exits with its parent. Without it, a signal to the parent
 * alone would leave a build running, and the next start would run another build at the same time.
 */
const ENDS_WITH_PARENT = `data:text/javascript,${encodeURIComponent(
	'const parent = process.ppid; setInterval(() => process.ppid === parent || process.exit(1), 200).unref();'
)}`;
/** How long to wait for the build of another process, in milliseconds. A build takes half a minute. */
const MOST_WAIT_MS = 10 * 60_000;

/** Tells whether the build matches the current sources. */
export function isBuilt(): boolean {
	return (
		existsSync(HANDLER) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourceHash(ROOT)
	);
}

/** Runs the bundler. The stamp is written last, so that an interrupted build is repeated. */
function bundle(): void {
	const stamp = sourceHash(ROOT);
	rmSync(STAMP, { force: true });
	process.stdout.write(`${START_UP.building}\n`);
	// One line is enough: a list of 600 files, and the bundlers' remarks, would hide those that say where to go.
	const args = [
		...['--import', ENDS_WITH_PARENT],
		...['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error']
	];
	const { status, stderr, error } = spawnSync(process.execPath, args, {
		cwd: ROOT,
		stdio: ['ignore', 'ignore', 'pipe'],
		maxBuffer: MOST_OUTPUT,
		env: { ...process.env, NODE_ENV: 'production' }
	});
	// The bundler could not be started, for lack of processes, file descriptors or memory.
	if (error !== undefined) throw error;
	if (status !== 0) {
		process.stderr.write(stderr);
		throw new Error(START_ERRORS.build);
	}
	joinSourceMaps(ROOT);
	writeFileSync(STAMP, stamp);
}

/**
 * Runs a function while no other process of this folder does. The lock is an SQLite lock, which the operating
 * system releases however this process ends; Node has no file locks.
 */
function alone(act: () => void): void {
	mkdirSync(LOCK_FOLDER, { recursive: true });
	const file = join(LOCK_FOLDER, 'build.lock');
	// Opened first without SQLite, which would not report why it cannot be opened.
	accessSync(LOCK_FOLDER, constants.W_OK);
	closeSync(openSync(file, 'a'));
	const lock = new Database(file, { timeout: 0 });
	const take = (): unknown => lock.exec('begin exclusive');
	try {
		try {
			take();
		} catch (error) {
			if (!(error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY')) throw error;
			process.stdout.write(`${START_UP.waitsForBuild}\n`);
			lock.pragma(`busy_timeout = ${MOST_WAIT_MS}`);
			take();
		}
		act();
	} finally {
		lock.close();
	}
}

/**
 * Builds the application if necessary. When several processes start at once, as several servers of one folder
 * do after an update, one builds and the others wait: concurrent builds would leave a mixture of files and
 * broken scripts.
 *
 * @throws Error when the bundler fails; its messages are on standard error. `config.unbuilt` when this user
 *   has no write permission
 */
export function build(): void {
	try {
		alone(() => {
			if (!isBuilt()) bundle();
		});
	} catch (error) {
		const unbuilt = UNBUILT.get((error as NodeJS.ErrnoException).code);
		throw unbuilt === undefined
			? error
			: Object.assign(new Error(unbuilt), { code: 'config.unbuilt' });
	}
}

if (import.meta.main) {
	try {
		if (isBuilt()) process.stdout.write(`${START_UP.built}\n`);
		else build();
	} catch (error) {
		process.stderr.write(
			`${fileFault(error) ?? (error instanceof Error ? error.message : String(error))}\n`
		);
		process.exit(1);
	}
}
