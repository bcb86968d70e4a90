import { expect, test } from 'vitest';
import { begin, type Life } from './life.ts';

/** Three components that log what they do; those named in `bad` fail to start or stop. */
function parts(said: string[], bad: readonly string[] = []) {
	const act = (what: string): void => {
		said.push(what);
		if (bad.includes(what)) throw new Error(`It cannot: ${what}.`);
	};
	return async (life: Life): Promise<Life> => {
		for (const part of ['database', 'gateway', 'worker']) {
			await Promise.resolve();
			act(`begin ${part}`);
			life.onEnd(async () => {
				await Promise.resolve();
				act(`end ${part}`);
			});
		}
		return life;
	};
}

const BEGUN = ['begin database', 'begin gateway', 'begin worker'];

test('parts begin in their order and end in the other, once', async () => {
	const said: string[] = [];
	const life = await begin(parts(said));
	expect(said).toEqual(BEGUN);
	await life.end();
	await life.end();
	expect(said).toEqual([...BEGUN, 'end worker', 'end gateway', 'end database']);
});

test('a part that cannot begin ends those before it, and says why', async () => {
	const said: string[] = [];
	const begun = begin(parts(said, ['begin worker', 'end gateway']));
	await expect(begun).rejects.toThrow('It cannot: begin worker.');
	expect(said).toEqual([...BEGUN, 'end gateway', 'end database']);
});

test('a part that cannot end keeps no other from ending', async () => {
	const said: string[] = [];
	const life = await begin(parts(said, ['end worker']));
	await expect(life.end()).rejects.toMatchObject({ errors: [new Error('It cannot: end worker.')] });
	expect(said).toEqual([...BEGUN, 'end worker', 'end gateway', 'end database']);
});
