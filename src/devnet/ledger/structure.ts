import { NO_HASH } from '#lib/chain/bytes.ts';
import { LOCKTIME_THRESHOLD } from './lockTime.ts';
import {
	OVERWINTER_GROUP_ID,
	SAPLING_GROUP_ID,
	type Transaction,
	isCoinbase
} from '#lib/chain/transaction.ts';
import { RPC_VERIFY_REJECTED } from '#lib/rpc/errorCodes.ts';
import { Reject } from './api.ts';
import { isImport } from './txKind.ts';

/** Komodo's limit of any amount, in satoshi. */
const MAX_MONEY = 200_000_000n * 100_000_000n;
const MAX_OUTPUT_SCRIPT = 10_001;
const MAX_SIZE_BEFORE_SAPLING = 100_000;
const MAX_SIZE = 200_000;
const EXPIRY_THRESHOLD = 500_000_000;

const invalid = (reason: string): Reject => new Reject(RPC_VERIFY_REJECTED, `16: ${reason}`);

/** Checks the rules that concern the transaction alone. `size` in bytes. Throws Reject. */
export const checkStructure = (tx: Transaction, size: number): void => {
	if (tx.overwintered) {
		if (tx.version < 3) throw invalid('bad-tx-overwinter-version-too-low');
		if (tx.versionGroupId !== OVERWINTER_GROUP_ID && tx.versionGroupId !== SAPLING_GROUP_ID) {
			throw invalid('bad-tx-version-group-id');
		}
		if (tx.expiryHeight >= EXPIRY_THRESHOLD) throw invalid('bad-tx-expiry-height-too-high');
	} else if (tx.version < 1) throw invalid('bad-txns-version-too-low');
	if (tx.vin.length === 0) throw invalid('bad-txns-vin-empty');
	if (tx.vout.length === 0) throw invalid('bad-txns-vout-empty');
	if (size > MAX_SIZE) throw invalid('bad-txns-oversize');
	const { spends, outputs, joinSplits } = tx.shielded;
	// There is no shielded pool here, so no shielded proof can be valid.
	if (joinSplits.length > 0) throw invalid('bad-txns-joinsplit-verification-failed');
	if (spends.length + outputs.length > 0) {
		throw invalid('bad-txns-sapling-binding-signature-invalid');
	}
	if (tx.valueBalance !== 0n) throw invalid('bad-txns-valuebalance-nonzero');
	let total = 0n;
	for (const out of tx.vout) {
		if (out.value < 0n) throw invalid('bad-txns-vout-negative');
		if (out.value > MAX_MONEY) throw invalid('bad-txns-vout-toolarge');
		if (out.script.length > MAX_OUTPUT_SCRIPT) throw invalid('bad-txns-opret-too-big');
		total += out.value;
		if (total > MAX_MONEY) throw invalid('bad-txns-txouttotal-toolarge');
	}
	const seen = new Set<string>();
	for (const input of tx.vin) {
		const key = `${input.txid}:${input.vout}`;
		if (seen.has(key)) throw invalid('bad-txns-inputs-duplicate');
		seen.add(key);
	}
	if (isCoinbase(tx) || isImport(tx)) {
		const length = tx.vin[0]!.scriptSig.length;
		if (length < 2 || length > 100) throw invalid('bad-cb-length');
	} else if (tx.vin.some((input) => input.txid === NO_HASH)) {
		throw invalid('bad-txns-prevout-null');
	}
};

/**
 * Checks the rules that depend on the height of the including block: the transaction's version must match the
 * network upgrade, and it must not be expired. Throws Reject.
 */
export const checkUpgrade = (
	tx: Transaction,
	size: number,
	height: number,
	saplingActive: boolean
): void => {
	if (!saplingActive) {
		if (tx.overwintered) throw invalid('tx-overwinter-not-active');
		if (size > MAX_SIZE_BEFORE_SAPLING) throw invalid('bad-txns-oversize');
		return;
	}
	if (!tx.overwintered) {
		throw invalid(tx.version >= 3 ? 'tx-overwintered-flag-not-set' : 'tx-overwinter-active');
	}
	if (tx.versionGroupId !== SAPLING_GROUP_ID) throw invalid('bad-sapling-tx-version-group-id');
	if (tx.version < 4) throw invalid('bad-tx-sapling-version-too-low');
	if (tx.version > 4) throw invalid('bad-tx-sapling-version-too-high');
	if (tx.expiryHeight !== 0 && height > tx.expiryHeight && !isCoinbase(tx)) {
		throw invalid('tx-overwinter-expired');
	}
};

/** False when the lock time is in the future, unless all inputs are final. */
export const isFinal = (tx: Transaction, height: number, time: number): boolean => {
	if (tx.locktime === 0) return true;
	if (tx.locktime < (tx.locktime < LOCKTIME_THRESHOLD ? height : time)) return true;
	return tx.vin.every((input) => input.sequence === 0xffffffff);
};
