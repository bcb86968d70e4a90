import { ACCOUNT } from '#lib/messages/pages/account.ts';
import { errorMessage } from '#lib/messages/errors/index.ts';
import { DAY_MS } from '#lib/text/units.ts';
import { isAtMost } from '../policy/permissions.ts';
import { isRole, type Role } from '../identity/roles.ts';
import { usualDays, type LifetimeRule } from './lifetime.ts';
import {
	readAddresses,
	readAmounts,
	readMethods,
	readPlaces,
	readRecipients,
	wordsOf,
	type ReadList
} from './limitLists.ts';
import { isTokenName } from './newToken.ts';
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

/** The token to create; `expiresAt` in Unix milliseconds. */
interface TokenRequest extends GivenLimits {
	name: string;
	role: Role;
	expiresAt: number | null;
}

/** Valid choices of this installation, and the admins' rule. */
interface TokenChoices {
	/** Ids of daemons and trading nodes. */
	places: readonly string[];
	/** Ids of the daemons whose wallets the member may use. */
	wallets: readonly string[];
	chains: readonly string[];
	rule: LifetimeRule;
}

/** Returns the lifetimes to choose from, in days; the empty one means until revoked. */
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
 * Parses the form of a new API token, and reports every fault in it.
 * @param own the role of the token's member
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
