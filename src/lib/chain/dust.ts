/** The smallest outputs that a daemon relays. (Komodo daemon: `CTxOut::GetDustThreshold`, `CFeeRate::GetFee`.) */
import type { Satoshi } from './amount.ts';

/** Bytes of the input that spends an output, as the rule counts them. */
const SPENDING_BYTES = 148;
/** Bytes of an output beside its script: the value, and the length of a script below 253 bytes. */
const OUTPUT_BYTES = 9;

/**
 * Returns the least fee with which a daemon relays a transaction of some bytes.
 * @param rate satoshi per 1000 bytes, as `relayfee` of `getinfo`
 */
export function relayFeeOf(bytes: number, rate: Satoshi): Satoshi {
	const fee = (rate * BigInt(bytes)) / 1000n;
	return fee === 0n ? rate : fee;
}

/** Returns the satoshi below which spending an output costs more than a third of its value. */
export const dustLimitOf = (scriptBytes: number, rate: Satoshi): Satoshi =>
	3n * relayFeeOf(OUTPUT_BYTES + (scriptBytes < 253 ? 0 : 2) + scriptBytes + SPENDING_BYTES, rate);
