import { readableTransaction, type Transaction } from '#lib/chain/transaction.ts';
import type { DaemonClient } from './types.ts';

/**
 * Returns the transactions whose outputs `tx` spends, each once, without those that cannot be parsed.
 * @throws {AppError} `daemon`, also when one of them is unknown
 */
export async function parentsOf(
	client: DaemonClient,
	tx: Transaction
): Promise<Map<string, Transaction>> {
	const parents = new Map<string, Transaction>();
	for (const { txid } of tx.vin) {
		if (parents.has(txid)) continue;
		const hex = await client.call('getrawtransaction', txid);
		const parent = typeof hex === 'string' ? readableTransaction(hex) : null;
		if (parent) parents.set(txid, parent);
	}
	return parents;
}
