import { classify } from '#lib/chain/classified.ts';
import type { TokenEffect } from '#lib/chain/tokenEffect.ts';
import { serializeTransaction, txidOf } from '#lib/chain/transaction.ts';
import { isCoinbase, type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import { RPC_VERIFY_ERROR, RPC_VERIFY_REJECTED } from '#lib/rpc/errorCodes.ts';
import { Reject, type ChainParams, type Coin } from './api.ts';
import type { ImportLookup } from './cross-chain/importLookup.ts';
import { importFault } from './cross-chain/importRule.ts';
import { importedValue } from './cross-chain/importValue.ts';
import { checkFee, checkStandard, checkStandardInputs } from './policy.ts';
import { checkInput, FALSE_ON_STACK, scriptFailure } from './scriptCheck.ts';
import { checkStructure, checkUpgrade, isFinal } from './structure.ts';
import { tokenEffectOf, tokenSpendFault } from './tokens.ts';
import { isImport, valueOut } from './txKind.ts';
import type { OverlayView } from './view.ts';

/** Context in which a transaction is validated, and how strictly. */
interface Court {
	params: ChainParams;
	/** Height of the block that would include it. */
	height: number;
	/** Unix seconds with which lock times are compared. */
	time: number;
	view: OverlayView;
	/** The chain as the import rules need it. */
	lookup: ImportLookup;
	/** Interest in satoshi that a spent output adds, as of the tip's time; KMD only. */
	interestOf(txid: string, coin: Coin): bigint;
	/** Whether relay rules apply: on submission, not within blocks. */
	relay: boolean;
	/** Whether signatures are verified; false for transactions verified earlier. */
	signatures: boolean;
	allowHighFees: boolean;
}

/** Data about an accepted transaction. */
export interface Accepted {
	txid: string;
	size: number;
	fee: bigint;
	effect: TokenEffect | null;
	/** Imports only. */
	burnTxid: string | undefined;
	/** Parents that are in the view but not in the chain. */
	depends: string[];
}

const invalid = (reason: string): Reject => new Reject(RPC_VERIFY_REJECTED, `16: ${reason}`);

const checkImport = (tx: Transaction, { view, lookup }: Court): bigint => {
	const burnTxid = tx.vin[0]!.txid;
	// The daemon finds a tombstone wherever the burn's txid still has an unspent output, so an import sent to
	// the SOURCE chain gets this error too.
	if (view.importOf(burnTxid) !== undefined || view.hasUnspent(burnTxid)) {
		throw new Reject(RPC_VERIFY_REJECTED, '18: import tombstone exists');
	}
	const fault = importFault(tx, lookup);
	if (fault) throw new Reject(RPC_VERIFY_REJECTED, '0: invalid-coin-import', fault);
	return importedValue(tx);
};

const findCoins = (tx: Transaction, { view }: Court): Coin[] =>
	tx.vin.map((input) => {
		if (!view.hasUnspent(input.txid)) throw new Reject(RPC_VERIFY_ERROR, 'Missing inputs');
		const coin = view.coin(input.txid, input.vout);
		if (!coin) throw new Reject(RPC_VERIFY_REJECTED, '18: bad-txns-inputs-spent');
		return coin;
	});

const checkScripts = (tx: Transaction, coins: readonly TxOut[], court: Court): void => {
	const usesConditions = coins.some((coin) => classify(coin.script).type === 'cryptocondition');
	if (usesConditions && court.params.ccid === 0) throw scriptFailure(FALSE_ON_STACK, 'ac_cc is 0');
	if (court.signatures) coins.forEach((coin, index) => checkInput(tx, index, coin));
	if (!usesConditions) return;
	const fault = tokenSpendFault(tx, coins, court.view);
	if (fault) throw scriptFailure(FALSE_ON_STACK, fault);
};

/**
 * Validates a transaction in the daemon's order of checks, which decides which of several faults the client
 * is told.
 *
 * @throws Reject with the daemon's codes and messages
 */
export const accept = (tx: Transaction, court: Court): Accepted => {
	const { view, height } = court;
	const txid = txidOf(tx);
	const size = serializeTransaction(tx).length;
	checkStructure(tx, size);
	checkUpgrade(tx, size, height, height >= court.params.saplingHeight);
	if (isCoinbase(tx)) throw invalid('coinbase');
	if (court.relay) checkStandard(tx, court.params);
	if (!isFinal(tx, height, court.time)) throw new Reject(RPC_VERIFY_REJECTED, '64: non-final');
	const imported = isImport(tx);
	if (!imported && tx.vin.some((input) => view.spenderOf(input.txid, input.vout))) {
		throw invalid('mempool conflict');
	}
	const out = valueOut(tx);
	if (imported) {
		const fee = checkImport(tx, court) - out;
		if (fee < 0n) throw invalid('bad-txns-in-belowout');
		return {
			txid,
			size,
			fee,
			effect: tokenEffectOf(txid, tx, [], view),
			burnTxid: tx.vin[0]!.txid,
			depends: []
		};
	}
	const coins = findCoins(tx, court);
	if (court.relay) checkStandardInputs(tx, view);
	let valueIn = 0n;
	for (const [at, coin] of coins.entries()) {
		if (coin.coinbase && height - coin.height < court.params.maturity) {
			throw invalid('bad-txns-premature-spend-of-coinbase');
		}
		// Interest counts as part of the inputs (`CCoinsViewCache::GetValueIn`); what is not claimed becomes
		// fee.
		valueIn += coin.value + court.interestOf(tx.vin[at]!.txid, coin);
	}
	if (valueIn < out) throw invalid('bad-txns-in-belowout');
	const fee = valueIn - out;
	if (court.relay && !court.allowHighFees) checkFee(tx, txid, size, fee, out);
	checkScripts(tx, coins, court);
	const parents = new Set(tx.vin.map((input) => input.txid).filter((parent) => view.adds(parent)));
	return {
		txid,
		size,
		fee,
		effect: tokenEffectOf(txid, tx, coins, view),
		burnTxid: undefined,
		depends: [...parents]
	};
};
