/** Links in the database. A link works once its row is inserted. */
import { randomBytes, randomUUID } from 'node:crypto';
import { touch } from '../../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Role } from '../../identity/roles.ts';
import { choiceFrom, type WalletChoice } from '../../policy/wallets/choice.ts';
import type { AccessTables } from '../../tables.ts';
import type { Bearer } from '../../credentials/bearer.ts';
import type { LinkMaker } from '../../identity/linkMaker.ts';

export type LinkKind = 'invitation' | 'reset';

/** Id and hash of a link, before its row is inserted. */
export interface StoredLink {
	id: string;
	hash: string;
}

/** Parses the wallets column of a link. */
export const walletsOf = (text: string | null): WalletChoice =>
	choiceFrom(text === null ? [] : (JSON.parse(text) as string[]));

/** Creates the token of a link, and the values to store. The link works once its row is inserted. */
export function newLink(bearer: Bearer): { token: string; stored: StoredLink } {
	const token = randomBytes(32).toString('base64url');
	return { token, stored: { id: randomUUID(), hash: bearer.hash('link', token) } };
}

/** Stores a link by the hash of its secret. `lifetime`: milliseconds. */
export async function insertLink(
	trx: Executor<AccessTables>,
	{ id, hash }: StoredLink,
	link: { kind: LinkKind; by: LinkMaker; lifetime: number } & (
		| { role: Role; name: string | null; wallets: readonly string[]; accountId: null }
		| { role: null; name: null; wallets: null; accountId: string }
	)
): Promise<void> {
	const now = Date.now();
	const wallets = link.wallets ?? [];
	await trx
		.insertInto('account_links')
		.values({
			id,
			kind: link.kind,
			token_hash: hash,
			role: link.role,
			name: link.name,
			wallets: wallets.length === 0 ? null : JSON.stringify(wallets),
			account_id: link.accountId,
			made_by: link.by?.id ?? null,
			created_at: now,
			expires_at: now + link.lifetime
		})
		.execute();
	touch(trx, 'account_links', [id]);
}
