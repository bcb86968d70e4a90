/** Names of the accounts and API tokens whose ids a rule holds, for its sentence. */
import type { PolicyNames, RecordedRule } from '#lib/messages/policies/sentence.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { AccessTables } from '../../tables.ts';
import { writeBody, type RuleBody } from './rule.ts';

/** Returns the names of members and API tokens that rules refer to by id. */
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

/** Returns a function that converts rules to the form in which events and proposals hold them. */
export async function recordedRules(
	db: Executor<AccessTables>
): Promise<(rule: RuleBody) => RecordedRule> {
	const { members, tokens } = await namesOf(db);
	return (rule) => {
		const { who, wallet, kind, asset, over, window, recipient, effect } = rule;
		const body = { who, wallet, kind, asset, over, window, recipient, effect };
		const accounts = [
			...(who.is === 'member' ? [who.account] : []),
			...(effect.is === 'approve' ? effect.members : [])
		];
		const of = <Name>(names: ReadonlyMap<string, Name>, ids: readonly string[]) =>
			[...names].filter(([id]) => ids.includes(id));
		return {
			rule: JSON.parse(writeBody(body)) as RecordedRule['rule'],
			members: of(members, accounts),
			tokens: of(tokens, who.is === 'token' ? [who.token] : [])
		};
	};
}
