import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isGone, newOwner } from './owner.ts';

const MODULE = new URL('./owner.ts', import.meta.url).href;

/** A process that tells its owner's name and then sleeps. */
async function other(): Promise<{ owner: string; kill(): Promise<void> }> {
	const child = spawn(process.execPath, [
		...['--input-type=module', '-e'],
		`import { newOwner } from '${MODULE}'; console.log(newOwner()); setInterval(() => {}, 1000)`
	]);
	const [said] = (await once(child.stdout, 'data')) as [Buffer];
	return {
		owner: said.toString().trim(),
		async kill() {
			child.kill('SIGKILL');
			await once(child, 'exit');
		}
	};
}

test('an owner is there while its process runs, and gone when it was killed', async () => {
	const { owner, kill } = await other();
	expect(isGone(owner)).toBe(false);
	await kill();
	expect(isGone(owner)).toBe(true);
});

test('two owners of one process are two, and neither is gone', () => {
	const [one, two] = [newOwner(), newOwner()];
	expect(one).not.toBe(two);
	expect([isGone(one), isGone(two)]).toEqual([false, false]);
});

test('a process that got the id of one that ended is another one', () => {
	const [place, pid, started, id] = newOwner().split(':');
	expect(isGone([place, pid, Number(started) - 1, id].join(':'))).toBe(true);
});

test('nothing is known of owners elsewhere, or with names of another form', () => {
	const [, pid, started, id] = newOwner().split(':');
	for (const owner of [
		['0123456789abcdef', pid, Number(started) - 1, id].join(':'),
		...['somebody', '', 'a:b:c:d', newOwner().replace(/:\d+:/, ':0:')]
	]) {
		expect(isGone(owner), owner).toBe(false);
	}
});
