/**
 * Determines which outputs of a transaction hold tokens. The daemon counts an output only when the whole
 * transaction follows the token rules (Komodo daemon 0.9.0, IsTokensvout); an output of a transaction that
 * breaks them holds no tokens, and its coins are locked.
 */
import { addressOfPubkey } from './address.ts';
import { bytesEqual, bytesToHex } from './bytes.ts';
import { ccScript, EVAL, nftScript, TOKENS_GLOBAL_PUBKEY, tokenScript } from './cryptocondition.ts';
import { parseFulfillment } from './cryptocondition/fulfillment.ts';
import { looksLikeImport } from './importProof.ts';
import { classify, type ScriptType } from './script.ts';
import {
	BLOB,
	blobOf,
	moduleOf,
	parseTokenPayload,
	type TokenCreation,
	type TokenPayload,
	type TokenTransfer
} from './token.ts';
import type { Transaction } from './transaction.ts';

/** What is known about an output that an input spends. */
export interface SpentOutput {
	value: bigint;
	type: ScriptType;
	address?: string | undefined;
}

/** Lookups that the rules need. */
export interface TokenLookup {
	/**
	 * Returns the non-fungible data of a known transaction, beginning with the eval code; null when it has
	 * none, undefined when the transaction is unknown.
	 */
	dataOf(txid: string): Uint8Array | null | undefined;
	/** Returns the tokenid of the token that an output holds. */
	tokenAt(txid: string, vout: number): string | undefined;
}

/** Base units in an output and the key that can spend them. */
export interface TokenOutput {
	units: bigint;
	/**
	 * Compressed key in hex; two keys joined by `+` when either may sign; null when the script pays another
	 * key than the creator's.
	 */
	holder: string | null;
}

/** Effect of a transaction on a token. */
export interface TokenEffect {
	kind: 'create' | 'transfer';
	tokenid: string;
	/** Outputs that hold tokens, by index. */
	outputs: ReadonlyMap<number, TokenOutput>;
	/** Base units that a creation made; 0 for a transfer. */
	supply: bigint;
}

const markerScript = tokenScript(TOKENS_GLOBAL_PUBKEY);

/** True for the output at the global token address that makes a creation appear in `tokenlist`. */
export const isMarker = (script: Uint8Array): boolean => bytesEqual(script, markerScript);

const OLD_MARKER_ADDRESS = addressOfPubkey(TOKENS_GLOBAL_PUBKEY);

/** Whether a creation appears in `tokenlist`: by its marker, or by one of early releases at a normal address. */
export const isListed = ({ vout }: Transaction): boolean =>
	vout.some(({ script }) => {
		if (isMarker(script)) return true;
		const { type, address } = classify(script);
		return type !== 'cryptocondition' && address === OLD_MARKER_ADDRESS;
	});

/** Parses the token payload in the last output; null when there is none. */
export function tokenPayloadOf(tx: Transaction): TokenPayload | null {
	const last = tx.vout.at(-1);
	return last ? parseTokenPayload(last.script) : null;
}

/**
 * Returns the non-fungible data of a creation, beginning with the eval code; undefined for a fungible token.
 */
export function nftDataOf(creation: Transaction): Uint8Array | undefined {
	const payload = tokenPayloadOf(creation);
	return payload?.kind === 'create' ? blobOf(payload.blobs, BLOB.nonFungible) : undefined;
}

/** Returns the output script that holds a token of this creation for a key. */
export function tokenOutputScript(pubkey: Uint8Array, data: Uint8Array | undefined): Uint8Array {
	const code = data?.[0];
	return code === undefined ? tokenScript(pubkey) : nftScript(pubkey, code);
}

const isCondition = (script: Uint8Array): boolean => classify(script).type === 'cryptocondition';

/** As {@link tokenOutputScript}; null when the payload's field is not a public key of 33 bytes. */
function scriptOf(pubkey: Uint8Array, data: Uint8Array | undefined): Uint8Array | null {
	return pubkey.length === 33 ? tokenOutputScript(pubkey, data) : null;
}

function createEffect(
	txid: string,
	tx: Transaction,
	spent: readonly (SpentOutput | null)[],
	payload: TokenCreation
): TokenEffect {
	const data = blobOf(payload.blobs, BLOB.nonFungible);
	const ownScript = scriptOf(payload.owner, data);
	const outputs = new Map<number, TokenOutput>();
	let sum = 0n;
	tx.vout.slice(0, -1).forEach((out, vout) => {
		if (!isCondition(out.script) || isMarker(out.script)) return;
		const own = ownScript !== null && bytesEqual(out.script, ownScript);
		outputs.set(vout, { units: out.value, holder: own ? bytesToHex(payload.owner) : null });
		sum += out.value;
	});
	const code = data?.[0];
	// Observed on daemons: a token whose data begins with 00 or f2 has balance 0.
	if (code === 0 || code === EVAL.tokens) outputs.clear();
	const imported = looksLikeImport(tx) && blobOf(payload.blobs, BLOB.import) !== undefined;
	if (!imported) {
		const owner = payload.owner.length === 33 ? addressOfPubkey(payload.owner) : null;
		let paid = 0n;
		for (const out of spent) {
			const plain = out?.type === 'pubkey' || out?.type === 'pubkeyhash';
			if (plain && owner !== null && out.address === owner) paid += out.value;
		}
		// An unknown output may be the creator's: then the creation counts as it is written.
		if (paid < sum && !spent.includes(null)) outputs.clear();
	}
	let supply = 0n;
	for (const { units } of outputs.values()) supply += units;
	return { kind: 'create', tokenid: txid, outputs, supply };
}

