import { ACCOUNT } from '#lib/messages/pages/account.ts';
import { errorMessage } from '#lib/messages/errors/index.ts';
import { isAtMost } from '../policy/permissions.ts';
import { isRole, type Role } from '../policy/roles.ts';
import { isTokenName } from './apiTokens.ts';
import { DAY_MS, usualDays, type LifetimeRule } from './lifetime.ts';
import {
	readAddresses,
	readAmounts,
	readMethods,
	readPlaces,
	readRecipients,
	wordsOf,
	type ReadList
} from './limitLists.ts';
import type { GivenLimits } from './storedLimits.ts';

const FAULTS = ACCOUNT.tokens.faults;
const CHOICES = [7, 30, 90, 365] as const;

/** The form of a new API token as it was typed. */
export interface TypedToken {
	name: string;
	role: string;
	/** Days; empty: until revoked. */
	expires: string;
	methods: readonly string[];
	daemons: readonly string[];
	wallets: readonly string[];
	addresses: string;
	each: string;
	day: string;
	recipients: string;
}

export type TokenFieldErrors = { [field in keyof TypedToken]?: string };

/** What the form asks for; the end is in Unix milliseconds. */
interface TokenRequest extends GivenLimits {
	name: string;
	role: Role;
	expiresAt: number | null;
}

/** What there is on this installation, and what its admins allow. */
interface TokenChoices {
	/** Daemons and trading nodes. */
	places: readonly string[];
	/** Daemons whose wallets the member may use. */
	wallets: readonly string[];
	chains: readonly string[];
	rule: LifetimeRule;
}

/** How long a token may live, in days; the empty one lives until it is revoked. */
export const lifetimesOf = (rule: LifetimeRule): string[] => [
	...new Set(
		[...CHOICES.filter((days) => days < rule.mostDays), usualDays(rule), rule.mostDays]
			.filter((days) => days <= 365 || days === rule.mostDays)
			.toSorted((a, b) => a - b)
			.map(String)
	),
	...(rule.endless ? [''] : [])
];

function roleFault(role: string, own: Role): string | undefined {
	if (!isRole(role)) return FAULTS.role;
	return isAtMost(role, own) ? undefined : errorMessage('account.token-role-too-high', {});
}

/**
 * Reads the form of a new API token and finds every mistake in it, not only the first one.
 *
 * @param own the role of the person whose token it will be
 * @param now Unix milliseconds
 */
export function readTokenRequest(
	typed: TypedToken,
	own: Role,
	{ places, wallets, chains, rule }: TokenChoices,
	now: number
): { request: TokenRequest } | { errors: TokenFieldErrors } {
	const { name, role, expires } = typed;
	const errors: TokenFieldErrors = {};
	const note = (field: keyof TypedToken, fault: string | undefined): void => {
		if (fault !== undefined) errors[field] = fault;
	};
	const taken = <T>(field: keyof TypedToken, read: ReadList<T>): readonly T[] | null => {
		if ('list' in read) return read.list;
		note(field, read.fault);
		return null;
	};
	note('name', isTokenName(name) ? undefined : errorMessage('account.token-name-invalid', {}));
	note('role', roleFault(role, own));
	note('expires', lifetimesOf(rule).includes(expires) ? undefined : FAULTS.expires);
	const limits = {
		methods: taken('methods', readMethods(typed.methods)),
		daemons: taken('daemons', readPlaces(typed.daemons, places)),
		wallets: taken('wallets', readPlaces(typed.wallets, wallets)),
		addresses: taken('addresses', readAddresses(wordsOf(typed.addresses))),
		recipients: taken('recipients', readRecipients(wordsOf(typed.recipients)))
	};
	const amounts = readAmounts(wordsOf(typed.each), wordsOf(typed.day), chains);
	if ('faults' in amounts) {
		note('each', amounts.faults.each);
		note('day', amounts.faults.day);
	}
	if ('faults' in amounts || !isRole(role) || Object.keys(errors).length > 0) return { errors };
	const expiresAt = expires === '' ? null : now + Number(expires) * DAY_MS;
	return { request: { name, role, expiresAt, ...limits, amounts: amounts.list } };
}
