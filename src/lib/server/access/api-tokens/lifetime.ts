/** How long an API token lives. */
import { AppError } from '../../platform/errors/appError.ts';

export const DAY_MS = 24 * 60 * 60 * 1000;
/** The end of a token for which none was chosen, in days, where that is allowed. */
const USUAL_DAYS = 90;
/** A token that ends within this time is marked, in milliseconds. */
export const NEAR_END_MS = 7 * DAY_MS;
/** How long a token that was replaced goes on, where it does not end at once, in milliseconds. */
export const REPLACED_MS = 60 * 60 * 1000;

/** What an admin allows. */
export interface LifetimeRule {
	/** Days from the creation to the end. */
	mostDays: number;
	/** Whether a token may live until it is revoked. */
	endless: boolean;
}

/** The end of a token that nothing was said of, in days. */
export const usualDays = ({ mostDays }: LifetimeRule): number => Math.min(USUAL_DAYS, mostDays);

/**
 * The end of a new token.
 * @param wanted Unix milliseconds; null: until revoked; undefined: the usual end
 * @param now Unix milliseconds
 * @throws {AppError} `account.token-expiry-past`, `account.token-expiry-far`, `account.token-endless`
 */
export function endOf(
	wanted: number | null | undefined,
	rule: LifetimeRule,
	now: number
): number | null {
	if (wanted === undefined) return now + usualDays(rule) * DAY_MS;
	if (wanted === null) {
		if (rule.endless) return null;
		throw new AppError('account.token-endless', { days: rule.mostDays });
	}
	if (!(Number.isSafeInteger(wanted) && wanted > now)) {
		throw new AppError('account.token-expiry-past');
	}
	if (wanted > now + rule.mostDays * DAY_MS) {
		throw new AppError('account.token-expiry-far', { days: rule.mostDays });
	}
	return wanted;
}

/** The end of a token that replaces another: as long a life as that one was given, as far as it is allowed now. */
export function endOfNext(
	{ createdAt, expiresAt }: { createdAt: number; expiresAt: number | null },
	rule: LifetimeRule,
	now: number
): number | null {
	if (expiresAt === null && rule.endless) return null;
	const given = expiresAt === null ? Infinity : expiresAt - createdAt;
	return now + Math.min(given, rule.mostDays * DAY_MS);
}
