/**
 * Swap settings of an active coin: set at its activation or later, and unknown for a coin that was activated
 * elsewhere.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../support/database.ts';
import type { KdfMethod, KdfParams } from '#lib/rpc/kdf/index.ts';
import { activated, legacyRefused, ok, refused } from './scriptedNode.ts';
import { UNJUDGED } from '../../support/permissive.ts';
import { createWorld, NODE, type World } from './world.ts';

describeOnBothDatabases('what swaps of an active coin wait for', (database) => {
	let world: World;
	beforeEach(async () => {
		world = await createWorld(database);
		world.node
			.on('set_required_confirmations', ({ params }) => ({
				body: { result: { coin: params['coin'], confirmations: params['confirmations'] } }
			}))
			.on('set_requires_notarization', ({ params }) => ({
				body: {
					result: { coin: params['coin'], requires_notarization: params['requires_notarization'] }
				}
			}))
			.on('disable_coin', ({ params }) => ({
				body: { result: { coin: params['coin'], cancelled_orders: [], passivized: false } }
			}));
	});
	afterEach(() => world.close());

	async function look(ticker: string) {
		const { coins } = await world.activations.coins.catalog();
		const { tickers } = await world.activations.active(NODE);
		return world.activations.look({
			node: NODE,
			coin: coins.find((one) => one.ticker === ticker)!,
			coins,
			tickers: tickers ?? new Set(),
			part: { account: 0, page: 1, history: 1 },
			waitMs: 5_000
		});
	}
	async function activate(ticker: string): Promise<void> {
		const id = await world.begin(ticker, 'task::enable_utxo', { required_confirmations: '4' });
		await world.pass(0);
		world.node.tasks.set(world.node.nextTask - 1, activated(ticker));
		world.node.enabled.add(ticker);
		await world.pass(2);
		expect((await world.row(id)).state).toBe('active');
	}

	it('is not known of an activation that this server cannot decrypt, and the coin is shown all the same', async () => {
		await activate('KMD');
		await database.db
			.updateTable('activations')
			.set({ params: 'sealed:1:AAAA' })
			.where('coin', '=', 'KMD')
			.execute();
		expect(await world.activations.latestActive(NODE, 'KMD')).toBeNull();
		const { swaps, failure } = await look('KMD');
		expect({ swaps, failure }).toEqual({ swaps: null, failure: null });
	});

	it('is shown as it was set last, and not at all once the coin was disabled', async () => {
		await activate('KMD');
		expect((await look('KMD')).swaps).toMatchObject({
			confirmations: 4,
			notarization: true,
			when: 'activated'
		});
		await world.pass(60);
		await world.activations.setSwaps(
			NODE,
			'KMD',
			{ confirmations: 9, notarization: false },
			'ada',
			UNJUDGED
		);
		expect((await look('KMD')).swaps).toEqual({
			confirmations: 9,
			notarization: false,
			when: 'changed',
			at: world.now()
		});
		await world.pass(60);
		await world.activations.disable(NODE, 'KMD', false, 'ada', UNJUDGED);
		// A later activation happens outside Komodeck.
		expect((await look('KMD')).swaps).toBeNull();
		await world.pass(60);
		await activate('KMD');
		expect((await look('KMD')).swaps).toMatchObject({ confirmations: 4, when: 'activated' });
	});

	it('is known as a script or the console sets it, and unknown once they activate the coin anew', async () => {
		const call = <M extends KdfMethod>(method: M, params: KdfParams<M>) =>
			world.gateway.proxy(NODE, method, params, null);
		await activate('KMD');
		await world.pass(60);
		await call('set_required_confirmations', { coin: 'KMD', confirmations: 1 });
		expect((await look('KMD')).swaps).toMatchObject({ confirmations: 1, when: 'changed' });
		world.node.on('set_requires_notarization', ({ params }) => ({
			// Like a coin that is not notarized.
			body: { result: { coin: params['coin'], requires_notarization: false } }
		}));
		await call('set_requires_notarization', { coin: 'KMD', requires_notarization: true });
		expect((await look('KMD')).swaps).toMatchObject({ confirmations: 1, notarization: false });

		// Refused calls and calls that only read change nothing here.
		world.node.on('disable_coin', () => legacyRefused('No such coin: KMD'));
		await call('disable_coin', { coin: 'KMD' });
		await call('my_balance', { coin: 'KMD' });
		expect((await look('KMD')).swaps?.confirmations).toBe(1);

		await world.pass(60);
		const mode = { rpc: 'Native' as const };
		await call('task::enable_utxo::init', { ticker: 'KMD', activation_params: { mode } });
		expect((await look('KMD')).swaps).toBeNull();
	});

	it('stays what it was where the coin is activated again while it is active', async () => {
		await activate('KMD');
		const { at } = (await look('KMD')).swaps!;
		await world.pass(60);
		world.node.on('task::enable_utxo::init', () =>
			refused('CoinIsAlreadyActivated', 'Coin KMD is activated already', { ticker: 'KMD' })
		);
		const id = await world.begin('KMD', 'task::enable_utxo', { required_confirmations: '50' });
		await world.pass(0);
		expect((await world.row(id)).state).toBe('active');
		expect((await look('KMD')).swaps).toMatchObject({ confirmations: 4, when: 'activated', at });
		expect((await world.activations.latestActive(NODE, 'KMD'))?.id).not.toBe(id);
	});

	it('is not known any more where it was not heard whether the node took another number', async () => {
		await activate('KMD');
		await world.pass(60);
		const known = { confirmations: 9, notarization: true };
		await world.activations.setSwaps(NODE, 'KMD', known, 'ada', UNJUDGED);
		const less = { confirmations: 1, notarization: true };
		const byPage = () => world.activations.setSwaps(NODE, 'KMD', less, 'ada', UNJUDGED);
		const byScript = () =>
			world.gateway.proxy(
				NODE,
				'set_required_confirmations',
				{ coin: 'KMD', confirmations: 1 },
				null
			);
		for (const change of [byPage, byScript]) {
			world.node.on('set_required_confirmations', () => legacyRefused('No such coin: KMD'));
			await change().catch(() => undefined);
			expect((await look('KMD')).swaps).toMatchObject({ ...known, when: 'changed' });
			world.node.on('set_required_confirmations', () => 'drop');
			await expect(change()).rejects.toThrow();
			expect((await look('KMD')).swaps).toMatchObject({ confirmations: null, notarization: true });
			world.node.on('set_required_confirmations', ({ params }) => ({
				body: { result: { coin: params['coin'], confirmations: params['confirmations'] } }
			}));
			await world.pass(60);
			await world.activations.setSwaps(NODE, 'KMD', known, 'ada', UNJUDGED);
		}
	});

	it('is only half known when the node refused the other half', async () => {
		world.node.enabled.add('DOC');
		world.node.on('set_requires_notarization', () => refused('Internal', 'Internal error: no'));
		const wanted = { confirmations: 5, notarization: true };
		await expect(
			world.activations.setSwaps(NODE, 'DOC', wanted, 'ada', UNJUDGED)
		).rejects.toThrow();
		expect((await look('DOC')).swaps).toMatchObject({ confirmations: 5, notarization: null });
	});

	it('is each token’s own where it was activated with its platform', async () => {
		world.node.on('enable_eth_with_tokens', () => {
			for (const ticker of ['ETH', 'USDC-ERC20', 'DAI-ERC20']) world.node.enabled.add(ticker);
			return ok({
				current_block: 1,
				eth_addresses_infos: {},
				erc20_addresses_infos: {},
				nfts_infos: {}
			});
		});
		await world.activations.begin({
			node: NODE,
			coin: 'ETH',
			method: 'enable_eth_with_tokens',
			params: {
				ticker: 'ETH',
				nodes: [],
				swap_contract_address: `0x${'1'.repeat(40)}`,
				fallback_swap_contract: `0x${'2'.repeat(40)}`,
				erc20_tokens_requests: [
					{ ticker: 'USDC-ERC20', required_confirmations: 12 },
					{ ticker: 'DAI-ERC20' }
				],
				required_confirmations: 3,
				requires_notarization: false
			},
			by: 'ada'
		});
		await world.pass(0);
		const { tokens, swaps } = await look('ETH');
		expect(swaps?.confirmations).toBe(3);
		const waits = tokens.map(({ ticker, swaps: own }) => [ticker, own?.confirmations]);
		// Without its own number the coins file decides.
		expect(waits).toEqual([
			['USDC-ERC20', 12],
			['DAI-ERC20', 20]
		]);
		expect((await look('USDC-ERC20')).swaps).toMatchObject({
			confirmations: 12,
			notarization: false,
			when: 'activated'
		});

		// Disabling the platform disables its tokens, and all are activated again outside Komodeck.
		await world.pass(60);
		await world.activations.disable(NODE, 'ETH', true, 'ada', UNJUDGED);
		expect((await look('USDC-ERC20')).swaps).toBeNull();
		const after = await look('ETH');
		expect([after.swaps, ...after.tokens.map(({ swaps: own }) => own)]).toEqual([null, null, null]);
	});
});
