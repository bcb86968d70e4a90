/** The transactions of a wallet, with their effect on it. */
import {
	isCoinbase,
	serializeTransaction,
	txidOf,
	type Transaction
} from '#lib/chain/transaction.ts';
import { RPC_INVALID_ADDRESS_OR_KEY, RPC_INVALID_PARAMETER } from '#lib/rpc/errorCodes.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { coins, int } from './coins.ts';
import { RpcError } from './error.ts';
import { isImport } from '../ledger/txKind.ts';
import type { DaemonContext, Handler } from './context.ts';
import { hexOf } from './hex.ts';
import { addressOfScript } from './render.ts';

type JsonObject = { [key: string]: JsonValue };

/** Returns the effect of a transaction on the wallet in satoshi. */
const effectOf = (
	{ ledger, wallet }: DaemonContext,
	tx: Transaction
): { debit: bigint; credit: bigint; fee: bigint | null } => {
	let debit = 0n;
	for (const input of tx.vin) {
		const spent =
			isCoinbase(tx) || isImport(tx)
				? undefined
				: (ledger.output(input.txid, input.vout) ??
					ledger.outlived(input.txid)?.tx.vout[input.vout]);
		if (spent && wallet.owns(spent)) debit += spent.value;
	}
	const credit = tx.vout
		.filter((out) => wallet.owns(out))
		.reduce((sum, out) => sum + out.value, 0n);
	// Inputs of others and of crypto-conditions reduce the fee, even below zero (Komodo daemon 0.9.0:
	// `GetAmounts`).
	const fee = debit > 0n ? debit - tx.vout.reduce((sum, out) => sum + out.value, 0n) : null;
	return { debit, credit, fee };
};

const detailsOf = (context: DaemonContext, tx: Transaction): JsonObject[] => {
	const { wallet } = context;
	const { debit, fee } = effectOf(context, tx);
	const size = int(serializeTransaction(tx).length);
	const mined = context.ledger.mined(txidOf(tx));
	const { maturity } = context.ledger.params;
	const missing = mined ? maturity - context.ledger.rawConfirmations(mined.height) : 0;
	const generated = !mined ? 'orphan' : missing > 0 ? 'immature' : 'generate';
	const line = (vout: number, category: string, amount: bigint, withFee: boolean): JsonObject => {
		const address = addressOfScript(tx.vout[vout]!.script);
		return {
			account: '',
			...(address === undefined ? {} : { address }),
			category,
			...(category === 'immature' ? { blockstomaturity: int(missing) } : {}),
			amount: coins(amount),
			vout: int(vout),
			...(withFee && fee !== null ? { fee: coins(-fee) } : {}),
			size
		};
	};
	const sent = debit > 0n ? tx.vout.map((out, vout) => line(vout, 'send', -out.value, true)) : [];
	const category = isCoinbase(tx) ? generated : 'receive';
	const received = tx.vout.flatMap((out, vout) =>
		wallet.owns(out) ? [line(vout, category, out.value, false)] : []
	);
	return [...sent, ...received];
};

const placeOf = ({ ledger, clock }: DaemonContext, tx: Transaction): JsonObject => {
	const txid = txidOf(tx);
	const mined = ledger.mined(txid);
	const block = mined && ledger.blockAt(mined.height);
	const gone = ledger.blockByHash(ledger.outlived(txid)?.blockHash ?? '');
	const waiting = ledger.mempool.get(txid);
	const seen = waiting?.time ?? (block ?? gone)?.header.time ?? clock();
	/** Confirmations of an unconfirmed transaction: -1 when it is not in the mempool either. */
	const nowhere = waiting ? 0 : -1;
	return {
		rawconfirmations: int(mined ? ledger.rawConfirmations(mined.height) : nowhere),
		...(isCoinbase(tx) ? { generated: true } : {}),
		confirmations: int(mined ? ledger.confirmations(mined.height) : nowhere),
		...(mined && block
			? {
					blockhash: block.hash,
					blockindex: int(mined.position),
					blocktime: int(block.header.time),
					expiryheight: int(tx.expiryHeight)
				}
			: {}),
		txid,
		walletconflicts: [],
		time: int(seen),
		timereceived: int(seen),
		vjoinsplit: []
	};
};

const gettransaction: Handler = (context, params) => {
	params.between(1, 2);
	const txid = params.string(0).toLowerCase();
	const tx = context.ledger.transaction(txid) ?? context.ledger.outlived(txid)?.tx;
	if (!tx || !context.wallet.touches(tx)) {
		throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Invalid or non-wallet transaction id');
	}
	const { debit, credit, fee } = effectOf(context, tx);
	const net = credit - debit + (fee ?? 0n);
	return {
		amount: coins(net),
		...(fee === null ? {} : { fee: coins(-fee) }),
		...placeOf(context, tx),
		details: detailsOf(context, tx),
		hex: hexOf(tx)
	};
};

const listtransactions: Handler = (context, params) => {
	params.between(0, 4);
	if (params.has(0)) params.string(0);
	const count = params.has(1) ? params.integer(1) : 10;
	const from = params.has(2) ? params.integer(2) : 0;
	if (count < 0) throw new RpcError(RPC_INVALID_PARAMETER, 'Negative count');
	if (from < 0) throw new RpcError(RPC_INVALID_PARAMETER, 'Negative from');
	const lines = context.wallet.transactions().flatMap(({ tx }) => {
		const place = placeOf(context, tx);
		// The daemon reverses the whole list, including the lines of one transaction.
		return detailsOf(context, tx)
			.reverse()
			.map(({ size, ...rest }) => ({ ...rest, ...place, size: size! }));
	});
	const end = lines.length - from;
	return lines.slice(Math.max(0, end - count), Math.max(0, end));
};

export const walletTransactionHandlers = { gettransaction, listtransactions };
