/** Paths of keys in HD wallets, as members type them and as nodes name them. */
import { bareText } from '#lib/chain/bareText.ts';
import type { PathFault } from '#lib/messages/activation/formFaults.ts';
import type { Coin } from '../coins/parse.ts';

/** Parses a path as typed; null when it is empty. */
export function readPath(
	text: string
): { ok: true; path: string | null } | { ok: false; fault: PathFault } {
	const trimmed = bareText(text).replaceAll('’', "'");
	if (trimmed === '') return { ok: true, path: null };
	if (/^m(?:\/\d{1,10}'?){1,10}$/.test(trimmed)) return { ok: true, path: trimmed };
	return { ok: false, fault: 'path' };
}

/** Account, chain and index of an address, as typed. */
interface TypedParts {
	account_id: string;
	chain: string;
	address_id: string;
}

/** An address by its position in the wallet. In the interface document an omitted part means 0 or External. */
export interface PathParts {
	account_id: number;
	chain: 'External' | 'Internal';
	address_id: number;
}

const INDEX = /^\d{1,9}$/;

/** Parses account, chain and index; null when all of them are empty. */
export function readParts({
	account_id: account,
	chain,
	address_id: index
}: TypedParts):
	{ ok: true; parts: PathParts | null } | { ok: false; field: keyof TypedParts; fault: PathFault } {
	const empty = [account, chain, index].every((text) => bareText(text) === '');
	if (empty) return { ok: true, parts: null };
	for (const [field, text] of [
		['account_id', account],
		['address_id', index]
	] as const) {
		if (bareText(text) !== '' && !INDEX.test(bareText(text))) {
			return { ok: false, field, fault: 'index' };
		}
	}
	if (chain !== '' && chain !== 'External' && chain !== 'Internal') {
		return { ok: false, field: 'chain', fault: 'chain' };
	}
	return {
		ok: true,
		parts: {
			account_id: Number(bareText(account)),
			chain: chain === 'Internal' ? 'Internal' : 'External',
			address_id: Number(bareText(index))
		}
	};
}

/** Returns the path of such an address; null when the coins file has no path for the coin. */
export const pathOfParts = (
	{ derivationPath }: Coin,
	{ account_id: account, chain, address_id: index }: PathParts
): string | null =>
	derivationPath === null
		? null
		: `${derivationPath}/${account}'/${chain === 'External' ? 0 : 1}/${index}`;

/** Splits a path below the derivation path of the coins file; null when it is a path of another coin. */
export function partsOf(
	path: string,
	coin: Coin
): { account: number; chain: 'External' | 'Internal'; index: number } | null {
	const own = coin.derivationPath;
	if (own === null || !path.startsWith(`${own}/`)) return null;
	const match = /^(\d+)'\/([01])\/(\d+)$/.exec(path.slice(own.length + 1));
	return match
		? {
				account: Number(match[1]),
				chain: match[2] === '0' ? 'External' : 'Internal',
				index: Number(match[3])
			}
		: null;
}
