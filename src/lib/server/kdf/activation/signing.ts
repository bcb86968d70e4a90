/**
 * Messages: which address signs is found out first, what the node signed is read here, and a signature is
 * only shown when it comes from that address.
 */
import { formFaults as faults } from '#lib/messages/activation/formFaults.ts';
import { failureWords } from '#lib/messages/activation/failures.ts';
import { bech32 } from '@scure/base';
import { addressPayload, encodeAddress, type AddressCheck } from '#lib/chain/address.ts';
import { bytesEqual } from '#lib/chain/bytes.ts';
import { decodeCashAddress, encodeCashAddress } from '#lib/chain/cashaddr.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { isChecksummed, isEvmAddress } from '#lib/chain/evmAddress.ts';
import { evmSigner, signerHash } from '#lib/chain/message.ts';
import { chainErrorMessage } from '#lib/messages/chainErrors.ts';
import type { KdfParams } from '#lib/rpc/kdf/index.ts';
import { listAddress, MOST_LISTED, type Uncounted, type Unlisted } from './addressListing.ts';
import type { Coin } from './coins/parse.ts';
import type { KdfPort } from './engine.ts';
import { platformOf } from './evmForm.ts';
import { hasManyAddresses, isUnsent } from './failure.ts';
import { explainListing, explainSigning, type FailureWords } from './words.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** A longer message would not fit the link that shares it. Bytes. */
export const MOST_MESSAGE = 2_000;

/** Where a key of a wallet of many addresses stands. */
type Selector = NonNullable<KdfParams<'sign_message'>['address']>;

/** Who will sign. */
export interface Signer {
	coin: string;
	/** The address; null where the node does not tell it before it signs. */
	address: string | null;
	/** Path of the key; null for a node with one key. */
	path: string | null;
	/** How the node can be brought to tell the address; null where it told it, and where it cannot. */
	unlisted: Unlisted | null;
}

type SignerFound = { ok: true; signer: Signer } | { ok: false; words: FailureWords };
type Signed =
	| { ok: true; signature: string; address: string; path: string | null }
	| { ok: false; words: FailureWords };

/** Its addresses and signatures are those of an EVM chain. */
const signsAsEvm = ({ protocol }: Coin): boolean => protocol === 'ETH' || protocol === 'ERC20';

/** As trading nodes tell them apart: by the name of the coin. */
const checkOf = ({ ticker }: Pick<Coin, 'ticker'>): AddressCheck =>
	ticker === 'GRS' ? 'groestl' : ticker === 'SMART' ? 'keccak' : 'bitcoin';

/** The address of a key's hash as this coin writes it. */
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

/** The hash of the key behind an address of a UTXO coin; null for a script, or for what is no address. */
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
		// Not bech32: base58 is left.
	}
	const payload = addressPayload(address, checkOf(coin));
	// One version byte, or two where the coin has a `taddr`.
	return payload?.length === 21 || payload?.length === 22 ? payload.slice(-20) : null;
}

/** Coins whose addresses are hashes of keys, as the coins file says how they are written. */
const HASHED: ReadonlySet<string | null> = new Set(['UTXO', 'QTUM', 'BCH']);

/**
 * Whether an address may be one of this coin: a node whose coins file has another chain under the name gives one of that
 * chain, where coins would be lost. What cannot be told passes.
 */
