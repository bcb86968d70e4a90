/** Warnings and limits of a token creation. Pure. */
import type { Satoshi } from '#lib/chain/amount.ts';
import type { PayloadFault } from '#lib/messages/payloads.ts';
import type { Warning } from '#lib/messages/transactions/warnings.ts';
import { DEFAULT_RELAY_BYTES, SCRIPT_BYTES } from '../../chains/health/relayLimits.ts';

/** An import contains its burn: above 30 percent of the maximum script size, little room is left. */
export const ROOMY_BURN_BYTES = Math.floor(0.3 * SCRIPT_BYTES);
/** Bytes that a token burn adds to the creation that it contains. */
const BURN_OVERHEAD = 600;
/** Bytes that a creation adds to name, description and data: one input, marker, units, change, payload. */
const CREATION_OVERHEAD = 420;

type RelayVerdict =
	| { level: 'ok' }
	/** The daemon's limit is not known. */
	| { level: 'warn'; warning: Warning }
	| { level: 'refuse'; fault: PayloadFault };

/**
 * Returns whether nodes relay a payload script.
 * @param isMain whether the chain is KMD
 * @param limit `datacarriersize` when it is configured, else null
 */
export function relayVerdict(
	scriptBytes: number,
	isMain: boolean,
	limit: number | null
): RelayVerdict {
	const usual = isMain ? DEFAULT_RELAY_BYTES.main : DEFAULT_RELAY_BYTES.asset;
	if (scriptBytes > SCRIPT_BYTES) {
		return {
			level: 'refuse',
			fault: { bytes: scriptBytes, limit: SCRIPT_BYTES, every: true }
		};
	}
	if (limit !== null && scriptBytes > limit) {
		return { level: 'refuse', fault: { bytes: scriptBytes, limit, every: false } };
	}
	if (limit === null && scriptBytes > usual) {
		const facts = { bytes: scriptBytes, usual, most: SCRIPT_BYTES };
		return { level: 'warn', warning: { code: 'payload.relay-unknown', params: facts } };
	}
	return { level: 'ok' };
}

interface Outlook {
	can: boolean;
	message: Warning;
}

/**
 * Returns whether a token could be migrated to another chain later.
 * @param ownBytes bytes of name, description and data together
 */
export function migrationOutlook(nonFungible: boolean, ownBytes: number): Outlook {
	if (!nonFungible) {
		return {
			can: false,
			message: { code: 'migration.fungible', params: {} }
		};
	}
	const burn = ownBytes + CREATION_OVERHEAD + BURN_OVERHEAD;
	if (2 * burn > SCRIPT_BYTES) {
		return { can: false, message: { code: 'migration.too-large', params: { bytes: burn } } };
	}
	return {
		can: true,
		message:
			burn > ROOMY_BURN_BYTES
				? { code: 'migration.tight', params: { bytes: burn } }
				: { code: 'migration.possible', params: {} }
	};
}

/** Returns the satoshi that must be free in the wallet to create a supply: units, marker and fee. */
export const creationNeeds = (supply: Satoshi): Satoshi => supply + 20_000n;
