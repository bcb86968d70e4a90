import { createHash } from 'node:crypto';
import { bech32 } from '@scure/base';
import type { JsonValue } from '#lib/rpc/json.ts';
import { int } from '../daemon/coins.ts';
import type { ActiveCoin } from './coins.ts';
import type { CoinEntry } from './coinsFile.ts';
import type { KdfContext, V2Method } from './context.ts';
import { ElectrumClient } from './electrumClient.ts';
import { electrumServers } from './requests.ts';
import {
	anything,
	boolean,
	exactU64,
	fallback,
	list,
	optional,
	required,
	string,
	struct,
	tagged,
	u64
} from './serde.ts';
import { activatedAlready, creation, entryOf, taskErrorOf } from './standalone.ts';
import type { TaskHandle } from './tasks.ts';

const servers = struct('LightMode', {
	electrum_servers: fallback(electrumServers, []),
	servers: fallback(electrumServers, []),
	light_wallet_d_servers: required(list(string)),
	min_connected: optional(u64),
	max_connected: optional(u64),
	sync_params: optional(anything),
	skip_sync_params: optional(boolean)
});

const request = struct('InitStandaloneCoinReq', {
	ticker: required(string),
	activation_params: required(
		struct('ZcoinActivationParams', {
			mode: fallback(
				tagged('ZcoinRpcMode', 'rpc', 'rpc_data', {
					Native: null,
					Light: servers,
					Electrum: servers
				}),
				{ type: 'Native' as const, value: undefined }
			),
			required_confirmations: optional(u64),
			requires_notarization: optional(boolean),
			zcash_params_path: optional(string),
			scan_blocks_per_iteration: fallback(u64, 1000),
			scan_interval_ms: fallback(u64, 0),
			account: fallback(u64, 0)
		})
	),
	client_id: fallback(exactU64, 0n)
});
type Request = ReturnType<typeof request>['activation_params'];

/** A shielded address that stands for the node's; nothing can be sent to it. */
function shieldedAddress(identity: Uint8Array): string {
	const digest = createHash('sha512').update(identity).digest().subarray(0, 43);
	return bech32.encode('zs', bech32.toWords(new Uint8Array(digest)), false);
}

/** Where a wallet begins to read that was told where; here there is nothing to read. */
const FIRST_BLOCK = { requested: int(0), is_pre_sapling: false, actual: int(0) };

async function activate(
	context: KdfContext,
	entry: CoinEntry,
	params: Request,
	handle: TaskHandle
): Promise<JsonValue> {
	const { coin: ticker } = entry;
	// The node reads the proving keys from its disk before anything else, and here are none.
	if (params.zcash_params_path === undefined) throw creation(ticker, 'ZCashParamsNotFound');
	const { mode } = params;
	const named = mode.value ? [...mode.value.electrum_servers, ...mode.value.servers] : [];
	const client = new ElectrumClient(ticker, named, named.length);
	try {
		await handle.step('ActivatingCoin');
		const height = await client.height();
		const blocks = (at: number, name: string): JsonValue => ({
			current_scanned_block: int(at),
			[name]: int(height)
		});
		await handle.step({ UpdatingBlocksCache: blocks(height >> 1, 'latest_block') });
		await handle.step({ BuildingWalletDb: blocks(height >> 1, 'latest_block') });
		await handle.step('RequestingWalletBalance');
		if (context.coins.has(ticker)) throw activatedAlready(ticker);
		const address = shieldedAddress(context.keys.identity);
		const nothing = { spendable: '0', unspendable: '0' };
		const coin: ActiveCoin = {
			ticker,
			entry,
			protocol: 'ZHTLC',
			requiredConfirmations: params.required_confirmations ?? 1,
			requiresNotarization: params.requires_notarization ?? false,
			address,
			key: () => null,
			addressOf: () => address,
			balanceOf: () => Promise.resolve(nothing),
			height: () => client.height(),
			close: () => client.close(),
			keepsHistory: false
		};
		context.coins.add(coin);
		return {
			ticker,
			current_block: int(height),
			wallet_balance: { wallet_type: 'Iguana', address, balance: nothing },
			...(mode.value?.sync_params === undefined ? {} : { first_sync_block: FIRST_BLOCK })
		};
	} catch (cause) {
		client.close();
		throw taskErrorOf(ticker, cause, context.rules);
	}
}

const init: V2Method = (context, given) => {
	const { ticker, activation_params: params, client_id: client } = request(given);
	const { entry } = entryOf(context, ticker, 'ZHTLC');
	const id = context.tasks.start(
		'enable_z_coin',
		ticker,
		'ActivatingCoin',
		async (handle) => activate(context, entry, params, handle),
		{ client, onCancel: () => context.coins.remove(ticker) }
	);
	return { task_id: int(id) };
};

/** Shielded coins, as far as a client sees of them. */
export const shieldedMethods: ReadonlyMap<string, V2Method> = new Map([
	['task::enable_z_coin::init', init]
]);
