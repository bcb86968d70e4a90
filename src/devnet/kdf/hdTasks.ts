import type { JsonValue } from '#lib/rpc/json.ts';
import { int } from '../rpc/coins.ts';
import type { HdAddress } from './coins.ts';
import type { KdfContext, V2Method } from './context.ts';
import { KdfError } from './error.ts';
import { side } from './requests.ts';
import { boolean, exactU64, fallback, optional, required, string, struct, u32 } from './serde.ts';
import type { TaskHandle } from './tasks.ts';
import { accountJson, hdAddressJson } from './walletBalance.ts';
import { hdCoin, transport } from './walletMethods.ts';

/** Number of accounts that BIP32 allows. */
const MOST_ACCOUNTS = 2 ** 31;

const newAddressRequest = struct('GetNewAddressRequest', {
	coin: required(string),
	account_id: required(u32),
	chain: optional(side),
	gap_limit: optional(u32),
	client_id: fallback(exactU64, 0n)
});

async function nextAddress(
	context: KdfContext,
	ticker: string,
	account: number,
	chain: HdAddress['chain'],
	gap: number
): Promise<HdAddress> {
	const hd = hdCoin(context, ticker, account).hd!;
	const counts = chain === 'External' ? hd.known : hd.knownChange;
	const known = counts.get(account) ?? 0;
	try {
		const last = await Promise.all(
			Array.from({ length: Math.min(gap, known) }, (_, n) =>
				hd.addressAt(account, chain, known - 1 - n)
			)
		);
		const unused = last.every(({ balance }) =>
			Object.values(balance).every(({ spendable }) => spendable === '0')
		);
		if (last.length === gap && unused) {
			throw new KdfError(
				400,
				'EmptyAddressesLimitReached',
				`Last ${gap} addresses are still unused`,
				{ gap_limit: int(gap) }
			);
		}
		const address = await hd.addressAt(account, chain, known);
		counts.set(account, known + 1);
		return address;
	} catch (cause) {
		throw transport(cause);
	}
}

const getNewAddress: V2Method = async (context, params) => {
	const { coin, account_id: account, chain, gap_limit: gap } = newAddressRequest(params);
	const added = await nextAddress(context, coin, account, chain ?? 'External', gap ?? 20);
	return { new_address: hdAddressJson(added) };
};

/** Starts a task of an HD wallet, with its single step. */
const start = (
	context: KdfContext,
	family: string,
	ticker: string,
	step: JsonValue,
	client: bigint,
	run: (handle: TaskHandle) => Promise<JsonValue>
): JsonValue => {
	const work = async (handle: TaskHandle): Promise<JsonValue> => {
		await handle.step(step);
		try {
			return await run(handle);
		} catch (cause) {
			throw transport(cause);
		}
	};
	const id = context.tasks.start(family, ticker, step, work, { client });
	return { task_id: int(id) };
};

const newAddressTask: V2Method = (context, params) => {
	const { coin, account_id: account, chain, gap_limit: gap, client_id } = newAddressRequest(params);
	hdCoin(context, coin, account);
	return start(context, 'get_new_address', coin, 'Preparing', client_id, async (handle) => {
		await handle.step('RequestingAccountBalance');
		const address = await nextAddress(context, coin, account, chain ?? 'External', gap ?? 20);
		await handle.step('Finishing');
		return { new_address: hdAddressJson(address) };
	});
};

const accountRequest = struct('InitAccountBalanceRequest', {
	coin: required(string),
	account_index: required(u32),
	gap_limit: optional(u32),
	client_id: fallback(exactU64, 0n)
});

const accountBalance: V2Method = (context, params) => {
	const { coin: ticker, account_index: account, client_id } = accountRequest(params);
	const coin = hdCoin(context, ticker, account);
	return start(context, 'account_balance', ticker, 'RequestingAccountBalance', client_id, () =>
		accountJson(coin, account)
	);
};

const scan: V2Method = (context, params) => {
	const {
		coin: ticker,
		account_index: account,
		gap_limit: gap,
		client_id
	} = accountRequest(params);
	const hd = hdCoin(context, ticker, account).hd!;
	return start(context, 'scan_for_new_addresses', ticker, 'InProgress', client_id, async () => {
		const found = await hd.scan(account, gap);
		const addresses = await Promise.all(
			found.map((index) => hd.addressAt(account, 'External', index))
		);
		return {
			account_index: int(account),
			derivation_path: `${hd.coinPath}/${account}'`,
			new_addresses: addresses.map(hdAddressJson)
		};
	});
};

const newAccountRequest = struct('CreateNewAccountRequest', {
	coin: required(string),
	scan: fallback(boolean, true),
	gap_limit: optional(u32),
	account_id: optional(u32),
	client_id: fallback(exactU64, 0n)
});

const newAccount: V2Method = (context, params) => {
	const given = newAccountRequest(params);
	const coin = hdCoin(context, given.coin);
	const hd = coin.hd!;
	return start(
		context,
		'create_new_account',
		given.coin,
		'Preparing',
		given.client_id,
		async (handle) => {
			const next = Math.max(-1, ...hd.known.keys()) + 1;
			const account = given.account_id ?? next;
			if (account >= MOST_ACCOUNTS) {
				const text = `Accounts limit reached. Max number of accounts: ${MOST_ACCOUNTS}`;
				throw new KdfError(400, 'AccountLimitReached', text, {
					max_accounts_number: int(MOST_ACCOUNTS)
				});
			}
			await handle.step('RequestingAccountBalance');
			if (!hd.known.has(account)) hd.known.set(account, 0);
			if (given.scan) await hd.scan(account, given.gap_limit);
			await handle.step('Finishing');
			return accountJson(coin, account);
		}
	);
};

/** Methods for accounts and addresses of HD wallets; the interface document has none of them. */
export const hdMethods: ReadonlyMap<string, V2Method> = new Map<string, V2Method>([
	['get_new_address', getNewAddress],
	['task::get_new_address::init', newAddressTask],
	['task::account_balance::init', accountBalance],
	['task::scan_for_new_addresses::init', scan],
	['task::create_new_account::init', newAccount]
]);
