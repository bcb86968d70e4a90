/** The outputs that a transaction spends, from the bytes of the transactions that made them. */
import { readableTransaction, txidOf, type Transaction } from '#lib/chain/transaction.ts';
import { UpstreamError } from '../../../chains/daemon/types.ts';
import { someAtATime } from '../../../platform/async/someAtATime.ts';
import { tokenAt, type SpentOutput } from './measure.ts';

/** The largest transaction that the forms of this program make has a tenth of them. */
const MOST_PARENTS = 1_000;
const MOST_BYTES = 32 * 1024 * 1024;
const AT_A_TIME = 4;

/** Why what a transaction spends cannot be told, as a sentence. */
export class UnknownParent extends Error {
	override readonly name = 'UnknownParent';
	readonly code = 'unknown-parent';
}

/**
 * Reads what each input spends. The bytes are read here and hashed: no daemon can name another value.
 * @param hexOf the hex of a transaction in a block or in the mempool
 * @throws {UnknownParent}
 * @throws {UpstreamError} when the daemon does not answer
 */
export async function spentBy(
	tx: Transaction,
	hexOf: (txid: string) => Promise<unknown>
): Promise<SpentOutput[]> {
	const txids = [...new Set(tx.vin.map(({ txid }) => txid))];
	if (txids.length > MOST_PARENTS) {
		throw new UnknownParent(
			`It spends outputs of ${txids.length} transactions, and at most ${MOST_PARENTS} are read.`
		);
	}
	const parents = new Map<string, Transaction>();
	let bytes = 0;
	await someAtATime(txids, AT_A_TIME, async (txid) => {
		let hex: unknown;
		try {
			hex = await hexOf(txid);
		} catch (error) {
			if (!(error instanceof UpstreamError) || error.rpcCode === undefined) throw error;
		}
		bytes += typeof hex === 'string' ? hex.length / 2 : 0;
		if (bytes > MOST_BYTES) {
			throw new UnknownParent(`What it spends takes more than ${MOST_BYTES} bytes to read.`);
		}
		const parent = typeof hex === 'string' ? readableTransaction(hex.toLowerCase()) : null;
		if (parent === null || txidOf(parent) !== txid) {
			throw new UnknownParent(
				`It spends an output of ${txid}, which the daemon does not know: that has to be sent before.`
			);
		}
		parents.set(txid, parent);
	});
	return tx.vin.map(({ txid, vout }) => {
		const parent = parents.get(txid);
		const output = parent?.vout[vout];
		if (parent === undefined || output === undefined) {
			throw new UnknownParent(`It spends the output ${txid}:${vout}, which does not exist.`);
		}
		return { ...output, token: tokenAt(txid, parent, vout) };
	});
}
