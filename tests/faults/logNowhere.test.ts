/** A log that cannot be written: its disk is full, or the program behind its pipe no longer reads. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Logs `lines` lines and reports that on its other output. Once its input ends, or after `livesMs`, it reports
 * there the processor time since, in milliseconds, logs one more line, and ends.
 */
const program = (lines: number, livesMs?: number): string => `
	const { createLog } = await import('#lib/server/platform/logging/log.ts');
	const log = createLog();
	const failed = (error) => log.error({ err: error }, 'failed');
	process.on('uncaughtException', failed);
	for (let at = 0; at < ${lines}; at++) log.info({ at, filler: 'x'.repeat(500) }, 'a line');
	const before = process.cpuUsage();
	process.stderr.write('logged ');
	function end() {
		const { user, system } = process.cpuUsage(before);
		process.stderr.write(String(Math.round((user + system) / 1000)));
		log.info('the last line');
		process.exit(0);
	}
	${livesMs === undefined ? `process.stdin.resume().on('end', end);` : `setTimeout(end, ${livesMs});`}`;

function start(code: string, output: number | 'pipe') {
	const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
		cwd: ROOT,
		stdio: ['pipe', output, 'pipe']
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	return child;
}

/** The whole log of a process that is told to end after this line. */
async function loggedUntil(child: ReturnType<typeof start>, last: string): Promise<string> {
	let said = '';
	for await (const chunk of child.stdout!.setEncoding('utf8')) {
		said += String(chunk);
		if (said.includes(last)) child.stdin!.end();
	}
	return said;
}

test(
	'a log to a full disk takes no processor, and keeps its process from no end',
	{ timeout: 20_000 },
	async () => {
		// Only Linux has /dev/full.
		if (!existsSync('/dev/full')) return expect(process.platform).not.toBe('linux');
		const full = openSync('/dev/full', 'w');
		const child = start(program(10, 3_000), full);
		closeSync(full);
		const ended = once(child, 'exit');
		const took = Number((await text(child.stderr!)).replace('logged ', ''));
		expect(await ended).toEqual([0, null]);
		expect(took).toBeLessThan(1_000);
	}
);

test('a log comes whole and in order, its last line too', { timeout: 20_000 }, async () => {
	const child = start(program(2_000), 'pipe');
	child.stderr!.resume();
	const lines = (await loggedUntil(child, '"at":1999')).trimEnd().split('\n');
	const said = lines.map((line) => JSON.parse(line) as { at?: number; msg: string });
	expect(said.slice(0, -1).map(({ at }) => at)).toEqual(
		Array.from({ length: 2_000 }, (_, at) => at)
	);
	expect(said.at(-1)!.msg).toBe('the last line');
});

test(
	'a log that nobody reads is kept within bounds, and what was left out is said',
	{ timeout: 30_000 },
	async () => {
		const child = start(program(20_000), 'pipe');
		// The pipe holds only a little of it.
		await once(child.stderr!, 'data');
		child.stderr!.resume();
		const said = await loggedUntil(child, 'lines of the log were dropped');
		expect(said.length).toBeLessThan(6_000_000);
		expect(said).toMatch(/"dropped":\d+,"msg":"lines of the log were dropped"/);
		expect(said).toContain('"the last line"');
	}
);
