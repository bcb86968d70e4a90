import type { ConditionNode } from '#lib/chain/cryptocondition/node.ts';
import type { Transaction, TxOut } from '#lib/chain/transaction.ts';
import type { Wallet } from '../wallet/wallet.ts';
import type { DaemonContext } from './context.ts';
import { hexOf } from './hex.ts';

/** Fee of transactions built with crypto-conditions, in satoshi. */
export const BUILD_FEE = 10_000n;

/**
 * Returns the change output of such a transaction: only when the inputs exceed the outputs by two fees;
 * otherwise all that is left goes to the miner.
 */
export const changeOf = (wallet: Wallet, valueIn: bigint, valueOut: bigint): TxOut[] =>
	valueIn >= valueOut + 2n * BUILD_FEE
		? [{ value: valueIn - valueOut - BUILD_FEE, script: wallet.changeScript() }]
		: [];

/**
 * Signs a built transaction; empty when a key is missing or the wallet is locked, as in the daemon.
 * @param condition condition of the crypto-condition inputs, when it is not one of the usual ones
 */
export const finish = (
	{ wallet }: DaemonContext,
	tx: Transaction,
	condition?: ConditionNode
): string => {
	const { tx: signed, unsigned } = wallet.sign(tx, new Map(), condition);
	return unsigned.length > 0 ? '' : hexOf(signed);
};
