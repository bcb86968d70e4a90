/** The outputs that a transaction spends, from the bytes of the transactions that made them. */
import { readableTransaction, txidOf, type Transaction } from '#lib/chain/transaction.ts';
import { someAtATime } from '../../../platform/async/someAtATime.ts';
import { AppError, isAppError } from '../../../platform/errors/appError.ts';
import { openersOf, tokenAt, type MeasuredInput } from './measure.ts';

/** Ten times as many as the largest transaction that this program's forms build. */
const MOST_PARENTS = 1_000;
const MOST_BYTES = 32 * 1024 * 1024;
const AT_A_TIME = 4;

/**
 * Reads the outputs that the inputs spend. The parents' bytes are parsed and hashed here, so a daemon cannot
 * claim a different value.
 * @param hexOf reads the hex of a transaction in a block or in the mempool
 * @throws {AppError} `limit`
 * @throws {AppError} `daemon` when the daemon does not respond
 */
export async function spentBy(
	tx: Transaction,
	hexOf: (txid: string) => Promise<unknown>
): Promise<MeasuredInput[]> {
	const txids = [...new Set(tx.vin.map(({ txid }) => txid))];
	if (txids.length > MOST_PARENTS) {
		throw new AppError('limit.too-many-parents', { count: txids.length, most: MOST_PARENTS });
	}
	const parents = new Map<string, Transaction>();
	let bytes = 0;
	await someAtATime(txids, AT_A_TIME, async (txid) => {
		let hex: unknown;
		try {
			hex = await hexOf(txid);
		} catch (error) {
			if (!isAppError(error, 'daemon') || error.params.rpcCode === undefined) throw error;
		}
		bytes += typeof hex === 'string' ? hex.length / 2 : 0;
		if (bytes > MOST_BYTES) {
			throw new AppError('limit.parents-too-large', { most: MOST_BYTES });
		}
		const parent = typeof hex === 'string' ? readableTransaction(hex.toLowerCase()) : null;
		if (parent === null || txidOf(parent) !== txid) {
			throw new AppError('limit.parent-unknown', { txid });
		}
		parents.set(txid, parent);
	});
	return tx.vin.map(({ txid, vout, scriptSig }) => {
		const parent = parents.get(txid);
		const output = parent?.vout[vout];
		if (parent === undefined || output === undefined) {
			throw new AppError('limit.output-missing', { txid, vout });
		}
		const token = tokenAt(txid, parent, vout);
		return { ...output, token, openers: openersOf(output, scriptSig) };
	});
}
