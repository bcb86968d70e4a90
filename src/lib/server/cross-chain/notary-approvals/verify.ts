/**
 * Verifies whether a transaction on the destination chain is an approval that counts, by the chain's own rules
 * (Komodo daemon 0.9.0): its last output proves the burn, input 0 spends an output of a notary, and each notary
 * counts once. Stricter than the daemon in one point: the proof's hashes must lead to the root of its header.
 */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { parseApproval } from '#lib/chain/approval.ts';
import { classify } from '#lib/chain/script.ts';
import { readableTransaction, txidOf, type Transaction } from '#lib/chain/transaction.ts';
import { hasAllBlocks } from '../../chains/daemon/allBlocks.ts';
import { findTransaction, type Whereabouts } from '../../chains/daemon/findTransaction.ts';
import type { DaemonClient } from '../../chains/daemon/types.ts';

export type NotApproval =
	/** The chain does not know the transaction. */
	| 'absent'
	/** It contains no proof of a transaction, or an unreadable one. */
	| 'no-approval'
	/** Its proof does not contain this burn. */
	| 'other-burn'
	/** Its hashes do not lead to the Merkle root of the block. */
	| 'unsound'
	/** Its first input is not signed by a notary of that time. */
	| 'no-notary';

export type Verdict =
	| { holds: false; why: NotApproval }
	/**
	 * Undecided: the daemon has not read its whole chain, or has no transaction index and cannot find what the
	 * first input spends.
	 */
	| { holds: null }
	| {
			holds: true;
			/** Compressed key, hex. */
			notary: string;
			mined: { height: number; blockhash: string } | null;
	  };

/** Keys of the notaries at a moment of the destination chain, by address. */
type NotaryKeys = ReadonlyMap<string, string>;

const no = (why: NotApproval): Verdict => ({ holds: false, why });

/** Asks the destination for the notaries at a block, or at present. @throws {AppError} `daemon` */
export async function notariesAt(
	client: DaemonClient,
	mined: { height: number; blockhash: string } | null
): Promise<NotaryKeys> {
	// The season of a chain depends on the time of the block, so the time is passed too.
	const header = mined === null ? null : await client.call('getblockheader', mined.blockhash);
	const { notaries } =
		mined === null || header === null || typeof header === 'string'
			? await client.call('notaries', '-1')
			: await client.call('notaries', String(mined.height), String(header.time));
	return new Map(notaries.map(({ pubkey }) => [addressOfPubkey(pubkey), pubkey]));
}

/** Returns whether the daemon has read its whole chain. @throws {AppError} `daemon` */
const isWhole = async (client: DaemonClient): Promise<boolean> =>
	hasAllBlocks(client.call, await client.call('getinfo'), false);

/** Parses a transaction; null when the answer is not the transaction with this txid. */
function readTransaction(hex: string, txid: string): Transaction | null {
	const tx = readableTransaction(hex);
	return tx !== null && txidOf(tx) === txid ? tx : null;
}

/**
 * Returns the address whose key signed input 0, as the chain has verified; null when it does not spend an ordinary
 * output, undefined when the daemon does not find the output.
 */
async function signerOf(client: DaemonClient, tx: Transaction): Promise<string | null | undefined> {
	const first = tx.vin[0];
	if (!first) return null;
	const parent = await findTransaction(client, first.txid);
	if (parent.where === 'absent') return undefined;
	const spent = readTransaction(parent.hex, first.txid)?.vout[first.vout];
	if (!spent) return null;
	const { type, address } = classify(spent.script);
	return type === 'pubkey' || type === 'pubkeyhash' ? (address ?? null) : null;
}

/**
 * Verifies an approval on the destination chain.
 * @param known position and notary's key, when already known
 * @throws {AppError} `daemon` when the chain cannot be asked: then nothing is known
 */
export async function verifyApproval(
	client: DaemonClient,
	burnTxid: string,
	txid: string,
	known: { found?: Whereabouts; notary?: string | null } = {}
): Promise<Verdict> {
	const at = known.found ?? (await findTransaction(client, txid));
	if (at.where === 'absent') {
		// An approval seen before is gone with its block; another may be in a block that the daemon lacks.
		return known.notary || (await isWhole(client)) ? no('absent') : { holds: null };
	}
	const tx = readTransaction(at.hex, txid);
	const approval = tx && parseApproval(tx);
	if (!tx || !approval) return no('no-approval');
	if (!approval.txids.includes(burnTxid)) return no('other-burn');
	if (!approval.sound) return no('unsound');
	const mined = at.where === 'mined' ? { height: at.height, blockhash: at.blockhash } : null;
	// A txid identifies the bytes, so the signer is the same in any block.
	const signer = known.notary ? addressOfPubkey(known.notary) : await signerOf(client, tx);
	if (signer === undefined) return { holds: null };
	const notary = signer === null ? undefined : (await notariesAt(client, mined)).get(signer);
	return notary === undefined ? no('no-notary') : { holds: true, notary, mined };
}
