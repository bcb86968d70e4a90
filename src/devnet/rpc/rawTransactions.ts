import { type Transaction } from '#lib/chain/transaction.ts';
import { RPC_INVALID_ADDRESS_OR_KEY } from '#lib/rpc/errorCodes.ts';
import { RpcError } from './error.ts';
import { expectKind } from './params.ts';
import { Reject, type LedgerApi } from '../ledger/api.ts';
import type { DaemonContext, Handler } from './context.ts';
import { createrawtransaction } from './createRawTransaction.ts';
import { hexOf, leadingTransaction, strictId } from './hex.ts';
import { decodedTransaction, verboseTransaction } from './render.ts';
import { signrawtransaction } from './signRawTransaction.ts';

/** Submits a transaction like `sendrawtransaction`; errors have the daemon's codes. */
export const send = (ledger: LedgerApi, tx: Transaction, allowHighFees = false): string => {
	try {
		return ledger.submit(tx, { allowHighFees });
	} catch (cause) {
		if (!(cause instanceof Reject)) throw cause;
		throw new RpcError(cause.code, cause.message);
	}
};

const sendrawtransaction: Handler = ({ ledger }, params) => {
	params.between(1, 2);
	expectKind(params.at(0), 'string');
	if (params.has(1)) expectKind(params.at(1), 'bool');
	return send(ledger, leadingTransaction(params.string(0)), params.at(1) === true);
};

const decoderawtransaction: Handler = ({ ledger }, params) => {
	params.between(1, 1);
	expectKind(params.at(0), 'string');
	return decodedTransaction(leadingTransaction(params.string(0)), ledger.params.ccid);
};

/** Without the transaction index a confirmed transaction is found only while it has unspent outputs. */
const isFound = ({ ledger, txIndex }: DaemonContext, txid: string): boolean =>
	txIndex ||
	ledger.mempool.has(txid) ||
	(ledger.mined(txid)?.tx.vout.some((_, n) => ledger.coin(txid, n) !== undefined) ?? false);

const getrawtransaction: Handler = (context, params) => {
	const { ledger, spentIndex } = context;
	params.between(1, 2);
	const txid = strictId(params.string(0), 'parameter 1');
	const verbose = params.has(1) && params.integer(1) !== 0;
	const known = ledger.transaction(txid) ?? ledger.outlived(txid)?.tx;
	const tx = isFound(context, txid) ? known : undefined;
	if (!tx)
		throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'No information available about transaction');
	return verbose ? verboseTransaction(ledger, tx, spentIndex) : hexOf(tx);
};

export const rawTransactionHandlers = {
	sendrawtransaction,
	decoderawtransaction,
	getrawtransaction,
	createrawtransaction,
	signrawtransaction
};
