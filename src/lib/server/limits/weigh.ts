/** What a transaction takes, read from its bytes: the same for a page, a migration and a script. */
import { parseBurn } from '#lib/chain/burn.ts';
import { bytesEqual, ChainParseError } from '#lib/chain/bytes.ts';
import { classify } from '#lib/chain/classified.ts';
import { BURN_PUBKEY } from '#lib/chain/cryptocondition.ts';
import { looksLikeImport } from '#lib/chain/importProof.ts';
import type { TokenPayload } from '#lib/chain/token.ts';
import { tokenPayloadOf } from '#lib/chain/tokenEffect.ts';
import {
	isShielded,
	parseTransaction,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import type { LimitKind, Use } from './kinds.ts';

/** The transaction of a hex text; null when it is none that can be read. */
export function readHex(hex: string): Transaction | null {
	try {
		return parseTransaction(hex.toLowerCase());
	} catch (error) {
		if (error instanceof ChainParseError) return null;
		throw error;
	}
}

function kindOf(payload: TokenPayload): LimitKind {
	if (payload.kind === 'create') return 'token-create';
	return payload.destPubkeys.some((key) => bytesEqual(key, BURN_PUBKEY))
		? 'token-burn'
		: 'token-transfer';
}

const sum = (outputs: readonly TxOut[]): bigint =>
	outputs.reduce((total, { value }) => total + value, 0n);

const isCondition = ({ script }: TxOut): boolean => classify(script).type === 'cryptocondition';

/**
 * What a transaction takes from the wallet. Whatever it calls itself, coins that leave in ordinary outputs
 * count as sent, so that a transfer's payload hides no payment.
 *
 * An import takes nothing: what it creates was counted when it was burned. (Its one input is no output of
 * any transaction: index 10^9.)
 * @param isOwn whether an output goes back to the wallet that sends
 */
export function weighTransaction(tx: Transaction, isOwn: (output: TxOut) => boolean): Use[] {
	// What a shielded pool takes or gives stands in no output.
	if (isShielded(tx)) return [{ kind: 'coin-send', amount: null }];
	if (looksLikeImport(tx)) return [];
	const burn = parseBurn(tx);
	const payload = tokenPayloadOf(tx);
	const conditions = payload === null ? [] : tx.vout.filter(isCondition);
	const paid = tx.vout.filter(
		(output, at) =>
			!conditions.includes(output) &&
			!isOwn(output) &&
			!(burn !== null && at === tx.vout.length - 1)
	);
	const uses: Use[] = [];
	if (burn !== null) {
		uses.push({ kind: 'migration', amount: burn.tokenCreationTx ? 0n : burn.value });
	} else if (payload !== null) {
		const kind = kindOf(payload);
		uses.push({ kind, amount: kind === 'token-create' ? sum(conditions) : 0n });
	}
	const amount = sum(paid);
	if (uses.length === 0 || amount > 0n) uses.push({ kind: 'coin-send', amount });
	return uses;
}

/** Addresses of outputs that are not the wallet's own key: whether it has their keys, only the daemon knows. */
export function addressesIn(tx: Transaction): string[] {
	return [...new Set(tx.vout.flatMap(({ script }) => classify(script).address ?? []))];
}
