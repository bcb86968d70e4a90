/** Looks up where a transaction is on one chain. */
import { readableTransaction, txidOf } from '#lib/chain/transaction.ts';
import { hasAllBlocks } from './allBlocks.ts';
import { daemonError, type DaemonError } from './daemonError.ts';
import { isNotFound } from './notFound.ts';
import { syncing } from './syncing.ts';
import type { DaemonClient } from './types.ts';
import { isUnserved } from './unserved.ts';

export type Whereabouts =
	| { where: 'absent' }
	| { where: 'mempool'; hex: string }
	| { where: 'mined'; hex: string; height: number; blockhash: string };

/**
 * Looks in the wallet for a transaction that the daemon does not find. Without a transaction index the daemon does
 * not find a transaction whose outputs are all spent (Komodo daemon 0.9.0: `GetTransaction`), but the wallet still
 * knows its own.
 * @throws {AppError} `daemon`
 */
async function findInWallet(client: DaemonClient, txid: string): Promise<Whereabouts> {
	let kept;
	try {
		kept = await client.call('gettransaction', txid);
	} catch (error) {
		// A daemon without a wallet does not serve the method.
		if (isNotFound(error) || isUnserved(error)) return { where: 'absent' };
		throw error;
	}
	// A pending transaction would have been found in the mempool; one that only the wallet still knows counts as
	// absent.
	if (!('blockhash' in kept) || kept.rawconfirmations < 1) return { where: 'absent' };
	const { blockhash, hex } = kept;
	if (idOf(hex) !== txid.toLowerCase()) throw otherThanAsked(client, txid);
	const header = await client.call('getblockheader', blockhash);
	// A reorganization may have removed its block meanwhile.
	if (typeof header === 'string' || header.rawconfirmations < 1) return { where: 'absent' };
	return { where: 'mined', hex, height: header.height, blockhash };
}

/**
 * Finds a transaction on one chain.
 * @throws {AppError} `daemon` when the daemon does not answer, or answers with another transaction
 */
export async function findTransaction(client: DaemonClient, txid: string): Promise<Whereabouts> {
	let found;
	try {
		found = await client.call('getrawtransaction', txid, 1);
	} catch (error) {
		if (isNotFound(error)) return findInWallet(client, txid);
		throw error;
	}
	const wanted = txid.toLowerCase();
	const hex = typeof found === 'string' ? found : found.hex;
	const isNamed = typeof found === 'string' || found.txid === wanted;
	if (!isNamed || idOf(hex) !== wanted) throw otherThanAsked(client, txid);
	if (typeof found === 'string') return { where: 'mempool', hex: found };
	if ('blockhash' in found && found.height >= 0) {
		return { where: 'mined', hex: found.hex, height: found.height, blockhash: found.blockhash };
	}
	// The daemon looks into its mempool first, so this one is only in a block that a reorganization removed.
	if ('blockhash' in found) return { where: 'absent' };
	return { where: 'mempool', hex: found.hex };
}

/**
 * Finds a transaction that was never seen before. It may be in a block that the daemon has not read yet, so
 * `absent` is only returned by a daemon that has all blocks.
 * @param mayBeOld see {@link hasAllBlocks}
 * @throws {AppError} `daemon`, also when the transaction is absent and the daemon lacks blocks
 */
export async function findAnywhere(
	client: DaemonClient,
	txid: string,
	{ mayBeOld }: { mayBeOld: boolean }
): Promise<Whereabouts> {
	const found = await findTransaction(client, txid);
	if (found.where !== 'absent') return found;
	const info = await client.call('getinfo');
	if (await hasAllBlocks(client.call, info, mayBeOld)) return found;
	throw syncing(client, 'getrawtransaction', info.blocks, info.longestchain);
}

/**
 * Finds a transaction that was seen in a block at `height`, by reading that block when the daemon does not find it:
 * without a transaction index a daemon only finds transactions with unspent outputs and those of its wallet.
 * @throws {AppError} `daemon`
 */
export async function findConfirmedAt(
	client: DaemonClient,
	{ txid, hex, height }: { txid: string; hex: string; height: number | null }
): Promise<Whereabouts> {
	const found = await findTransaction(client, txid);
	if (found.where !== 'absent' || height === null) return found;
	const { blocks } = await client.call('getinfo');
	if (blocks < height) return found;
	const blockhash = await client.call('getblockhash', height);
	const block = await client.call('getblock', blockhash, 1);
	// A reorganization may have removed the block meanwhile.
	if (typeof block === 'string' || block.rawconfirmations < 1) return found;
	const isThere = block.tx.some((one) => one === txid);
	return isThere ? { where: 'mined', hex, height, blockhash } : found;
}

const idOf = (hex: string): string | null => {
	const tx = readableTransaction(hex);
	return tx && txidOf(tx);
};

/** The answer is about another transaction, as a faulty proxy or daemon may return it. */
const otherThanAsked = (client: DaemonClient, txid: string): DaemonError =>
	daemonError(
		'daemon.validation-mismatch',
		{ daemon: client.daemon, method: 'getrawtransaction' },
		{ delivery: 'delivered', fault: { kind: 'transaction', txid } }
	);
