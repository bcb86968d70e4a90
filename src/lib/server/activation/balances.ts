/** Balances and addresses in the result of an activation, whichever form it has. Pure. */
import type { Plain } from './plain.ts';

export interface BalanceLine {
	address: string;
	/** Null for a wallet with one address. */
	path: string | null;
	ticker: string;
	/** Amounts as the node wrote them. */
	spendable: string;
	unspendable: string;
}

export interface ResultFacts {
	lines: BalanceLine[];
	/** Height of the coin's chain when it was activated; null where the form has none. */
	block: number | null;
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

/** Reads what a node gave for an activated coin. */
export function factsOf(coin: string, result: Plain): ResultFacts {
	const all = members(result);
	const number = (name: string): number | null =>
		typeof all[name] === 'number' ? all[name] : null;
	const wallet = members(all['wallet_balance']);
	const facts = {
		block: number('current_block'),
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
			unspendable: text(all['unspendable_balance']) || '0'
		};
		return { ...facts, lines: [line] };
	}
	const single = lineOf(coin, text(wallet['address']), null, wallet['balance']);
	const many = list(wallet['accounts']).flatMap((account) =>
		list(members(account)['addresses']).flatMap((one) => {
			const address = members(one);
			return lineOf(
				coin,
				text(address['address']),
				text(address['derivation_path']),
				address['balance']
			);
		})
	);
	return { ...facts, lines: wallet['wallet_type'] === 'HD' ? many : single };
}