/** Public keys in the fulfillments of crypto-condition inputs: change may go back to them. */
function inputKeys(tx: Transaction, spent: readonly (SpentOutput | null)[]): Uint8Array[] {
	return tx.vin.flatMap((input, index) =>
		spent[index]?.type === 'cryptocondition'
			? (parseFulfillment(input.scriptSig)?.pubkeys ?? [])
			: []
	);
}

/** Whether units may be paid to a key: at that of the module there is only the marker. */
const mayHold = (key: Uint8Array): boolean =>
	key.length === 33 && !bytesEqual(key, TOKENS_GLOBAL_PUBKEY);

/**
 * Returns the outputs that may hold the units of a transfer: at the keys in its payload, and change at the keys
 * that sign. A module that the transfer also belongs to, such as that of orders, guards its outputs beside those of
 * tokens and of the non-fungible data. The order of eval codes does not matter, because a condition sorts them.
 * (Komodo daemon 0.9.0: `IsTokensvout`.)
 * @param code eval code of the token's non-fungible data; undefined for a fungible token
 */
function allowedOutputs({
	to,
	from,
	code,
	module
}: {
	to: readonly Uint8Array[];
	from: readonly Uint8Array[];
	code: number | undefined;
	module: number | undefined;
}): { script: Uint8Array; holder: string }[] {
	const others = [...new Set([code, module])].filter(
		(one): one is number => one !== undefined && one !== EVAL.tokens
	);
	const all = [...others, EVAL.tokens];
	// A transfer never makes a fungible token of a non-fungible one.
	const plain = code === undefined && others.length > 0 ? [[EVAL.tokens]] : [];
	const parts = others.length > 1 ? others.map((one) => [one, EVAL.tokens]) : [];
	const at = (keys: readonly Uint8Array[], evals: readonly number[]) => ({
		script: ccScript(keys, evals),
		holder: keys.map(bytesToHex).join('+')
	});
	return [
		...(to.length === 2 ? [at(to, all)] : []),
		...to.flatMap((key) => [all, ...plain, ...parts].map((evals) => at([key], evals))),
		...from.flatMap((key) => [all, ...plain].map((evals) => at([key], evals)))
	];
}

function transferEffect(
	tx: Transaction,
	spent: readonly (SpentOutput | null)[],
	payload: TokenTransfer,
	lookup: TokenLookup
): TokenEffect | null {
	const known = lookup.dataOf(payload.tokenid);
	if (known === undefined) return null;
	const data = known ?? undefined;
	let sumIn = 0n;
	tx.vin.forEach((input, index) => {
		if (lookup.tokenAt(input.txid, input.vout) === payload.tokenid)
			sumIn += spent[index]?.value ?? 0n;
	});
	const allowed = allowedOutputs({
		to: payload.destPubkeys.filter(mayHold),
		from: sumIn > 0n ? inputKeys(tx, spent).filter(mayHold) : [],
		code: data?.[0],
		module: moduleOf(payload.blobs)
	});
	const outputs = new Map<number, TokenOutput>();
	let sumOut = 0n;
	tx.vout.slice(0, -1).forEach((out, vout) => {
		const fits = allowed.find(({ script }) => bytesEqual(script, out.script));
		if (!fits) return;
		outputs.set(vout, { units: out.value, holder: fits.holder });
		sumOut += out.value;
	});
	// Outputs count only when inputs and outputs balance; otherwise tokens could be made from nothing.
	if (sumIn === 0n || sumIn !== sumOut) outputs.clear();
	return { kind: 'transfer', tokenid: payload.tokenid, outputs, supply: 0n };
}

/**
 * Applies the daemon's validity rules for token outputs to a whole transaction; null when it has no token
 * payload.
 * @param spent the outputs that the inputs spend, in order (empty for an import or a coinbase); null for unknown ones
 */
export function tokenEffectOf(
	txid: string,
	tx: Transaction,
	spent: readonly (SpentOutput | null)[],
	lookup: TokenLookup
): TokenEffect | null {
	const payload = tokenPayloadOf(tx);
	if (!payload) return null;
	if (payload.kind === 'create') return createEffect(txid, tx, spent, payload);
	return transferEffect(tx, spent, payload, lookup);
}
