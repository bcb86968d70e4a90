import { bytesEqual } from '#lib/chain/bytes.ts';
import {
	BURN_PUBKEY,
	EVAL,
	TOKENS_GLOBAL_PUBKEY,
	ccScript,
	nftScript,
	parseFulfillment,
	tokenScript
} from '#lib/chain/cryptocondition.ts';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { BLOB, blobOf, parseTokenPayload } from '#lib/chain/token.ts';
import type { TokenCreation, TokenPayload, TokenTransfer } from '#lib/chain/token.ts';
import type { Transaction, TxOut } from '#lib/chain/transaction.ts';
import { isCoinbase, isImport } from './txkind.ts';
import { classify } from './classify.ts';

/** Modules beside the token rules that let a non-fungible token move (observed: only these two). */
const MOVABLE_EVALS: ReadonlySet<number> = new Set([EVAL.gateways, EVAL.importGateway]);

/** What a transaction does to a token: outputs that passed the validity test, value by index. */
export interface TokenEffect {
	kind: 'create' | 'transfer';
	tokenid: string;
	outputs: ReadonlyMap<number, bigint>;
	supply: bigint;
}

/** What the token rules look up: known transactions and which outputs hold which token. */
export interface TokenLookup {
	transaction(txid: string): Transaction | undefined;
	tokenAt(txid: string, vout: number): string | undefined;
}

const isCc = (script: Uint8Array): boolean => classify(script).type === 'cryptocondition';

const markerScript = tokenScript(TOKENS_GLOBAL_PUBKEY);

/** True for the output at the global token address that puts a creation into the token list. */
export const isMarker = (script: Uint8Array): boolean => bytesEqual(script, markerScript);

/** The payload in the last output, null when it is not a token's. */
export const tokenPayloadOf = (tx: Transaction): TokenPayload | null => {
	const last = tx.vout.at(-1);
	return last ? parseTokenPayload(last.script) : null;
};

/** Non-fungible data of a creation, evaluation code first; undefined for a fungible token. */
export const nftDataOf = (creation: Transaction): Uint8Array | undefined => {
	const payload = tokenPayloadOf(creation);
	return payload?.kind === 'create' ? blobOf(payload.blobs, BLOB.nonFungible) : undefined;
};

/** The output script that holds a token of this creation for a key. */
export const tokenOutputScript = (pubkey: Uint8Array, data: Uint8Array | undefined): Uint8Array => {
	const code = data?.[0];
	return code === undefined ? tokenScript(pubkey) : nftScript(pubkey, code);
};

/** True when the creation is an import: it carries the burn and its proof. */
export const isImportedCreation = (creation: Transaction): boolean => {
	const payload = tokenPayloadOf(creation);
	return payload?.kind === 'create' && blobOf(payload.blobs, BLOB.import) !== undefined;
};

const createEffect = (
	txid: string,
	tx: Transaction,
	spent: readonly TxOut[],
	payload: TokenCreation
): TokenEffect => {
	const outputs = new Map<number, bigint>();
	let sum = 0n;
	tx.vout.slice(0, -1).forEach((out, vout) => {
		if (!isCc(out.script) || isMarker(out.script)) return;
		outputs.set(vout, out.value);
		sum += out.value;
	});
	const code = blobOf(payload.blobs, BLOB.nonFungible)?.[0];
	// Observed: a token whose data begins with 00 or f2 has balance 0.
	if (code === 0 || code === EVAL.tokens) outputs.clear();
	const imported = isImport(tx) && blobOf(payload.blobs, BLOB.import) !== undefined;
	if (!imported) {
		const owner = addressOfPubkey(payload.owner);
		let paid = 0n;
		for (const out of spent) {
			const kind = classify(out.script);
			if ((kind.type === 'pubkey' || kind.type === 'pubkeyhash') && kind.address === owner) {
				paid += out.value;
			}
		}
		if (paid < sum) outputs.clear();
	}
	return {
		kind: 'create',
		tokenid: txid,
		outputs,
		supply: [...outputs.values()].reduce((total, value) => total + value, 0n)
	};
};

