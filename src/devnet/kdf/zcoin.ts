import { createHash } from 'node:crypto';
import { bech32 } from '@scure/base';
import type { JsonValue } from '#lib/rpc/json.ts';
import { int } from '../rpc/coins.ts';
import type { ActiveCoin } from './coins.ts';
import type { CoinEntry } from './coinsFile.ts';
import type { KdfContext, V2Method } from './context.ts';
import { ElectrumClient } from './electrumClient.ts';
import { LightClient, LightClientError } from './lightClient.ts';
import { electrumServers } from './requests.ts';
import {
	anything,
	boolean,
	exactU64,
	fallback,
	list,
	optional,
	required,
	SerdeError,
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
/** Maximum number of steps shown for each half of the synchronization. */
const MOST_STEPS = 4;

type Request = ReturnType<typeof request>['activation_params'];

/** Returns a made-up shielded address for the node; it cannot receive coins. */
function shieldedAddress(identity: Uint8Array): string {
	const digest = createHash('sha512').update(identity).digest().subarray(0, 43);
	return bech32.encode('zs', bech32.toWords(new Uint8Array(digest)), false);
}

const DAY_S = 86_400;
/** Assumed seconds between blocks. */
const BLOCK_S = 60;
/** Height from which shielded transactions are possible. */
const SAPLING_HEIGHT = 1;
/** Delay between retries while servers are unreachable. */
const AGAIN_MS = 250;

const syncStart = struct('Height', { height: optional(u64), date: optional(u64) });

/** Returns the block at which synchronization starts: as requested, otherwise a day back. */
function firstBlock({ clock }: KdfContext, start: JsonValue | undefined, height: number): number {
	const since = (date: number): number =>
		Math.max(SAPLING_HEIGHT, height - Math.floor(Math.max(0, clock() - date) / BLOCK_S));
	if (start === undefined || start === null) return since(clock() - DAY_S);
	if (start === 'earliest') return SAPLING_HEIGHT;
	const { height: at, date } = syncStart(start);
	if (at !== undefined) return at;
	if (date !== undefined) return since(date);
	throw new SerdeError('data did not match any variant of untagged enum SyncStartPoint');
}

/**
 * Simulates synchronization: first the blocks, then the wallet's part of them. While no server responds, it
 * reports that and keeps retrying.
 */
async function readChain(
	handle: TaskHandle,
	light: LightClient,
	from: number,
	perStep: number
): Promise<void> {
	for (;;) {
		try {
			for (const name of ['UpdatingBlocksCache', 'BuildingWalletDb']) {
				const last = await light.height();
				const step = Math.max(perStep, Math.ceil((last - from) / MOST_STEPS));
				for (let at = Math.min(from, last); ; at = Math.min(at + step, last)) {
					await handle.step({
						[name]: { current_scanned_block: int(at), latest_block: int(last) }
					});
					if (at === last) break;
				}
			}
			return;
		} catch (cause) {
			if (handle.cancelled) throw cause;
			await handle.step({ TemporaryError: String((cause as Error).message) });
			await new Promise((resolve) => void setTimeout(resolve, AGAIN_MS).unref());
		}
	}
}

async function activate(
	context: KdfContext,
	entry: CoinEntry,
	params: Request,
	handle: TaskHandle
): Promise<JsonValue> {
	const { coin: ticker } = entry;
	const { mode } = params;
	const named = mode.value ? [...mode.value.electrum_servers, ...mode.value.servers] : [];
	let client: ElectrumClient | undefined;
	let light: LightClient | undefined;
	try {
		await handle.step('ActivatingCoin');
		// The node loads the proving keys from disk before anything else.
		if (params.zcash_params_path === undefined && !context.hasZcashParams()) {
			throw creation(ticker, 'ZCashParamsNotFound');
		}
		client = new ElectrumClient(ticker, named, named.length);
		const height = await client.height();
		light = await LightClient.connect(mode.value?.light_wallet_d_servers ?? []);
		const requested = firstBlock(context, mode.value?.sync_params, height);
		const actual = Math.max(requested, SAPLING_HEIGHT);
		await readChain(handle, light, actual, params.scan_blocks_per_iteration);
		await handle.step('RequestingWalletBalance');
		if (context.coins.has(ticker)) throw activatedAlready(ticker);
		const address = shieldedAddress(context.keys.identity);
		const nothing = { spendable: '0', unspendable: '0' };
		const servers = { client, light };
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
			height: () => servers.client.height(),
			close: () => {
				servers.client.close();
				servers.light.close();
			},
			keepsHistory: false
		};
		context.coins.add(coin);
		return {
			ticker,
			current_block: int(height),
			wallet_balance: { wallet_type: 'Iguana', address, balance: nothing },
			// As in the results collected from a node that was not given a start.
			...(mode.value?.sync_params === undefined
				? {}
				: {
						first_sync_block: {
							requested: int(requested),
							is_pre_sapling: requested < SAPLING_HEIGHT,
							actual: int(actual)
						}
					})
		};
	} catch (cause) {
		client?.close();
		light?.close();
		if (cause instanceof LightClientError) throw creation(ticker, cause.message);
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

/** Shielded coins, as far as a client can observe them. */
export const shieldedMethods: ReadonlyMap<string, V2Method> = new Map([
	['task::enable_z_coin::init', init]
]);
