/** Reads balances and addresses from the result of an activation, whatever its shape. Pure. */
import { members, type Plain, type PlainObject } from '../client/plain.ts';

export interface BalanceLine {
	/** Empty when the node does not report it. */
	address: string;
	/** Derivation path, empty when the node does not report it; null for a wallet with one address. */
	path: string | null;
	ticker: string;
	/** Amounts as the node wrote them; empty when they were not requested, or the build does not report them. */
	spendable: string;
	unspendable: string;
}

/** A key of an EVM coin. */
export interface EvmKey {
	address: string;
	/** Uncompressed, hex. */
	pubkey: string;
	/** `Iguana` for the single key of a node, else the path in an HD wallet. */
	derivation: string;
}

/** A unique token, or a number of equal ones. */
export interface NftFacts {
	address: string;
	id: string;
	chain: string;
	/** `ERC721` or `ERC1155`. */
	type: string;
	amount: string;
}

/** One account of an HD wallet. */
export interface AccountFacts {
	/** Null when the node does not report it. */
	index: number | null;
	path: string;
	/** Number of addresses; null as the index. */
	addresses: number | null;
	/** Sums over all its addresses; empty when balances were not requested. */
	total: { ticker: string; spendable: string; unspendable: string }[];
}

export interface ResultFacts {
	lines: BalanceLine[];
	keys: EvmKey[];
	/** Active tokens, when their balances were not requested. */
	tickers: string[];
	/** Null when the result has no such list. */
	nfts: NftFacts[] | null;
	accounts: AccountFacts[];
	/** The platform of a token or of NFTs, and the token's contract. */
	platform: string | null;
	contract: string | null;
	/** Amount that swaps lock, as the node wrote it; older builds only. */
	lockedBySwaps: string | null;
	/** Confirmations until a coinbase output can be spent; UTXO coins only. */
	maturity: number | null;
	/** Height of the coin's chain at the activation; null when the result has none. */
	block: number | null;
	/** The first block that a shielded wallet scanned: the requested one, and the first that was available. */
	firstBlock: { requested: number; actual: number } | null;
	confirmations: number | null;
	notarization: boolean | null;
	/** Name of the device, for the set-up of a hardware wallet. */
	device: string | null;
}

const text = (value: Plain | undefined): string => (typeof value === 'string' ? value : '');
const list = (value: Plain | undefined): readonly Plain[] => (Array.isArray(value) ? value : []);

/** Reads a map of balances by ticker, or the balance of the coin alone. */
function balances(value: Plain | undefined, coin: string): [string, PlainObject][] {
	const map = members(value);
	if (typeof (map['spendable'] ?? map['unspendable']) === 'string') return [[coin, map]];
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

/** An address without amounts. */
const unknownLine = (coin: string, address: string, path: string | null): BalanceLine => ({
	address,
	path,
	ticker: coin,
	spendable: '',
	unspendable: ''
});

const infosOf = (value: Plain | undefined): [address: string, info: PlainObject][] =>
	Object.entries(members(value)).map(([address, info]) => [address, members(info)]);

/** Returns the balances of a platform and its tokens, or of one token, by address. */
function evmLines(coin: string, all: PlainObject): BalanceLine[] {
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

const keysOf = (all: PlainObject): EvmKey[] =>
	infosOf(all['eth_addresses_infos']).map(([address, { pubkey, derivation_method: method }]) => {
		const { type, data } = members(method);
		return { address, pubkey: text(pubkey), derivation: text(data) || text(type) };
	});

const tickersOf = (all: PlainObject): string[] => [
	...new Set(
		infosOf(all['erc20_addresses_infos']).flatMap(([, { tickers }]) => list(tickers).map(text))
	)
];

/** The interface document calls it a list and shows a map: both are read. */
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

const accountsOf = (wallet: PlainObject): AccountFacts[] =>
	list(wallet['accounts']).map((one) => {
		const {
			account_index: index,
			derivation_path: path,
			total_balance: total,
			addresses
		} = members(one);
		return {
			index: typeof index === 'number' ? index : null,
			path: text(path),
			addresses: Array.isArray(addresses) ? addresses.length : null,
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

/** Returns the lines of an address of an HD wallet, one for each ticker. */
export function linesOfAddress(coin: string, value: Plain): BalanceLine[] {
	const { address, derivation_path: path, balance } = members(value);
	const lines = lineOf(coin, text(address), text(path), balance);
	const isTold = lines.some(({ ticker }) => ticker === coin);
	return isTold ? lines : [unknownLine(coin, text(address), text(path)), ...lines];
}

/** Whether it is a change address: the last but one part of its path is 1. */
const isInternal = (path: string | null): boolean => /\/1\/\d+$/.test(path ?? '');

/**
 * Returns the chain of an address of an HD wallet, as the node names it; null for a wallet with one address, and for
 * an unknown path.
 */
export const sideOf = (path: string | null): 'External' | 'Internal' | null =>
	path === null || path === '' ? null : isInternal(path) ? 'Internal' : 'External';

const DECIMAL = /^(-?\d+)(?:\.(\d+))?$/;

/** Returns the exact sum of decimal amounts, without trailing zeros. Text that is no amount is ignored. */
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

/** Reads the result of a node for an activated coin. */
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
	if (typeof all['balance'] === 'string' || typeof all['address'] === 'string') {
		const line = {
			address: text(all['address']),
			path: null,
			ticker: text(all['coin']) || coin,
			spendable: text(all['balance']),
			unspendable: text(all['unspendable_balance'])
		};
		return { ...facts, lines: [line] };
	}
	const evm = evmLines(coin, all);
	if (evm.length > 0 || all['eth_addresses_infos'] !== undefined) return { ...facts, lines: evm };
	const own = text(wallet['address']);
	const told = lineOf(coin, own, null, wallet['balance']);
	const single = told.length === 0 && own !== '' ? [unknownLine(coin, own, null)] : told;
	// Without `get_balances` the result has addresses only.
	const many = list(wallet['accounts']).flatMap((account) =>
		list(members(account)['addresses']).flatMap((one) => linesOfAddress(coin, one))
	);
	const isMany = wallet['wallet_type'] === 'HD' || wallet['accounts'] !== undefined;
	return { ...facts, lines: isMany ? many : single };
}
