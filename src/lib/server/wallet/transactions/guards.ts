/** Warnings and limits around a token creation, as pure functions over what is known. */
import type { Satoshi } from '#lib/chain/amount.ts';
import { DEFAULT_RELAY_BYTES, SCRIPT_BYTES } from '../../chains/health/relayLimits.ts';

/** A burn nests the creation, and the import nests the burn: beyond this an import gets tight. */
export const ROOMY_BURN_BYTES = 3_000;
/** What a token burn adds to the creation that it nests. */
const BURN_OVERHEAD = 600;
/** What a creation adds to name, description and data: one input, marker, units, change, payload. */
const CREATION_OVERHEAD = 420;

interface RelayVerdict {
	level: 'ok' | 'warn' | 'refuse';
	sentence: string | null;
}

/**
 * Whether nodes will relay a payload script.
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
			sentence: `The payload has ${scriptBytes} bytes; no chain takes more than ${SCRIPT_BYTES}.`
		};
	}
	if (limit !== null && scriptBytes > limit) {
		return {
			level: 'refuse',
			sentence: `The payload has ${scriptBytes} bytes and the daemon relays ${limit}: shorten the description, or raise datacarriersize.`
		};
	}
	if (limit === null && scriptBytes > usual) {
		return {
			level: 'warn',
			sentence: `The payload has ${scriptBytes} bytes. Daemons that were not started with datacarriersize=${SCRIPT_BYTES} relay ${usual} and refuse it.`
		};
	}
	return { level: 'ok', sentence: null };
}

interface Outlook {
	can: boolean;
	sentence: string;
}

/**
 * Whether a token could be carried to another chain later.
 * @param ownBytes name, description and data together
 */
export function migrationOutlook(nonFungible: boolean, ownBytes: number): Outlook {
	if (!nonFungible) {
		return {
			can: false,
			sentence:
				'Do not count on carrying a fungible token to another chain: few networks allow it, and notaries approve non-fungible ones only.'
		};
	}
	const burn = ownBytes + CREATION_OVERHEAD + BURN_OVERHEAD;
	if (2 * burn > SCRIPT_BYTES) {
		return {
			can: false,
			sentence: `It would be too large to be carried to another chain: its burn would have about ${burn} bytes.`
		};
	}
	return {
		can: true,
		sentence:
			burn > ROOMY_BURN_BYTES
				? `It can be carried to another chain, with little room: its burn has about ${burn} bytes.`
				: 'It can be carried to another chain, where the network supports that.'
	};
}

/** What must be free in the wallet to create a supply: the units, the marker and the fee. */
export const creationNeeds = (supply: Satoshi): Satoshi => supply + 20_000n;
