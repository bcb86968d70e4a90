import { parseBurn, type Burn } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { nulldataOf } from '#lib/chain/script.ts';
import { txidOf, type Transaction } from '#lib/chain/transaction.ts';
import { looseTxid } from './ctext.ts';
import { RpcError } from './error.ts';
import { burnedTokenUnits } from '../ledger/cross-chain/importValue.ts';
import { nftDataOf, tokenPayloadOf } from '#lib/chain/tokenEffect.ts';
import { RPC_MISC_ERROR } from '#lib/rpc/errorCodes.ts';
import type { DaemonContext, Handler } from './context.ts';
import { txOutProof } from './txOutProof.ts';

const refuse = (message: string): RpcError => new RpcError(RPC_MISC_ERROR, message);

/** Returns the tokenid of the burned token; undefined for coins. Throws when it cannot be migrated. */
const checkToken = (context: DaemonContext, tx: Transaction, burn: Burn): string | undefined => {
	const payload = tokenPayloadOf(tx);
	if (!burn.tokenCreationTx) {
		if (payload?.kind === 'transfer') throw refuse('Cannot unmarshal rawproof for tokens');
		return undefined;
	}
	if (payload?.kind !== 'transfer') throw refuse('Cannot decode token opret in burn tx');
	if (txidOf(burn.tokenCreationTx) !== payload.tokenid) {
		throw refuse('Incorrect tokenbase in burn tx');
	}
	const base = context.ledger.transaction(payload.tokenid);
	if (!base) throw refuse('Could not load tokenbase tx');
	if (!nftDataOf(base)) throw refuse('Could not migrate fungible tokens');
	const burned = burnedTokenUnits(tx, burn);
	if (burned === 0n) throw refuse('Incorrect token burn tx: cc inputs <> cc outputs');
	return payload.tokenid;
};

/**
 * Checks a burn on its own chain, in the daemon's order and with its messages. Returns the burn and the token
 * it destroys.
 */
export const checkBurnSource = (
	context: DaemonContext,
	tx: Transaction
): { burn: Burn; tokenid: string | undefined } => {
	const { ledger } = context;
	if (nulldataOf(tx.vout.at(-1)!.script) === null) throw refuse('No opreturn in burn tx');
	const burn = parseBurn(tx);
	if (!burn) throw refuse('Cannot unmarshal burn tx data');
	const tokenid = checkToken(context, tx, burn);
	if (burn.sourceSymbol !== ledger.symbol) throw refuse('Incorrect source chain in rawproof');
	if (burn.targetCcid !== ledger.params.ccid) throw refuse('Incorrect CCid in burn tx');
	if (burn.targetSymbol === ledger.symbol) {
		throw refuse('Must not be called on the destination chain');
	}
	return { burn, tokenid };
};

const migrate_checkburntransactionsource: Handler = (context, params) => {
	params.between(1, 1);
	const { ledger } = context;
	if (ledger.isMain) throw refuse('Must be called on asset chain');
	const txid = looseTxid(params.string(0));
	const tx = ledger.transaction(txid);
	if (!tx) throw refuse('Cannot find burn transaction');
	if (ledger.mempool.has(txid)) throw refuse('Burn tx still in mempool');
	const { burn, tokenid } = checkBurnSource(context, tx);
	return {
		SourceSymbol: ledger.symbol,
		TargetSymbol: burn.targetSymbol,
		TargetCCid: String(burn.targetCcid),
		...(tokenid === undefined ? {} : { tokenid }),
		TxOutProof: bytesToHex(txOutProof(ledger, [txid])),
		result: 'success'
	};
};

export const burnCheckHandlers = { migrate_checkburntransactionsource };
