/**
 * Interest of unspent KMD (`komodo_interest.h`; the rate since KIP-0001). Only KMD has any. An output has it from the
 * time that the transaction which made it names as its lock time, and whoever spends it pays it out.
 */
import { COIN, type Satoshi } from './amount.ts';

/** Lock times from here on are Unix seconds, not heights. */
export const LOCKTIME_THRESHOLD = 500_000_000;
/** Outputs of this height and above have none. */
const END_OF_ERA = 7_777_777;
/** Below this height interest is a year's divided by how often the time fits into a year, and the first hour counts. */
const MINUTES_HEIGHT = 250_000;
/** From this height on interest ends after a month instead of a year, and is counted from what a minute brings. */
const MONTH_CAP_HEIGHT = 1_000_000;
/** Season 7 (30 June 2023): from this height on the rate is a five-hundredth of 5 % a year. */
const REDUCED_RATE_HEIGHT = 3_484_958;
const REDUCED_RATE_PART = 500n;
const LEAST_VALUE: Satoshi = 10n * COIN;
const HOUR = 60;
const MONTH = 31 * 24 * HOUR;
const YEAR = 365 * 24 * HOUR;
/** A year brings 5 %: a twentieth. */
const PART_OF_YEAR = 20n;
/** Minutes in which a value doubles. */
const DOUBLING = PART_OF_YEAR * BigInt(YEAR);
/** The daemon counts in 64 bits. */
const BITS = 64;

export interface AgingOutput {
	/** Satoshi. */
	value: Satoshi;
	/** Of the block that holds it. */
	height: number;
	/** Lock time of the transaction that made it. */
	locktime: number;
}

/** What is divided, in which order, is another in each era, and the last satoshi with it. */
function accruedIn(value: Satoshi, height: number, minutes: number): Satoshi {
	const ofYear = value / PART_OF_YEAR;
	if (height < MINUTES_HEIGHT) {
		return ofYear / BigInt(Math.floor(YEAR / Math.min(minutes, YEAR)));
	}
	const most = height >= MONTH_CAP_HEIGHT ? MONTH : YEAR;
	const counted = BigInt(Math.min(minutes, most) - (HOUR - 1));
	if (height < MONTH_CAP_HEIGHT) return BigInt.asUintN(BITS, ofYear * counted) / BigInt(YEAR);
	const accrued = (value / DOUBLING) * counted;
	return height >= REDUCED_RATE_HEIGHT ? accrued / REDUCED_RATE_PART : accrued;
}

/**
 * Satoshi of interest that an output has, computed as the daemon does: whole minutes, in the order of its era. (It
 * knows a few outputs above 36,893 coins of the first months by name, whose interest is not counted so.)
 * @param time Unix seconds of the chain's tip
 */
export function accruedInterest({ value, height, locktime }: AgingOutput, time: number): Satoshi {
	if (value < LEAST_VALUE || height >= END_OF_ERA || locktime < LOCKTIME_THRESHOLD) return 0n;
	const minutes = Math.floor((time - locktime) / 60);
	return minutes < HOUR ? 0n : accruedIn(value, height, minutes);
}
