/** Balances and addresses in the result of an activation, whichever form it has. Pure. */
import type { Plain } from '../client/plain.ts';

export interface BalanceLine {
	address: string;
	/** Null for a wallet with one address. */
	path: string | null;
	ticker: string;
	/** Amounts as the node wrote them; empty when it did not say them: not asked for, or a build that does not tell. */
	spendable: string;
	unspendable: string;
}

/** A key of an EVM coin. */
export interface EvmKey {
	address: string;
	/** Uncompressed, hex. */
	pubkey: string;
	/** `Iguana` for the one key of a node, else the path of a wallet of many. */
	derivation: string;
}

/** A token that nobody else has, or a number of equal ones. */
export interface NftFacts {
	address: string;
	id: string;
	chain: string;
	/** `ERC721` or `ERC1155`. */
	type: string;
	amount: string;
}

/** One account of a wallet of many addresses. */
export interface AccountFacts {
	index: number;
	path: string;
	addresses: number;
	/** Of all its addresses together; empty when balances were not asked for. */
	total: { ticker: string; spendable: string; unspendable: string }[];
}

export interface ResultFacts {
	lines: BalanceLine[];
	keys: EvmKey[];
	/** Tokens that are active, where their balances were not asked for. */
	tickers: string[];
	/** Null where the form has none. */
	nfts: NftFacts[] | null;
	accounts: AccountFacts[];
	/** The platform of a token or of NFTs, and the token's contract. */
	platform: string | null;
	contract: string | null;
	/** What swaps hold, as the node wrote it; older builds only. */
	lockedBySwaps: string | null;
	/** Confirmations until a coinbase output can be spent; UTXO coins only. */
	maturity: number | null;
	/** Height of the coin's chain when it was activated; null where the form has none. */
	block: number | null;
	/** From where a shielded wallet was read: the block that was asked for, and the first that was there to be read. */
	firstBlock: { requested: number; actual: number } | null;
	confirmations: number | null;
	notarization: boolean | null;
	/** For the set-up of a hardware wallet: what it calls itself. */
	device: string | null;
}

type Members = { readonly [name: string]: Plain };
const members = (value: Plain | undefined): Members =>
	typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
const text = (value: Plain | undefined): string => (typeof value === 'string' ? value : '');
const list = (value: Plain | undefined): readonly Plain[] => (Array.isArray(value) ? value : []);

/** A map of balances by ticker, or the bare balance of the coin itself. */
function balances(value: Plain | undefined, coin: string): [string, Members][] {
	const map = members(value);
	if (typeof map['spendable'] === 'string') return [[coin, map]];
	return Object.entries(map).map(([ticker, one]) => [ticker, members(one)]);
}

function lineOf(
	coin: string,
	address: string,
	path: string | null,
	value: Plain | undefined
): BalanceLine[] {
	return balances(value, coin).map(([ticker, one]) => ({
		address,
		path,
		ticker,
		spendable: text(one['spendable']),
		unspendable: text(one['unspendable'])
	}));
}

const infosOf = (value: Plain | undefined): [address: string, info: Members][] =>
	Object.entries(members(value)).map(([address, info]) => [address, members(info)]);

/** Balances of a platform and its tokens, by address; or of one token. */
function evmLines(coin: string, all: Members): BalanceLine[] {
	const of = (address: string, value: Plain | undefined): BalanceLine[] =>
		value === undefined ? [] : lineOf(coin, address, null, value);
	return [
		...infosOf(all['eth_addresses_infos']).flatMap(([address, info]) =>
			of(address, info['balances'])
		),
		...infosOf(all['erc20_addresses_infos']).flatMap(([address, info]) =>
			of(address, info['balances'])
		),
		...Object.entries(members(all['balances'])).flatMap(([address, value]) => of(address, value))
	];
}

const keysOf = (all: Members): EvmKey[] =>
	infosOf(all['eth_addresses_infos']).map(([address, { pubkey, derivation_method: method }]) => {
		const { type, data } = members(method);
		return { address, pubkey: text(pubkey), derivation: text(data) || text(type) };
	});

const tickersOf = (all: Members): string[] => [
	...new Set(
		infosOf(all['erc20_addresses_infos']).flatMap(([, { tickers }]) => list(tickers).map(text))
	)
];

/** The interface document shows a map and calls it a list: both are read. */
function nftsOf(value: Plain | undefined): NftFacts[] | null {
	if (value === undefined || value === null) return null;
	const all = Array.isArray(value) ? list(value) : Object.values(members(value));
	return all.map((one) => {
		const { token_address, token_id, chain, contract_type, amount } = members(one);
		return {
			address: text(token_address),
			id: text(token_id),
			chain: text(chain),
			type: text(contract_type),
			amount: text(amount)
		};
	});
}

