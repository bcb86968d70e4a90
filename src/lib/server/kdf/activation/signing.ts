/**
 * Signing of messages. The address that signs is determined first; the node's signature is verified here and
 * shown only if it is by that address.
 */
import { bareText } from '#lib/chain/bareText.ts';
import { formFaults as faults } from '#lib/messages/activation/formFaults.ts';
import { failureWords } from '#lib/messages/activation/failures.ts';
import type { Failure } from '#lib/messages/errors/activation.ts';
import { bech32 } from '@scure/base';
import { addressPayload, encodeAddress, type AddressCheck } from '#lib/chain/address.ts';
import { bytesEqual } from '#lib/chain/bytes.ts';
import { decodeCashAddress, encodeCashAddress } from '#lib/chain/cashaddr.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { isChecksummed, isEvmAddress } from '#lib/chain/evmAddress.ts';
import { evmSigner, signerHash } from '#lib/chain/message.ts';
import { chainErrorMessage } from '#lib/messages/chainErrors.ts';
import type { KdfParams } from '#lib/rpc/kdf/index.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import { listAddress, MOST_LISTED, type Uncounted, type Unlisted } from './addressListing.ts';
import type { Coin } from './coins/parse.ts';
import type { KdfPort } from './kdfPort.ts';
import { platformOf } from './evmForm.ts';
import { hasManyAddresses, isUnserved, wasAsked } from './failure.ts';
import { explainListing, explainSigning, type FailureWords } from './words.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** Maximum length of a message in bytes; a longer one would not fit into the link that shares it. */
export const MOST_MESSAGE = 2_000;

/** Selects a key in an HD wallet. */
type Selector = NonNullable<KdfParams<'sign_message'>['address']>;

/** The key that will sign. */
export interface Signer {
	coin: string;
	/** Its address; null when the node does not report it before it signs. */
	address: string | null;
	/** Path of the key; null for a node with one key. */
	path: string | null;
	/** How the node can be made to list the address; null when the address is known, or cannot be listed. */
	unlisted: Unlisted | null;
}

type SignerFound = { ok: true; signer: Signer } | { ok: false; words: FailureWords };
type Signed =
	| { ok: true; signature: string; address: string; path: string | null }
	| { ok: false; words: FailureWords };

/** Whether addresses and signatures of a coin are those of an EVM chain. */
const signsAsEvm = ({ protocol }: Coin): boolean => protocol === 'ETH' || protocol === 'ERC20';

/** Returns the checksum of a coin's addresses, by its ticker as in trading nodes. */
const checkOf = ({ ticker }: Pick<Coin, 'ticker'>): AddressCheck =>
	ticker === 'GRS' ? 'groestl' : ticker === 'SMART' ? 'keccak' : 'bitcoin';

/** Returns the address of a key hash, in the format of this coin. */
export function addressOfKeyHash(hash: Uint8Array, coin: Coin): string {
	if (coin.addressFormat?.format === 'cashaddress') {
		const prefix = coin.addressFormat.network ?? 'bitcoincash';
		return encodeCashAddress({ prefix, kind: 'p2pkh', hash });
	}
	if (coin.addressFormat?.format === 'segwit' && coin.bech32Prefix !== null) {
		return bech32.encode(coin.bech32Prefix, [0, ...bech32.toWords(hash)]);
	}
	return encodeAddress(hash, coin.pubtype ?? undefined, coin.taddr, checkOf(coin));
}

/** Returns the key hash of an address of a UTXO coin; null for the address of a script, or an invalid one. */
export function keyHashOf(address: string, coin: Pick<Coin, 'ticker'>): Uint8Array | null {
	if (address.length > 120) return null;
	const cash = decodeCashAddress(address, 'bitcoincash');
	if (cash) return cash.kind === 'p2pkh' ? cash.hash : null;
	try {
		const { words } = bech32.decode(address as `${string}1${string}`);
		const [version, ...rest] = words;
		const program = version === 0 ? bech32.fromWords(rest) : null;
		return program?.length === 20 ? program : null;
	} catch {
		// Not bech32, so base58 is tried.
	}
	const payload = addressPayload(address, checkOf(coin));
	// One version byte, or two where the coin has a `taddr`.
	return payload?.length === 21 || payload?.length === 22 ? payload.slice(-20) : null;
}

