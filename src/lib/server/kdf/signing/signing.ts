/**
 * Signing of messages. The address that signs is determined first; the node's signature is verified here and
 * shown only if it is by that address.
 */
import type { Failure } from '#lib/messages/errors/activation.ts';
import type { KdfParams } from '#lib/rpc/kdf/index.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import { listAddress, MOST_LISTED, type Uncounted, type Unlisted } from './addressListing.ts';
import type { Coin } from '../coins/parse.ts';
import type { KdfPort } from '../calls/kdfPort.ts';
import { orGiveBack } from '../calls/orGiveBack.ts';
import { platformOf } from '../forms/evmForm.ts';
import { hasManyAddresses } from '../calls/coinFailure.ts';
import { isUnserved } from '../calls/failure.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { signsAsEvm } from '../coins/keyAddresses.ts';
import { partsOf, type PathParts } from './signingPath.ts';
import { signerOf, verify } from './verifySignature.ts';

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

/**
 * Why there is no signature to show, or no address.
 * - `unsigned`, `unlisted`: the call failed
 * - `unreadable-signature`: what the node returned is no signature of the message
 * - `other-signer`: it is by another address than the one that was shown
 */
export type SigningProblem =
	| { code: 'unsigned' | 'unlisted'; failure: Failure }
	| { code: 'unreadable-signature' }
	| { code: 'other-signer'; signer: string; expected: string };

type Problem = { ok: false; problem: SigningProblem };
type SignerFound = { ok: true; signer: Signer } | Problem;
type Signed = { ok: true; signature: string; address: string; path: string | null } | Problem;

const unsigned = (failure: Failure): Problem => ({
	ok: false,
	problem: { code: 'unsigned', failure }
});

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
					return unsigned(refusal);
				}
			}
			try {
				return { ok: true, signer: await manyAddresses(node, coin, path) };
			} catch (error) {
				if (!isAppError(error, 'activation.call-failed')) throw error;
				const { failure } = error.params;
				if (failure.kind !== 'refused' && !isLate(failure)) {
					return unsigned(failure);
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
		): Promise<{ ok: true } | Problem> {
			try {
				await listAddress(nodes, node, coin.ticker, unlisted, giveBack);
				return { ok: true };
			} catch (error) {
				if (!isAppError(error, 'activation.call-failed')) throw error;
				return { ok: false, problem: { code: 'unlisted', failure: error.params.failure } };
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
				const asked = { coin: coin.ticker, message, ...address };
				const signing = nodes.call(node, 'sign_message', asked);
				({ signature } = await orGiveBack(signing, giveBack));
			} catch (error) {
				if (!isAppError(error, 'activation.call-failed')) throw error;
				return unsigned(error.params.failure);
			}
			const signer = signerOf(coin, message, signature);
			if (signer === null) return { ok: false, problem: { code: 'unreadable-signature' } };
			if (expected !== null && verify(coin, expected, message, signature).kind !== 'valid') {
				return { ok: false, problem: { code: 'other-signer', signer, expected } };
			}
			return { ok: true, signature, address: expected ?? signer, path };
		}
	};
}

export type Signing = ReturnType<typeof createSigning>;
