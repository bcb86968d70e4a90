/** Finds the tokens that transactions create, and the moves of their units between holders. */
import { parseBurn } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { BURN_PUBKEY } from '#lib/chain/cryptocondition.ts';
import { looksLikeImport, parseImport } from '#lib/chain/importProof.ts';
import { BLOB, blobOf } from '#lib/chain/token.ts';
import { isListed, tokenPayloadOf, type TokenEffect } from '#lib/chain/tokenEffect.ts';
import { nameKeyOf } from './fold.ts';
import type { Extraction, FoundMove, FoundToken, KnownOutput, KnownToken } from './found.ts';
import { storable, symbolOf } from './storableText.ts';

/** The key without an owner: sending units to it burns them. */
export const BURN_HOLDER = bytesToHex(BURN_PUBKEY);

/** Komodo daemon 0.9.0: bytes of the longest key; a longer one counts as no key. */
const LONGEST_KEY = 65;

/** Returns the token of an effect and records a new one; null when the daemon's token list would not show it. */
export function tokenOf(
	{ seq, time, tx, known, found }: Extraction,
	effect: TokenEffect
): KnownToken | null {
	if (effect.kind === 'transfer') return known.tokens.get(effect.tokenid) ?? null;
	const payload = tokenPayloadOf(tx);
	if (payload?.kind !== 'create' || !isListed(tx)) return null;
	const origin = looksLikeImport(tx) ? parseImport(tx) : null;
	const burn = origin && parseBurn(origin.burnTx);
	const burnt = origin && tokenPayloadOf(origin.burnTx);
	const token: FoundToken = {
		tokenid: effect.tokenid,
		seq,
		data: blobOf(payload.blobs, BLOB.nonFungible) ?? null,
		name: storable(payload.name),
		nameKey: nameKeyOf(payload.name),
		description: storable(payload.description),
		owner: payload.owner.length > LONGEST_KEY ? '' : bytesToHex(payload.owner),
		supply: effect.supply,
		originChain: burn ? symbolOf(burn.sourceSymbol) : null,
		originTokenid: burnt?.kind === 'transfer' ? burnt.tokenid : null,
		createdAt: time
	};
	known.tokens.set(token.tokenid, token);
	found.tokens.push(token);
	return token;
}

/**
 * Adds moves from holders with a loss to holders with a gain, which add up to each balance change.
 * @param exported whether burned units move to another chain
 */
export function addMoves(
	{ seq, txid, known, found }: Extraction,
	spent: readonly (KnownOutput | null)[],
	effect: TokenEffect,
	token: KnownToken,
	exported: boolean
): void {
	const gains = new Map<string, bigint>();
	const add = (holder: string | null, units: bigint): void => {
		if (holder !== null) gains.set(holder, (gains.get(holder) ?? 0n) + units);
	};
	for (const [n, { units }] of effect.outputs) {
		add(known.outputs.get(`${txid}:${n}`)?.holder ?? null, units);
	}
	for (const output of spent) {
		if (output?.token?.tokenid === token.tokenid) add(output.holder, -output.value);
	}
	const base = { token: token.seq, seq };
	let n = 0;
	const kindFor = (to: string): FoundMove['kind'] =>
		to !== BURN_HOLDER ? 'transfer' : exported ? 'export' : 'burn';
	if (effect.kind === 'create') {
		for (const [to, units] of gains) {
			found.moves.push({ ...base, n: n++, kind: 'create', from: null, to, units });
		}
		return;
	}
	const givers = [...gains].filter(([, units]) => units < 0n);
	const takers = [...gains].filter(([, units]) => units > 0n);
	if (givers.length === 0) {
		// The units returned to their holder: the transfer happened, but no balance changes.
		for (const [to] of gains) {
			found.moves.push({ ...base, n: n++, kind: 'transfer', from: to, to, units: 0n });
		}
		return;
	}
	// Units that became invalid are burned; no other holder gains them.
	for (const giver of givers) {
		let left = -giver[1];
		for (const taker of takers) {
			if (left === 0n) break;
			const units = left < taker[1] ? left : taker[1];
			if (units === 0n) continue;
			const [to] = taker;
			found.moves.push({ ...base, n: n++, kind: kindFor(to), from: giver[0], to, units });
			taker[1] -= units;
			left -= units;
		}
		if (left > 0n) {
			found.moves.push({ ...base, n: n++, kind: 'burn', from: giver[0], to: null, units: left });
		}
	}
}
