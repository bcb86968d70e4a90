/** Lifetime of API tokens. */
import { DAY_MS, HOUR_MS } from '#lib/text/units.ts';
import { AppError } from '../../platform/errors/appError.ts';

/** Default lifetime in days, where the rule allows that many. */
const USUAL_DAYS = 90;
/** A token that expires within this time is marked, in milliseconds. */
export const NEAR_END_MS = 7 * DAY_MS;
/** How long a replaced token stays valid, unless it ends at once, in milliseconds. */
export const REPLACED_MS = HOUR_MS;

/** What admins allow. */
export interface LifetimeRule {
	/** Most days from creation to expiry. */
	mostDays: number;
	/** Whether a token may be valid until it is revoked. */
	endless: boolean;
}

/** Returns the default lifetime, in days. */
export const usualDays = ({ mostDays }: LifetimeRule): number => Math.min(USUAL_DAYS, mostDays);

/**
 * Returns the expiry of a new token.
 * @param wanted Unix milliseconds; null: until revoked; undefined: the default
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

/**
 * Returns the expiry of a replacement token: the lifetime of the replaced one, as far as the rule allows it
 * now.
 */
export function endOfNext(
	{ createdAt, expiresAt }: { createdAt: number; expiresAt: number | null },
	rule: LifetimeRule,
	now: number
): number | null {
	if (expiresAt === null && rule.endless) return null;
	const given = expiresAt === null ? Infinity : expiresAt - createdAt;
	return now + Math.min(given, rule.mostDays * DAY_MS);
}
