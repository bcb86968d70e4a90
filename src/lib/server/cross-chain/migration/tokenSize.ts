/**
 * Checks whether a token is small enough to migrate: its creation is contained in the burn, and the burn in the
 * last output of the import.
 */
import { serializeTransaction, type Transaction } from '#lib/chain/transaction.ts';
import type { CheckMessage } from '#lib/messages/migration/checks.ts';
import { SCRIPT_BYTES } from '../../chains/health/relayLimits.ts';
import { ROOMY_BURN_BYTES } from '../../wallet/transactions/guards.ts';

/** Bytes of a burn besides the token's creation: inputs, outputs and codes. */
const BURN_OVERHEAD = 620;
/** Bytes of a complete proof, at its largest on busy chains. */
const PROOF_BYTES = 900;

export interface TokenSize {
	/** Bytes of the burn transaction. */
	burn: number;
	/** Bytes of the largest script in the migration: the last output of the import. */
	script: number;
}

/**
 * Computes the sizes of a token's migration.
 * @param burn bytes of the burn; estimated before it is built
 */
export function tokenSize(creation: Transaction, burn?: number): TokenSize {
	const size = burn ?? serializeTransaction(creation).length + BURN_OVERHEAD;
	const payload = creation.vout.at(-1)?.script.length ?? 0;
	return { burn: size, script: payload + size + PROOF_BYTES };
}

/**
 * Judges the size of a token's migration.
 * @param limit `datacarriersize` of the destination; null when not configured
 * @returns a warning or failure; null when the size is fine
 */
export function sizeVerdict(
	{ burn, script }: TokenSize,
	destination: string,
	limit: number | null
): { result: 'warn' | 'fail'; message: CheckMessage } | null {
	const most = Math.min(limit ?? SCRIPT_BYTES, SCRIPT_BYTES);
	if (script > most) {
		return {
			result: 'fail',
			message: { code: 'token.too-large', params: { chain: destination, burn, script, most } }
		};
	}
	if (burn > ROOMY_BURN_BYTES) {
		return {
			result: 'warn',
			message: { code: 'token.large', params: { burn, recommended: ROOMY_BURN_BYTES } }
		};
	}
	return null;
}
