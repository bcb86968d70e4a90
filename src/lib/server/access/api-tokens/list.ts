import type { Role } from '../identity/roles.ts';
import type { ApiTokenDependencies } from './dependencies.ts';
import { NEAR_END_MS } from './lifetime.ts';
import { limitsOf, type GivenLimits } from './storedLimits.ts';

/** A token as its owner sees it. */
export interface ApiTokenListing extends GivenLimits {
	id: string;
	name: string;
	role: Role;
	createdAt: number;
	expiresAt: number | null;
	/** Whether it expires soon. */
	nearEnd: boolean;
	lastUsedAt: number | null;
	/** Address and client of the last use. */
	lastUsedAddress: string | null;
	lastUsedAgent: string | null;
}

/** Returns the tokens of an account that are not revoked, newest first. */
export async function list(
	{ db }: ApiTokenDependencies,
	accountId: string
): Promise<ApiTokenListing[]> {
	const rows = await db
		.selectFrom('api_tokens')
		.selectAll()
		.where('account_id', '=', accountId)
		.where('revoked_at', 'is', null)
		.orderBy('created_at', 'desc')
		.orderBy('id')
		.execute();
	const soon = Date.now() + NEAR_END_MS;
	return rows.map((row) => ({
		id: row.id,
		name: row.name,
		role: row.role,
		...limitsOf(row),
		createdAt: Number(row.created_at),
		expiresAt: row.expires_at === null ? null : Number(row.expires_at),
		nearEnd: row.expires_at !== null && Number(row.expires_at) <= soon,
		lastUsedAt: row.last_used_at === null ? null : Number(row.last_used_at),
		lastUsedAddress: row.last_used_address,
		lastUsedAgent: row.last_used_agent
	}));
}
