/** A log that is not taken: its disk is full, or the program behind its pipe has stopped to read. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Logs `lines` lines, lives for a while, says on its other output how much processor it took, and ends. */
const program = (lines: number, livesMs: number): string => `
	const { createLog } = await import('#lib/server/platform/logging/log.ts');
	const log = createLog();
	const failed = (error) => log.error({ err: error }, 'failed');
	process.on('uncaughtException', failed);
	for (let at = 0; at < ${lines}; at++) log.info({ at, filler: 'x'.repeat(500) }, 'a line');
	const before = process.cpuUsage();
	setTimeout(() => {
		const { user, system } = process.cpuUsage(before);
		process.stderr.write(String(Math.round((user + system) / 1000)));
		log.info('the last line');
		process.exit(0);
	}, ${livesMs});`;

function start(code: string, output: number | 'pipe') {
	const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
		cwd: ROOT,
		stdio: ['ignore', output, 'pipe']
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	return child;
}

test.runIf(existsSync('/dev/full'))(
	'to a full disk takes no processor, and keeps the process from no end',
	{ timeout: 20_000 },
	async () => {
		const full = openSync('/dev/full', 'w');
		const child = start(program(10, 3_000), full);
		closeSync(full);
		const ended = once(child, 'exit');
		const took = Number(await text(child.stderr!));
		expect(await ended).toEqual([0, null]);
		expect(took).toBeLessThan(1_000);
	}
);

test('comes whole and in order, its last line too', { timeout: 20_000 }, async () => {
	const child = start(program(2_000, 500), 'pipe');
	child.stderr!.resume();
	const lines = (await text(child.stdout!)).trimEnd().split('\n');
	const said = lines.map((line) => JSON.parse(line) as { at?: number; msg: string });
	expect(said.slice(0, -1).map(({ at }) => at)).toEqual(
		Array.from({ length: 2_000 }, (_, at) => at)
	);
	expect(said.at(-1)!.msg).toBe('the last line');
});

test(
	'that nobody reads is kept within bounds, and what was left out is said',
	{ timeout: 30_000 },
	async () => {
		const child = start(program(20_000, 3_000), 'pipe');
		child.stderr!.resume();
		// The pipe holds little of it.
		await new Promise((done) => setTimeout(done, 1_500));
		const said = await text(child.stdout!);
		expect(said.length).toBeLessThan(6_000_000);
		expect(said).toMatch(/"dropped":\d+,"msg":"lines of the log were dropped"/);
		expect(said).toContain('"the last line"');
	}
);