/** Protocols whose addresses are key hashes, in a format that the coins file describes. */
const HASHED: ReadonlySet<string | null> = new Set(['UTXO', 'QTUM', 'BCH']);

/**
 * Whether an address can be one of this coin. A node whose coins file has another chain under this ticker
 * returns an address of that chain, where coins would be lost. An address that cannot be checked passes.
 */
export function isAddressOf(address: string, coin: Coin): boolean {
	if (signsAsEvm(coin)) {
		return isEvmAddress(address) && (address === address.toLowerCase() || isChecksummed(address));
	}
	if (!HASHED.has(coin.protocol) || coin.pubtype === null) return true;
	const hash = keyHashOf(address, coin);
	if (hash === null) return false;
	const cash = decodeCashAddress(address, 'bitcoincash');
	if (cash !== null) {
		const isUsed = coin.protocol === 'BCH' || coin.addressFormat?.format === 'cashaddress';
		return isUsed && cash.prefix === (coin.addressFormat?.network ?? 'bitcoincash');
	}
	const { bech32Prefix: prefix } = coin;
	return (
		address === encodeAddress(hash, coin.pubtype, coin.taddr, checkOf(coin)) ||
		(prefix !== null && address === bech32.encode(prefix, [0, ...bech32.toWords(hash)]))
	);
}

export type Verdict =
	| { kind: 'valid' }
	/** The signature is good and comes from this other address. */
	| { kind: 'other'; signer: string }
	/** The signature cannot be checked; `field` is the invalid input. */
	| { kind: 'unreadable'; field: 'coin' | 'address' | 'signature'; words: string };

/** Checks a signature here, without asking a node. */
export function verify(coin: Coin, address: string, message: string, signature: string): Verdict {
	const prefix = coin.signMessagePrefix;
	if (prefix === null) {
		return {
			kind: 'unreadable',
			field: 'coin',
			words: faults.verify.noPrefix(coin.ticker)
		};
	}
	try {
		if (signsAsEvm(coin)) {
			if (!/^0x[0-9a-fA-F]{40}$/.test(address)) {
				return {
					kind: 'unreadable',
					field: 'address',
					words: faults.verify.evmAddress
				};
			}
			const signer = evmSigner(prefix, message, signature);
			return signer.toLowerCase() === address.toLowerCase()
				? { kind: 'valid' }
				: { kind: 'other', signer };
		}
		const hash = keyHashOf(address, coin);
		if (hash === null) {
			return {
				kind: 'unreadable',
				field: 'address',
				words: faults.verify.noKeyAddress
			};
		}
		const signer = signerHash(prefix, message, signature);
		return bytesEqual(signer, hash)
			? { kind: 'valid' }
			: { kind: 'other', signer: addressOfKeyHash(signer, coin) };
	} catch (error) {
		if (!isChainError(error, 'message')) throw error;
		return { kind: 'unreadable', field: 'signature', words: chainErrorMessage(error) };
	}
}

/** Returns the address that made a signature; null when the signature is unreadable. */
function signerOf(coin: Coin, message: string, signature: string): string | null {
	const prefix = coin.signMessagePrefix;
	if (prefix === null) return null;
	try {
		return signsAsEvm(coin)
			? evmSigner(prefix, message, signature)
			: addressOfKeyHash(signerHash(prefix, message, signature), coin);
	} catch (error) {
		if (!isChainError(error, 'message')) throw error;
		return null;
	}
}

