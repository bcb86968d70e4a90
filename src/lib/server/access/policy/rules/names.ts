/** Names of the accounts and API tokens whose ids a rule holds, for its sentence. */
import type { PolicyNames } from '#lib/messages/policies/sentence.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { AccessTables } from '../../tables.ts';

export async function namesOf(db: Executor<AccessTables>): Promise<PolicyNames> {
	const accounts = await db.selectFrom('accounts').select(['id', 'name']).execute();
	const tokens = await db
		.selectFrom('api_tokens')
		.innerJoin('accounts', 'accounts.id', 'api_tokens.account_id')
		.select(['api_tokens.id', 'api_tokens.counted_as', 'api_tokens.name', 'accounts.name as of'])
		.execute();
	return {
		members: new Map(accounts.map(({ id, name }) => [id, name])),
		// A replacement token is known by the id of the token that it replaced.
		tokens: new Map(tokens.map(({ id, counted_as, name, of }) => [counted_as ?? id, { name, of }]))
	};
}
