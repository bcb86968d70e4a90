import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readIndexes } from '#lib/server/chains/health/read.ts';
import { fixturesUnder } from '../../../src/cli/fixtures.ts';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { startAlteringProxy } from '../migration/alteringProxy.ts';
import { gatewayTo, placesOf } from '../migration/support.ts';

const ALL = ['txindex', 'addressindex', 'spentindex', 'timestampindex'] as const;
const RECORDINGS = join(import.meta.dirname, '../../contract/fixtures/recordings/daemon-plain');

/** Mines two blocks; the newest one holds an import and no other spend. */
async function mineImport(net: Devnet): Promise<void> {
	const { address } = (await net.control.state()).daemons.find(({ id }) => id === 'SELF')!;
	const made = await net.rpc<{ SourceTxHex: string; ImportTxHex: string }>(
		'SELF',
		'selfimport',
		address,
		'1'
	);
	for (const hex of [made.SourceTxHex, made.ImportTxHex]) {
		await net.rpc('SELF', 'sendrawtransaction', hex);
		await net.control.mine('SELF');
	}
}

/** The recorded refusal of a daemon that was started without the index: request and response. */
function recordedRefusal(method: string): { request: string; answer: string } {
	const [first] = fixturesUnder(join(RECORDINGS, `${method}.json`));
	const pair = JSON.parse(first!.text) as { request_text: string; response_text: string };
	return { request: pair.request_text, answer: pair.response_text };
}

test.each([
	['fast', ALL],
	// A chain with ac_cc has three of the indexes by default.
	['daemon-0.9.0', ['txindex', 'addressindex', 'spentindex']],
	['plain', ['txindex']]
] as const)(
	'which indexes a daemon of profile %s has follows from what it answers',
	async (profile, expected) => {
		const net = await startDevnet({ profile });
		const gateway = gatewayTo(placesOf(net));
		try {
			// The default relay limit of the released daemon is too small for imports.
			if (profile !== 'daemon-0.9.0') await mineImport(net);
			// The newest blocks of a quiet chain contain no spend.
			await net.control.mine('ALPHA', 9);
			for (const id of ['KMD', 'SELF', 'ALPHA']) {
				const told = await readIndexes(gateway, gateway.daemon(id)!, 'test', 10_000);
				const off = ALL.filter((name) => !expected.some((one) => one === name));
				for (const name of ALL)
					expect(told[name], `${id} ${name}`).toEqual({
						kind: 'told',
						value: !off.includes(name)
					});
			}
			if (profile === 'plain')
				for (const method of ['getspentinfo', 'getblockhashes']) {
					const { request, answer } = recordedRefusal(method);
					expect(await net.post('ALPHA', request)).toMatchObject({ status: 500, text: answer });
				}
		} finally {
			await gateway.close();
			await net.stop();
		}
	},
	// No earlier test has created a network of this profile, so there is no snapshot.
	90_000
);

test('a daemon without its index of transactions is not taken for one that has it', async () => {
	const net = await startDevnet();
	const proxy = await startAlteringProxy(net.chains.get('ALPHA')!);
	const gateway = gatewayTo(placesOf(net, { ALPHA: proxy.url }));
	try {
		const alpha = gateway.daemon('ALPHA')!;
		const txindex = async () => (await readIndexes(gateway, alpha, 'test', 10_000)).txindex;
		await net.control.txIndex('ALPHA', false);
		expect(await txindex()).toEqual({ kind: 'told', value: false });
		// A young chain: the outputs of its first blocks are all unspent, so nothing can be concluded.
		const { tip } = await net.control.mine('ALPHA');
		const { tx } = await net.rpc<{ tx: string[] }>('ALPHA', 'getblock', tip);
		proxy.alter('getblock', (result) => ({ ...result, tx }));
		expect(await txindex()).toMatchObject({ kind: 'silent', why: { code: 'all-unspent' } });
		// Nor can it from a daemon that does not say which outputs are spent.
		proxy.refuse('gettxout', { code: -32603, message: 'Internal error' }, 'unheard');
		expect((await txindex()).kind).not.toBe('told');
	} finally {
		await gateway.close();
		await proxy.stop();
		await net.stop();
	}
});