/** Parses a path as typed; null when it is empty. */
export function readPath(
	text: string
): { ok: true; path: string | null } | { ok: false; words: string } {
	const trimmed = bareText(text).replaceAll('’', "'");
	if (trimmed === '') return { ok: true, path: null };
	if (/^m(?:\/\d{1,10}'?){1,10}$/.test(trimmed)) return { ok: true, path: trimmed };
	return { ok: false, words: faults.path };
}

/** Account, chain and index of an address, as typed. */
interface TypedParts {
	account_id: string;
	chain: string;
	address_id: string;
}

/** An address by its position in the wallet. In the interface document an omitted part means 0 or External. */
interface PathParts {
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
	{ ok: true; parts: PathParts | null } | { ok: false; field: keyof TypedParts; words: string } {
	const empty = [account, chain, index].every((text) => bareText(text) === '');
	if (empty) return { ok: true, parts: null };
	for (const [field, text] of [
		['account_id', account],
		['address_id', index]
	] as const) {
		if (bareText(text) !== '' && !INDEX.test(bareText(text))) {
			return { ok: false, field, words: faults.wholeFrom(0) };
		}
	}
	if (chain !== '' && chain !== 'External' && chain !== 'Internal') {
		return { ok: false, field: 'chain', words: faults.notOffered.one };
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
function partsOf(
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

/** A key whose address is known only after it has signed. */
const unknownOf = ({ ticker }: Coin, path: string | null): Signer => ({
	coin: ticker,
	address: null,
	path,
	unlisted: null
});

/** Whether the node did not answer in time, as when the coin's servers are slow: it signs without them. */
const isLate = ({ kind, spoiled }: Failure): boolean => kind === 'unsure' && spoiled !== true;

/** Page size of the list of addresses in which a path is looked up. */
const LOOKED_AT = 100;

/**
 * Creates the signing of messages.
 * @param nodes without a short timeout: the node queries the coin's servers before it reports an address
 */
export function createSigning(nodes: KdfPort) {
	type Parts = NonNullable<ReturnType<typeof partsOf>>;

	/**
	 * Returns an address of an EVM chain, listed or not, as the node derives it. A token has the keys of its
	 * platform.
	 */
	async function ofEvm(
		node: string,
		coin: Coin,
		{ account, chain, index }: Parts
	): Promise<string | null> {
		const said = await nodes.call(node, 'get_my_address', {
			coin: coin.protocol === 'ERC20' ? (platformOf(coin) ?? coin.ticker) : coin.ticker,
			path_to_address: { account_id: account, chain, address_id: index }
		});
		return reported(said, 'wallet_address');
	}

	/**
	 * Looks up the address of a path. Addresses are listed in the order of their index, so only one page can
	 * contain it.
	 */
	async function listed(
		node: string,
		coin: Coin,
		parts: Parts,
		path: string | null
	): Promise<{ address: string | null; total: number | null; hasAccount: boolean }> {
		try {
			const said = await nodes.call(node, 'account_balance', {
				coin: coin.ticker,
				account_index: parts.account,
				chain: parts.chain,
				limit: LOOKED_AT,
				paging_options: { PageNumber: Math.floor(parts.index / LOOKED_AT) + 1 }
			});
			const found = said.addresses.find((one) => reported(one, 'derivation_path') === path);
			const address = found === undefined ? null : reported(found, 'address');
			return { address, total: reported(said, 'total'), hasAccount: true };
		} catch (error) {
			if (!isAppError(error, 'activation.call-failed')) throw error;
			if (error.params.failure.type !== 'UnknownAccount') throw error;
			return { address: null, total: 0, hasAccount: false };
		}
	}

	async function manyAddresses(node: string, coin: Coin, path: string | null): Promise<Signer> {
		const parts =
			path === null ? { account: 0, chain: 'External' as const, index: 0 } : partsOf(path, coin);
		const shown = path ?? (coin.derivationPath === null ? null : `${coin.derivationPath}/0'/0/0`);
		const unknown = unknownOf(coin, shown);
		if (parts === null || shown === null) return unknown;
		const { address: found, total, hasAccount } = await listed(node, coin, parts, shown);
		const address = found ?? (signsAsEvm(coin) ? await ofEvm(node, coin, parts) : null);
		if (address !== null) return { ...unknown, address };
		// It is not known how many would have to be listed.
		if (total === null) return unknown;
		const { account, chain, index } = parts;
		const more = index - total + 1;
		// Only an index after the listed ones, within the limit, can be listed.
		if (more < 1 || more > MOST_LISTED) return unknown;
		return {
			...unknown,
			unlisted: { path: shown, account, chain, more, isNewAccount: !hasAccount }
		};
	}

	return {
		/** Returns the address that would sign. `path` only for a node with an HD wallet. */
		async signer(node: string, coin: Coin, path: string | null): Promise<SignerFound> {
			try {
				if (path === null) {
					const said = await nodes.call(node, 'my_balance', { coin: coin.ticker });
					const address = reported(said, 'address');
					const facts = { coin: coin.ticker, address, path: null, unlisted: null };
					return { ok: true, signer: facts };
				}
			} catch (error) {
				if (!isAppError(error, 'activation.call-failed')) throw error;
				const { failure: refusal } = error.params;
				if (isLate(refusal)) return { ok: true, signer: unknownOf(coin, path) };
				// An HD wallet is queried in another way, below. A node without the method may still sign.
				if (!hasManyAddresses(refusal) && !isUnserved(refusal)) {
					const failure = /No such coin/.test(error.params.failure.message)
						? { ...error.params.failure, type: 'CoinIsNotFound' }
						: error.params.failure;
					return { ok: false, words: explainSigning(node, coin.ticker, failure) };
				}
			}
			try {
				return { ok: true, signer: await manyAddresses(node, coin, path) };
			} catch (error) {
				if (!isAppError(error, 'activation.call-failed')) throw error;
				const { failure } = error.params;
				if (failure.kind !== 'refused' && !isLate(failure)) {
					return { ok: false, words: explainSigning(node, coin.ticker, failure) };
				}
				// The node says more about the path when it is asked to sign.
				return { ok: true, signer: unknownOf(coin, path) };
			}
		},

		/**
		 * Has the node list the address that would sign, so that it is known before the signature.
		 * @param giveBack reverses what was counted for calls that were not sent
		 */
		async list(
			node: string,
			coin: Coin,
			unlisted: Unlisted,
			giveBack: Uncounted
		): Promise<{ ok: true } | { ok: false; words: FailureWords }> {
			try {
				await listAddress(nodes, node, coin.ticker, unlisted, giveBack);
				return { ok: true };
			} catch (error) {
				if (!isAppError(error, 'activation.call-failed')) throw error;
				return { ok: false, words: explainListing(node, coin.ticker, error.params.failure) };
			}
		},

		/**
		 * Has the node sign a message.
		 * @param expected the address that was shown before; null when the node did not report it
		 * @param parts the same address by its parts, when it was given so
		 * @param giveBack reverses what was counted for the signature, when nothing was sent
		 */
		async sign(
			node: string,
			coin: Coin,
			message: string,
			path: string | null,
			expected: string | null,
			parts: PathParts | null = null,
			giveBack: () => Promise<void> = () => Promise.resolve()
		): Promise<Signed> {
			let signature: string;
			try {
				const by: Selector | null = parts ?? (path === null ? null : { derivation_path: path });
				const address: { address?: Selector } = by === null ? {} : { address: by };
				({ signature } = await nodes.call(node, 'sign_message', {
					coin: coin.ticker,
					message,
					...address
				}));
			} catch (error) {
				if (!isAppError(error, 'activation.call-failed')) throw error;
				const { failure } = error.params;
				if (!wasAsked(failure)) await giveBack();
				return { ok: false, words: explainSigning(node, coin.ticker, failure) };
			}
			const signer = signerOf(coin, message, signature);
			if (signer === null) return { ok: false, words: failureWords.unreadableSignature };
			if (expected !== null && verify(coin, expected, message, signature).kind !== 'valid') {
				return {
					ok: false,
					words: failureWords.otherSigner(signer, expected)
				};
			}
			return { ok: true, signature, address: expected ?? signer, path };
		}
	};
}

export type Signing = ReturnType<typeof createSigning>;
