/**
 * Whether a token fits through: its creation nests in the burn, and the burn nests in the import, whose
 * last output has to hold it.
 */
import { serializeTransaction, type Transaction } from '#lib/chain/transaction.ts';
import type { CheckMessage } from '#lib/messages/migration/checks.ts';
import { SCRIPT_BYTES } from '../../chains/health/relayLimits.ts';
import { ROOMY_BURN_BYTES } from '../../wallet/transactions/guards.ts';

/** Inputs, outputs and codes that a burn has besides the creation that it nests. */
const BURN_OVERHEAD = 620;
/** A complete proof with its hashes, as long as it gets on busy chains. */
const PROOF_BYTES = 900;

export interface TokenSize {
	/** Bytes of the burn transaction. */
	burn: number;
	/** Bytes of the largest script that the migration makes: the last output of the import. */
	script: number;
}

/** @param burn bytes of the burn; estimated while it is not built */
export function tokenSize(creation: Transaction, burn?: number): TokenSize {
	const size = burn ?? serializeTransaction(creation).length + BURN_OVERHEAD;
	const payload = creation.vout.at(-1)?.script.length ?? 0;
	return { burn: size, script: payload + size + PROOF_BYTES };
}

/**
 * @param limit `datacarriersize` of the destination where it is configured
 * @returns what is found with its weight, or null when there is room enough
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
