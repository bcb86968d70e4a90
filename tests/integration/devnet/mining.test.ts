import { describe, expect, test } from 'vitest';
import { startDevnet, startDevnetProcess } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';

const net = shared(() => startDevnet());

const height = (daemon: string): Promise<number> => net.rpc<number>(daemon, 'getblockcount');
const addressOf = async (id: string): Promise<string> =>
	(await net.control.state()).daemons.find((daemon) => daemon.id === id)!.address;

describe('mining', () => {
	test('all daemons of a chain see the same blocks', async () => {
		const before = await height('BETA');
		const { blocks } = await net.control.mine('BETA', 3);
		expect(await height('BETA')).toBe(before + 3);
		for (const id of ['BETA', 'BETA-notary-1', 'BETA:notary-5']) {
			expect(await net.rpc(id, 'getbestblockhash')).toBe(blocks.at(-1));
		}
	});

	test('a sent coin is unconfirmed, then confirmed, and a reorganisation takes that back', async () => {
		const txid = await net.rpc<string>('ALPHA', 'sendtoaddress', await addressOf('BETA'), 1.5);
		const confirmations = async (): Promise<number> =>
			(await net.rpc<{ rawconfirmations: number }>('ALPHA', 'gettransaction', txid))
				.rawconfirmations;
		expect(await confirmations()).toBe(0);
		const { tip } = await net.control.mine('ALPHA', 2);
		expect(await confirmations()).toBe(2);
		const { removed, added } = await net.control.reorg('ALPHA', 2);
		expect(removed[0]).toBe(tip);
		expect(added).toHaveLength(3);
		expect(await net.rpc('ALPHA', 'getbestblockhash')).toBe(added.at(-1));
		// It went back to the mempool and into the first of the new blocks.
		expect(await confirmations()).toBe(3);
		expect(await net.rpc('ALPHA', 'getblock', tip)).toMatchObject({ confirmations: -1 });
	});

	test('the clock can be put forward, and blocks follow it', async () => {
		const { now } = await net.control.clock(86_400);
		await net.control.mine('GAMMA');
		const { tiptime } = await net.rpc<{ tiptime: number }>('GAMMA', 'getinfo');
		expect(tiptime).toBeGreaterThanOrEqual(now);
	});

	test('a round of the notaries is recorded on KMD and on the chain', async () => {
		const round = await net.control.notarize('GAMMA');
		const kmd = await net.rpc<{ KMD: { txid: string; chain: string; notaries: number[] }[] }>(
			'KMD',
			'getNotarisationsForBlock',
			round.kmdHeight
		);
		const recorded = kmd.KMD.find((one) => one.txid === round.notarization);
		expect(recorded?.chain).toBe('GAMMA');
		expect(new Set(recorded?.notaries).size).toBe(11);
		expect(await net.rpc('GAMMA', 'getinfo')).toMatchObject({ notarizedtxid: round.notarization });
	});

	test('left to itself the network mines', async () => {
		const before = await height('KMD');
		await net.control.auto(true);
		await expect.poll(() => height('KMD'), { timeout: 10_000 }).toBeGreaterThan(before);
		await net.control.auto(false);
	});
});

describe('an ending parent', () => {
	test('ends the network when standard input closes', async () => {
		const other = await startDevnetProcess();
		await other.stop();
		expect(other.process.exitCode).toBe(0);
		await expect(other.rpc('KMD', 'getinfo')).rejects.toThrow();
	});
});
