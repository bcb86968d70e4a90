/** Daemons of chains with other parameters than those of devnet, started as people start them. */
import { afterEach, expect, test } from 'vitest';
import { blockList } from '#lib/server/chains/explorer/blocks.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { readDaemon, readIndexes } from '#lib/server/chains/health/read.ts';
import { startParameters } from '#lib/server/chains/health/startup.ts';
import { describeOnSqlite } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';
import { between, gatewayTo, reviewed, senderOver } from './support.ts';

const WALLET = { chain: 'ALPHA', daemon: 'ALPHA' };
const TO = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';

describeOnSqlite('a daemon that was started otherwise', (database) => {
	const net = shared(() => startDevnet());
	const proxy = shared(() => between(net, 'ALPHA'));
	const gateway = shared(() => gatewayTo(net, database, { ALPHA: { url: proxy.url } }));
	const sender = shared(() => senderOver(database, gateway));
	afterEach(() => {
		proxy.rewrite = null;
	});

	/** Pays coins from the form to their block. */
	async function paid(): Promise<void> {
		const wish = { payments: [{ address: TO, amount: 100_000_000n }], utxos: [], rate: 10_000n };
		const id = await sender.sendCoins(WALLET, wish, 'ada');
		expect(await sender.send(id, 'ada')).toBe('broadcast');
		await net.control.mine('ALPHA');
		await sender.reconcile(id);
		expect(await reviewed(sender, id)).toMatchObject({ state: 'confirmed' });
	}

	/** What the page of the daemon shows of its start. */
	async function shownStart(): Promise<Map<string, string | null>> {
		const daemon = gateway.daemon('ALPHA')!;
		const answers = await readDaemon(gateway, daemon, 'test');
		const parameters = startParameters(daemon, answers, { mode: null, pubkey: null });
		return new Map(parameters.map(({ name, value }) => [name, value]));
	}

	test('tells the share of each reward as the number that it is, and its wallet pays', async () => {
		await net.control.started('ALPHA', { commission: 20_000_000 });
		const { mismatches } = gateway.health('ALPHA');
		expect(await gateway.call('ALPHA', 'getinfo', [])).toMatchObject({ commission: 20_000_000 });
		expect((await shownStart()).get('ac_perc')).toBe('20000000');
		await paid();
		expect(gateway.health('ALPHA').mismatches).toBe(mismatches);
		await net.control.started('ALPHA', { commission: 0 });
	});

	test('shows its blocks, though it has no sums of the first ones, which an earlier release stored', async () => {
		const client = new PageClient(gateway, 'test');
		const shown = () => blockList(client, 'ALPHA', 5);
		const before = await shown();
		await net.control.started('ALPHA', { upgraded: true });
		const { mismatches } = gateway.health('ALPHA');
		expect(await shown()).toEqual(before);
		const indexes = await readIndexes(gateway, gateway.daemon('ALPHA')!, 'test', 10_000);
		expect(indexes).toMatchObject({
			txindex: { kind: 'told', value: true },
			timestampindex: { kind: 'told', value: true }
		});
		expect(await gateway.call('ALPHA', 'getblock', ['5', 2])).toMatchObject({
			chainSupply: { monitored: false, valueDelta: 100_000_000n }
		});
		expect(await gateway.call('ALPHA', 'getblockchaininfo', [])).toMatchObject({
			chainSupply: { monitored: false }
		});
		expect(gateway.health('ALPHA').mismatches).toBe(mismatches);
		await net.control.started('ALPHA', { upgraded: false });
	});

	test('is used although it spells what is only shown in a way that nobody knows', async () => {
		proxy.rewrite = (method, body) =>
			method === 'getinfo'
				? body.replace(/"(reward|halving|premine|magic|keypoolsize)":("?)[-\d]+"?/g, '"$1":[$2$2]')
				: body;
		const info = await gateway.call('ALPHA', 'getinfo', []);
		expect(info).toMatchObject({ name: 'ALPHA', CCid: 777 });
		expect([info.reward, info.halving, info.premine, info.magic, info.keypoolsize]).toEqual(
			Array.from({ length: 5 }, () => undefined)
		);
		await paid();
	});
});
