import type { ConditionNode } from '#lib/chain/cryptocondition.ts';
import type { Transaction, TxOut } from '#lib/chain/transaction.ts';
import type { Wallet } from '../wallet/wallet.ts';
import type { DaemonContext } from './context.ts';
import { hexOf } from './hex.ts';

/** Fee of the crypto-condition builders, satoshi. */
export const BUILD_FEE = 10_000n;

/**
 * The change output of the crypto-condition builders: only when the inputs exceed the outputs by two
 * fees; otherwise everything left over goes to the miner.
 */
export const changeOf = (wallet: Wallet, valueIn: bigint, valueOut: bigint): TxOut[] =>
	valueIn >= valueOut + 2n * BUILD_FEE
		? [{ value: valueIn - valueOut - BUILD_FEE, script: wallet.changeScript() }]
		: [];

/**
 * Signs a built transaction. Empty when a key is missing or the wallet is locked, as in the daemon.
 * `condition` is what the crypto-condition inputs hold, where it is not one of the usual ones.
 */
export const finish = (
	{ wallet }: DaemonContext,
	tx: Transaction,
	condition?: ConditionNode
): string => {
	const { tx: signed, unsigned } = wallet.sign(tx, new Map(), condition);
	return unsigned.length > 0 ? '' : hexOf(signed);
};
