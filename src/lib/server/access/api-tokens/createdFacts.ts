import { formatCoins } from '#lib/chain/amount.ts';
import type { AuditValue } from '../../platform/audit-trail/entry.ts';
import type { Role } from '../identity/roles.ts';
import type { GivenLimits } from './storedLimits.ts';

/** Most names of a list that an event holds. */
const MOST_TOLD = 50;

/**
 * Returns the facts of a new API token for the audit log: its role, its limits and its end, which is null for a token
 * that is valid until it is revoked.
 */
export function createdFacts(
	{ role, amounts, ...lists }: Partial<GivenLimits> & { role: Role },
	{ expiresAt }: { expiresAt: number | null }
): Record<string, AuditValue> {
	const { methods, daemons, addresses, wallets, recipients } = lists;
	const told = (list: readonly string[] | null | undefined): AuditValue =>
		list && list.length > MOST_TOLD
			? [...list.slice(0, MOST_TOLD), `… ${list.length - MOST_TOLD}`]
			: (list ?? undefined);
	return {
		role,
		methods: told(methods),
		daemons: told(daemons),
		addresses: told(addresses),
		wallets: told(wallets),
		recipients: told(recipients),
		amounts: amounts?.map(({ chain, each, day }) => ({
			chain,
			each: each === null ? null : formatCoins(each),
			day: day === null ? null : formatCoins(day)
		})),
		ends: expiresAt === null ? null : new Date(expiresAt).toISOString()
	};
}
