import { START_ERRORS, START_UP } from '#lib/messages/startUp.ts';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { joinSourceMaps } from './sourceMaps.ts';
import { sourceHash } from './buildHash.ts';

/** The project's folder. */
export const ROOT = resolve(import.meta.dirname, '../..');
/** Bytes of a failed build's output. */
const MOST_OUTPUT = 16 * 1024 * 1024;
const STAMP = join(ROOT, 'build/stamp');
const HANDLER = join(ROOT, 'build/handler.js');

/** Whether the built application is that of the sources as they are now. */
export function isBuilt(): boolean {
	return (
		existsSync(HANDLER) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourceHash(ROOT)
	);
}

/** Builds the application. The stamp is written last, so that a build that was broken off is done again. */
export function build(): void {
	const stamp = sourceHash(ROOT);
	rmSync(STAMP, { force: true });
	process.stdout.write(`${START_UP.building}\n`);
	// One line is enough: a list of 600 files, and the bundlers' remarks, would hide those that say where to go.
	const args = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error'];
	const { status, stderr } = spawnSync(process.execPath, args, {
		cwd: ROOT,
		stdio: ['ignore', 'ignore', 'pipe'],
		maxBuffer: MOST_OUTPUT,
		env: { ...process.env, NODE_ENV: 'production' }
	});
	if (status !== 0) {
		process.stderr.write(stderr);
		throw new Error(START_ERRORS.build);
	}
	joinSourceMaps(ROOT);
	writeFileSync(STAMP, stamp);
}

if (import.meta.main) {
	try {
		if (isBuilt()) process.stdout.write(`${START_UP.built}\n`);
		else build();
	} catch (error) {
		process.stderr.write(`${String(error)}\n`);
		process.exit(1);
	}
}
