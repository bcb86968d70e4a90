import { expect, test, vi } from 'vitest';
import { decodeTolerantly } from '#lib/rpc/daemon/tolerant.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import { parseJson } from '#lib/rpc/json.ts';
import { daemonError } from './daemonError.ts';
import { unspentOf, withoutTimeLocks } from './unspent.ts';

const TIP = 100_000;

/** A daemon with so many outputs in each block, which lists at most `most` of them in one answer. */
function daemonWith(perBlock: (height: number) => number, most: number) {
	const asked: number[][] = [];
	const ask = (method: string, ...bounds: number[]): Promise<unknown> => {
		if (method === 'getinfo') return Promise.resolve({ blocks: TIP });
		asked.push(bounds);
		const [least = 1, deepest = TIP] = bounds;
		const outputs: { txid: string; vout: number }[] = [];
		for (
			let depth = Math.max(1, least);
			depth <= Math.min(TIP, deepest) && outputs.length <= most;
			depth++
		) {
			const height = TIP - depth + 1;
			for (let vout = 0; vout < perBlock(height); vout++) {
				outputs.push({ txid: String(height), vout });
			}
		}
		if (outputs.length <= most) return Promise.resolve(outputs);
		const called = { daemon: 'ALPHA', method };
		return Promise.reject(daemonError('daemon.too-large', called, { delivery: 'delivered' }));
	};
	return { asked, ask: ask as Parameters<typeof unspentOf>[0] };
}

test('a wallet whose outputs fit is asked once', async () => {
	const { ask, asked } = daemonWith((height) => (height % 100 === 0 ? 1 : 0), 38_000);
	const { outputs, isPart } = await unspentOf(ask, 1);
	expect([outputs.length, isPart, asked]).toEqual([1_000, false, [[1]]]);
});

test('of one that mines, the newest and the oldest outputs are read in a few calls, each once', async () => {
	const { ask, asked } = daemonWith(() => 1, 38_000);
	const { outputs, isPart } = await unspentOf(ask, 1);
	expect(isPart).toBe(true);
	expect(asked.length).toBeLessThan(6);
	expect(outputs.length).toBeGreaterThanOrEqual(10_000);
	const names = outputs.map(({ txid, vout }) => `${txid}:${vout}`);
	expect(new Set(names).size).toBe(names.length);
	expect(names).toEqual(expect.arrayContaining(['1:0', `${TIP}:0`]));
});

test('a daemon that is slow about each part is not asked for all of them', async () => {
	vi.useFakeTimers({ toFake: ['performance'] });
	try {
		const { ask, asked } = daemonWith((height) => (height > 60_000 ? 1 : 0), 38_000);
		const slow: typeof ask = (method, ...params) => {
			vi.advanceTimersByTime(6_000);
			return ask(method, ...params);
		};
		expect((await unspentOf(slow, 1)).outputs).toHaveLength(12_500);
		expect(asked.length).toBeLessThan(4);
	} finally {
		vi.useRealTimers();
	}
});

test('blocks that hold too many themselves are left out, and the calls end', async () => {
	const { ask, asked } = daemonWith(
		(height) => (height > 50_000 && height < 50_010 ? 9_000 : 0),
		4_000
	);
	expect(await unspentOf(ask, 1)).toEqual({ outputs: [], isPart: true });
	expect(asked.length).toBeLessThan(30);
	const none = daemonWith(() => 9_000, 4_000);
	expect(await unspentOf(none.ask, 0)).toEqual({ outputs: [], isPart: true });
	expect(none.asked.length).toBeLessThan(30);
});

test('an output with a time lock stays listed when another member of it cannot be read', () => {
	const locked = '0400f15365b17521' + `02${'ab'.repeat(32)}` + 'ac';
	const wire = parseJson(
		`[{"txid":"${'ab'.repeat(32)}","vout":0,"amount":1.00000000,"interest":null,"scriptPubKey":"${locked}","spendable":true}]`
	);
	const [one] = withoutTimeLocks(decodeTolerantly('listunspent', wire)!);
	expect(one).toMatchObject({ spendable: false, amount: 100_000_000n });
	expect([reported(one!, 'interest'), reported(one!, 'confirmations')]).toEqual([null, null]);
	expect(() => one!.confirmations).toThrow('confirmations');
});