export function isAddressOf(address: string, coin: Coin): boolean {
	if (signsAsEvm(coin)) {
		return isEvmAddress(address) && (address === address.toLowerCase() || isChecksummed(address));
	}
	if (!HASHED.has(coin.protocol) || coin.pubtype === null) return true;
	const hash = keyHashOf(address, coin);
	if (hash === null) return false;
	if (decodeCashAddress(address, 'bitcoincash') !== null) {
		return coin.protocol === 'BCH' || coin.addressFormat?.format === 'cashaddress';
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
	/** It cannot be checked: `field` is what is wrong. */
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

/** The address that made a signature of a coin; null when it cannot be read. */
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

/** Reads what was typed as a path; null when it is empty. */
export function readPath(
	text: string
): { ok: true; path: string | null } | { ok: false; words: string } {
	const trimmed = text.trim().replaceAll('’', "'");
	if (trimmed === '') return { ok: true, path: null };
	if (/^m(?:\/\d{1,10}'?){1,10}$/.test(trimmed)) return { ok: true, path: trimmed };
	return { ok: false, words: faults.path };
}

/** Account, side and number of an address, as they were typed. */
interface TypedParts {
	account_id: string;
	chain: string;
	address_id: string;
}

/** An address by its place in the wallet; the interface document takes a part that is left out for 0 and External. */
interface PathParts {
	account_id: number;
	chain: 'External' | 'Internal';
	address_id: number;
}

const INDEX = /^\d{1,9}$/;

/** Reads account, side and number; null when all of them are empty. */
export function readParts({
	account_id: account,
	chain,
	address_id: index
}: TypedParts):
	{ ok: true; parts: PathParts | null } | { ok: false; field: keyof TypedParts; words: string } {
	const empty = [account, chain, index].every((text) => text.trim() === '');
	if (empty) return { ok: true, parts: null };
	for (const [field, text] of [
		['account_id', account],
		['address_id', index]
	] as const) {
		if (text.trim() !== '' && !INDEX.test(text.trim())) {
			return { ok: false, field, words: faults.wholeFrom(0) };
		}
	}
	if (chain !== '' && chain !== 'External' && chain !== 'Internal') {
		return { ok: false, field: 'chain', words: faults.notOffered.one };
	}
	return {
		ok: true,
		parts: {
			account_id: Number(account || 0),
			chain: chain === 'Internal' ? 'Internal' : 'External',
			address_id: Number(index || 0)
		}
	};
}

/** The path of such an address; null where the coins file has none for the coin. */
export const pathOfParts = (
	{ derivationPath }: Coin,
	{ account_id: account, chain, address_id: index }: PathParts
): string | null =>
	derivationPath === null
		? null
		: `${derivationPath}/${account}'/${chain === 'External' ? 0 : 1}/${index}`;

/** The path in the coins file's own terms; null where the path is another coin's. */
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

/** Addresses of an account that are asked for at once, to find the one of a path among them. */
const LOOKED_AT = 100;

/** @param pages asks what is only to be known, and does not wait for it as long as for a signature */
export function createSigning(nodes: KdfPort, pages: KdfPort = nodes) {
	type Parts = NonNullable<ReturnType<typeof partsOf>>;

	/** An address of an EVM chain, listed or not: the node derives it. A token has the keys of its platform. */
	async function ofEvm(
		node: string,
		coin: Coin,
		{ account, chain, index }: Parts
	): Promise<string | null> {
		const { wallet_address: address } = await pages.call(node, 'get_my_address', {
			coin: coin.protocol === 'ERC20' ? (platformOf(coin) ?? coin.ticker) : coin.ticker,
			path_to_address: { account_id: account, chain, address_id: index }
		});
		return address;
	}

	/** Addresses are listed in their order: the one of the path is on one page, if it is listed at all. */
	async function listed(
		node: string,
		coin: Coin,
		parts: Parts,
		path: string | null
	): Promise<{ address: string | null; total: number; hasAccount: boolean }> {
		try {
			const { addresses, total } = await pages.call(node, 'account_balance', {
				coin: coin.ticker,
				account_index: parts.account,
				chain: parts.chain,
				limit: LOOKED_AT,
				paging_options: { PageNumber: Math.floor(parts.index / LOOKED_AT) + 1 }
			});
			const found = addresses.find(({ derivation_path: at }) => at === path);
			return { address: found?.address ?? null, total, hasAccount: true };
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
		const unknown = { coin: coin.ticker, address: null, path: shown, unlisted: null };
		if (parts === null || shown === null) return unknown;
		const { address: found, total, hasAccount } = await listed(node, coin, parts, shown);
		const address = found ?? (signsAsEvm(coin) ? await ofEvm(node, coin, parts) : null);
		if (address !== null) return { ...unknown, address };
		const { account, chain, index } = parts;
		const more = index - total + 1;
		// Behind what is listed, and not too far.
		if (more < 1 || more > MOST_LISTED) return unknown;
		return {
			...unknown,
			unlisted: { path: shown, account, chain, more, isNewAccount: !hasAccount }
		};
	}

	return {
		/** Which address would sign. `path` only for a node with a wallet of many addresses. */
		async signer(node: string, coin: Coin, path: string | null): Promise<SignerFound> {
			try {
				if (path === null) {
					const { address } = await pages.call(node, 'my_balance', { coin: coin.ticker });
					const facts = { coin: coin.ticker, address, path: null, unlisted: null };
					return { ok: true, signer: facts };
				}
			} catch (error) {
				if (!isAppError(error, 'activation.call-failed')) throw error;
				// A wallet of many addresses is not asked this way.
				if (!hasManyAddresses(error.params.failure)) {
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
				if (error.params.failure.kind !== 'refused') {
					return { ok: false, words: explainSigning(node, coin.ticker, error.params.failure) };
				}
				// The node says more about the path when it is asked to sign.
				const unknown = { coin: coin.ticker, address: null, path, unlisted: null };
				return { ok: true, signer: unknown };
			}
		},

		/**
		 * Has the node list the address that would sign, so that it is known before.
		 * @param giveBack takes back what was counted of calls that did not leave
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
		 * Has a message signed.
		 * @param expected the address that was shown before; null where the node did not tell it
		 * @param parts the same address by its parts, when it was given so
		 * @param giveBack takes back what was counted of the signature, where nothing went out
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
				if (isUnsent(failure)) await giveBack();
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
