/** Parses limits of an API token as they are typed in forms and at the command line. */
import { addressOfPubkey, isValidAddress } from '#lib/chain/address.ts';
import { parseCoins } from '#lib/chain/amount.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import { chainErrorMessage } from '#lib/messages/chainErrors.ts';
import { ACCOUNT } from '#lib/messages/pages/account.ts';
import { isDaemonMethod } from '../../../rpc/daemon/index.ts';
import { findKdfMethod } from '../../../rpc/kdf/index.ts';
import { networkText, readNetwork } from '../../platform/net/networks.ts';
import type { TokenAmounts } from '../identity/identity.ts';
import { ANY_CHAIN } from './spending.ts';

const FAULTS = ACCOUNT.tokens.faults;

/** A parsed list, null for no limit; or the message of the first fault. */
export type ReadList<T> = { list: readonly T[] | null } | { fault: string };

/** Splits text at commas, spaces and line ends. */
export const wordsOf = (text: string): string[] =>
	text.split(/[\s,]+/).filter((word) => word !== '');

/** Truncates a faulty word for its message: it can be very long, and its beginning suffices to find it. */
const shortened = (word: string): string => (word.length > 60 ? `${word.slice(0, 60)}…` : word);

/** Whether a word is a method of a daemon, or the wire name of a method of a trading node. */
const isMethod = (word: string): boolean =>
	isDaemonMethod(word) ||
	findKdfMethod(word, 'v2') !== null ||
	findKdfMethod(word, 'legacy') !== null;

function listed<T>(
	words: readonly string[],
	read: (word: string) => T | null,
	fault: (word: string) => string
): ReadList<T> {
	const list: T[] = [];
	for (const word of words) {
		const one = read(word);
		if (one === null) return { fault: fault(shortened(word)) };
		list.push(one);
	}
	return { list: list.length === 0 ? null : list };
}

/** Reads the names of RPC methods. */
export const readMethods = (words: readonly string[]): ReadList<string> =>
	listed(words, (word) => (isMethod(word) ? word : null), FAULTS.method);

/** @param known ids of the configured daemons or nodes */
export const readPlaces = (words: readonly string[], known: readonly string[]): ReadList<string> =>
	listed(
		words,
		(word) => (known.includes(word) ? word : null),
		(word) => FAULTS.daemon(word, known)
	);

/** Reads IP addresses and networks, and spells them in one way. */
export const readAddresses = (words: readonly string[]): ReadList<string> =>
	listed(
		words,
		(word) => {
			const network = readNetwork(word);
			return network && networkText(network);
		},
		FAULTS.address
	);

/** Parses addresses and public keys; a public key is converted to its address. */
export const readRecipients = (words: readonly string[]): ReadList<string> =>
	listed(
		words,
		(word) => {
			if (isValidPubkey(word)) return addressOfPubkey(word.toLowerCase());
			return isValidAddress(word) ? word : null;
		},
		FAULTS.recipient
	);

/** Satoshi by chain, `*` for every other chain; the message of the fault where one is invalid. */
function amountsByChain(
	words: readonly string[],
	chains: readonly string[]
): ReadonlyMap<string, bigint> | string {
	const amounts = new Map<string, bigint>();
	for (const word of words) {
		const [, chain = ANY_CHAIN, amount = ''] = /^(?:([^=]+)=)?(.*)$/.exec(word) ?? [];
		if (chain !== ANY_CHAIN && !chains.includes(chain)) {
			return FAULTS.chain(shortened(chain), chains);
		}
		// `1,5` is read as two amounts.
		if (amounts.has(chain)) return FAULTS.twice(chain === ANY_CHAIN ? null : chain);
		try {
			amounts.set(chain, parseCoins(amount));
		} catch (error) {
			if (!isChainError(error, 'amount')) throw error;
			return `${shortened(word)}: ${chainErrorMessage(error)}`;
		}
	}
	return amounts;
}

/**
 * Parses amounts such as `5` for every chain separately, and `ALPHA=5` for one chain.
 * @param chains names of the configured chains
 */
export function readAmounts(
	each: readonly string[],
	day: readonly string[],
	chains: readonly string[]
): { list: readonly TokenAmounts[] | null } | { faults: { each?: string; day?: string } } {
	const [ofEach, ofDay] = [amountsByChain(each, chains), amountsByChain(day, chains)];
	if (typeof ofEach === 'string' || typeof ofDay === 'string') {
		return {
			faults: {
				...(typeof ofEach === 'string' ? { each: ofEach } : {}),
				...(typeof ofDay === 'string' ? { day: ofDay } : {})
			}
		};
	}
	const named = [...new Set([...ofEach.keys(), ...ofDay.keys()])];
	if (named.length === 0) return { list: null };
	const of = (amounts: ReadonlyMap<string, bigint>, chain: string): bigint | null =>
		amounts.get(chain) ?? amounts.get(ANY_CHAIN) ?? null;
	return {
		list: named.map((chain) => ({ chain, each: of(ofEach, chain), day: of(ofDay, chain) }))
	};
}