const accountsOf = (wallet: Members): AccountFacts[] =>
	list(wallet['accounts']).map((one) => {
		const {
			account_index: index,
			derivation_path: path,
			total_balance: total,
			addresses
		} = members(one);
		return {
			index: typeof index === 'number' ? index : 0,
			path: text(path),
			addresses: list(addresses).length,
			total: Object.entries(members(total)).map(([ticker, balance]) => {
				const { spendable, unspendable } = members(balance);
				return { ticker, spendable: text(spendable), unspendable: text(unspendable) };
			})
		};
	});

function firstBlockOf(value: Plain | undefined): ResultFacts['firstBlock'] {
	const { requested, actual } = members(value);
	return typeof requested === 'number' && typeof actual === 'number' ? { requested, actual } : null;
}

/** Lines of addresses of a wallet of many, as `account_balance` lists them. */
export const linesOfAddresses = (
	coin: string,
	addresses: readonly { address: string; derivation_path: string; balance: Plain }[]
): BalanceLine[] =>
	addresses.flatMap(({ address, derivation_path: path, balance }) =>
		lineOf(coin, address, path, balance)
	);

/** The address is one for change: the last but one part of its path is 1. */
export const isInternal = (path: string | null): boolean => /\/1\/\d+$/.test(path ?? '');

/** The chain of an address of a wallet of many, in the node's words; null for a wallet with one address. */
export const sideOf = (path: string | null): 'External' | 'Internal' | null =>
	path === null ? null : isInternal(path) ? 'Internal' : 'External';

const DECIMAL = /^(-?\d+)(?:\.(\d+))?$/;

/** The exact sum of amounts in text, without zeros at its end; what is no amount counts as nothing. */
export function sumOf(amounts: readonly string[]): string {
	const read = amounts.flatMap((amount) => {
		const match = DECIMAL.exec(amount);
		return match ? [{ whole: match[1]!, fraction: match[2] ?? '' }] : [];
	});
	const decimals = Math.max(0, ...read.map(({ fraction }) => fraction.length));
	const units = read.reduce(
		(sum, { whole, fraction }) => sum + BigInt(whole + fraction.padEnd(decimals, '0')),
		0n
	);
	const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
	const [whole, fraction] = [
		digits.slice(0, digits.length - decimals),
		digits.slice(digits.length - decimals).replace(/0+$/, '')
	];
	return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Reads what a node gave for an activated coin. */
export function factsOf(coin: string, result: Plain): ResultFacts {
	const all = members(result);
	const number = (name: string): number | null =>
		typeof all[name] === 'number' ? all[name] : null;
	const wallet = members(all['wallet_balance']);
	const facts = {
		keys: keysOf(all),
		tickers: tickersOf(all),
		nfts: nftsOf(all['nfts_infos'] ?? all['nfts']),
		accounts: accountsOf(wallet),
		platform: text(all['platform_coin']) || null,
		contract: text(all['token_contract_address']) || null,
		lockedBySwaps: text(all['locked_by_swaps']) || null,
		maturity: number('mature_confirmations'),
		block: number('current_block'),
		firstBlock: firstBlockOf(all['first_sync_block']),
		confirmations: number('required_confirmations'),
		notarization:
			typeof all['requires_notarization'] === 'boolean' ? all['requires_notarization'] : null,
		device: null
	};
	if (typeof all['device_pubkey'] === 'string') {
		return {
			...facts,
			lines: [],
			device: text(all['device_name']) || text(all['model']) || 'hardware wallet'
		};
	}
	if (typeof all['balance'] === 'string') {
		const line = {
			address: text(all['address']),
			path: null,
			ticker: text(all['coin']) || coin,
			spendable: all['balance'],
			unspendable: text(all['unspendable_balance'])
		};
		return { ...facts, lines: [line] };
	}
	const evm = evmLines(coin, all);
	if (evm.length > 0 || all['eth_addresses_infos'] !== undefined) return { ...facts, lines: evm };
	const single = lineOf(coin, text(wallet['address']), null, wallet['balance']);
	const many = list(wallet['accounts']).flatMap((account) =>
		list(members(account)['addresses']).flatMap((one) => {
			const address = members(one);
			const [at, path] = [text(address['address']), text(address['derivation_path'])];
			// Without `get_balances` there are addresses alone.
			return address['balance'] === undefined
				? [{ address: at, path, ticker: coin, spendable: '', unspendable: '' }]
				: lineOf(coin, at, path, address['balance']);
		})
	);
	return { ...facts, lines: wallet['wallet_type'] === 'HD' ? many : single };
}
