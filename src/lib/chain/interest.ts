/**
 * Interest of unspent KMD (`komodo_interest.h`; the rate since KIP-0001). Only KMD pays interest. It accrues
 * on an output from the lock time of the transaction that created it, and is paid out when the output is
 * spent.
 */
import { COIN, type Satoshi } from './amount.ts';
import { paysInterest } from './mainChain.ts';

/** Lock times of at least this value are Unix seconds; smaller ones are heights. */
export const LOCKTIME_THRESHOLD = 500_000_000;
/** Outputs from this height on earn no interest. */
const END_OF_ERA = 7_777_777;
/**
 * Below this height interest is that of a year divided by how many times the elapsed time fits into a year,
 * and the first hour counts.
 */
const MINUTES_HEIGHT = 250_000;
/**
 * From this height on interest stops accruing after a month instead of a year, and is computed from a rate
 * per minute.
 */
const MONTH_CAP_HEIGHT = 1_000_000;
/** Season 7 (30 June 2023): from this height on the rate is one five-hundredth of 5 % a year. */
const REDUCED_RATE_HEIGHT = 3_484_958;
const REDUCED_RATE_PART = 500n;
const LEAST_VALUE: Satoshi = 10n * COIN;
const HOUR = 60;
const MONTH = 31 * 24 * HOUR;
const YEAR = 365 * 24 * HOUR;
/** 5 % a year: one twentieth. */
const PART_OF_YEAR = 20n;
/** Minutes in which interest equals the value. */
const DOUBLING = PART_OF_YEAR * BigInt(YEAR);
/** The daemon multiplies in 64-bit integers, which overflow. */
const BITS = 64;

export interface AgingOutput {
	/** Satoshi. */
	value: Satoshi;
	/** Height of the block that contains the output. */
	height: number;
	/** Lock time of the transaction that created the output. */
	locktime: number;
}

/**
 * Returns whether an output may have earned interest when it is spent, judged without its lock time. Its age does not
 * decide: a lock time can be an hour before its block, so that even the newest output may have earned some.
 * @param height of the block that contains the output; null when it is unknown
 */
export const mayEarnInterest = (value: Satoshi, height: number | null): boolean =>
	value >= LEAST_VALUE && (height === null || height < END_OF_ERA);

/** Each era divides and rounds in a different order, which affects the last satoshi. */
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
 * Returns the interest of an output in satoshi, computed like the daemon: in whole minutes, by the formula of
 * its era. (The daemon hard-codes a few outputs of the first months above 36,893 coins; their special
 * interest is not reproduced.)
 * @param time Unix seconds of the chain's tip
 */
export function accruedInterest({ value, height, locktime }: AgingOutput, time: number): Satoshi {
	if (!mayEarnInterest(value, height) || locktime < LOCKTIME_THRESHOLD) return 0n;
	const minutes = Math.floor((time - locktime) / 60);
	return minutes < HOUR ? 0n : accruedIn(value, height, minutes);
}

/**
 * Returns the interest that a transaction claims, less its fee: the satoshi by which its outputs exceed its inputs.
 * Null when they do not, and on chains that pay no interest: there, coins of the shielded pools can be the reason.
 */
export const claimedInterest = (chain: string, spent: Satoshi, paid: Satoshi): Satoshi | null =>
	paysInterest(chain) && paid > spent ? paid - spent : null;