/** Keys in the opened conditions of the crypto-condition inputs: change may go back to them. */
const inputKeys = (tx: Transaction, spent: readonly TxOut[]): Uint8Array[] => {
	const keys: Uint8Array[] = [];
	tx.vin.forEach((input, index) => {
		const out = spent[index];
		if (!out || !isCc(out.script)) return;
		const opened = parseFulfillment(input.scriptSig);
		if (opened) keys.push(...opened.pubkeys);
	});
	return keys;
};

const transferEffect = (
	tx: Transaction,
	spent: readonly TxOut[],
	payload: TokenTransfer,
	lookup: TokenLookup
): TokenEffect | null => {
	const creation = lookup.transaction(payload.tokenid);
	if (!creation) return null;
	let sumIn = 0n;
	tx.vin.forEach((input, index) => {
		if (lookup.tokenAt(input.txid, input.vout) === payload.tokenid) sumIn += spent[index]!.value;
	});
	const data = nftDataOf(creation);
	const dest = payload.destPubkeys.filter((key) => !bytesEqual(key, TOKENS_GLOBAL_PUBKEY));
	const allowed: Uint8Array[] = [];
	const [first, second] = dest;
	if (first && second) {
		const code = data?.[0];
		allowed.push(
			ccScript([first, second], code === undefined ? [EVAL.tokens] : [code, EVAL.tokens])
		);
	}
	for (const key of [...dest, ...(sumIn > 0n ? inputKeys(tx, spent) : [])]) {
		allowed.push(tokenOutputScript(key, data));
	}
	const outputs = new Map<number, bigint>();
	let sumOut = 0n;
	tx.vout.slice(0, -1).forEach((out, vout) => {
		if (!allowed.some((script) => bytesEqual(script, out.script))) return;
		outputs.set(vout, out.value);
		sumOut += out.value;
	});
	// Outputs count only when the whole transaction balances: tokens cannot appear out of nothing.
	if (sumIn === 0n || sumIn !== sumOut) outputs.clear();
	return { kind: 'transfer', tokenid: payload.tokenid, outputs, supply: 0n };
};

/**
 * The daemon's validity test of token outputs for a whole transaction. `spent` are the outputs its
 * inputs spend, in order (empty for an import). Null when it carries no token payload.
 */
export const tokenEffectOf = (
	txid: string,
	tx: Transaction,
	spent: readonly TxOut[],
	lookup: TokenLookup
): TokenEffect | null => {
	if (isCoinbase(tx)) return null;
	const payload = tokenPayloadOf(tx);
	if (!payload) return null;
	if (payload.kind === 'create') return createEffect(txid, tx, spent, payload);
	return transferEffect(tx, spent, payload, lookup);
};

/**
 * The validators behind the evaluation codes of the inputs. Returns the reason of a refusal (the
 * client sees only a failed script) or null.
 */
export const tokenSpendFault = (
	tx: Transaction,
	spent: readonly TxOut[],
	lookup: TokenLookup
): string | null => {
	const evals = new Set<number>();
	let spendsMarker = false;
	tx.vin.forEach((input, index) => {
		const out = spent[index]!;
		if (!isCc(out.script)) return;
		for (const code of parseFulfillment(input.scriptSig)?.evals ?? []) evals.add(code);
		spendsMarker ||= isMarker(out.script);
	});
	if (evals.size === 0) return null;
	if (!evals.has(EVAL.tokens)) return `no validator for code ${[...evals].join(', ')}`;
	const payload = tokenPayloadOf(tx);
	if (!payload) return 'no token payload in last output';
	if (payload.kind !== 'transfer') return 'token inputs in a creation';
	const creation = lookup.transaction(payload.tokenid);
	if (!creation || tokenPayloadOf(creation)?.kind !== 'create') return 'unknown tokenid';
	const code = nftDataOf(creation)?.[0];
	for (const other of evals) {
		if (other === EVAL.tokens) continue;
		if (other !== code || !MOVABLE_EVALS.has(other)) return `no validator for code ${other}`;
	}
	const effect = transferEffect(tx, spent, payload, lookup);
	if (!effect || effect.outputs.size === 0) return 'token inputs and outputs do not balance';
	if (spendsMarker && code === undefined) {
		const burn = tokenScript(BURN_PUBKEY);
		if (tx.vout.some((out) => bytesEqual(out.script, burn))) {
			return 'marker spent in the burn of a fungible token';
		}
	}
	return null;
};
