import { randomUUID } from 'node:crypto';
import { touch } from '../../platform/audit-trail/recorded.ts';
import { refuseEnded } from '../credentials/openSession.ts';
import type { Account } from '../identity/identity.ts';
import type { ApiTokenDependencies } from './dependencies.ts';
import { endOfNext, REPLACED_MS } from './lifetime.ts';
import { newText, refuseMore } from './newToken.ts';
import { limitsOf, storedLimits } from './storedLimits.ts';

/**
 * Creates a token with the limits of another one, which ends at once or after an hour, and logs it. What
 * the earlier token used within 24 hours counts for the new one.
 * @param session hash of the session that asks for it, if any
 * @returns null when the account has no such token, or it was replaced already
 * @throws {AppError} `account.too-many-tokens` where both would exist for an hour,
 * `account.session-ended`
 */
export async function replace(
	{ db, audit, bearer, lifetimeRule }: ApiTokenDependencies,
	account: Account,
	tokenId: string,
	when: 'now' | 'in-an-hour',
	session?: string
): Promise<{ id: string; token: string } | null> {
	const rule = await lifetimeRule();
	return db.transaction().execute(async (trx) => {
		// Serializes replacements, so that a token is replaced once.
		await audit.lock(trx);
		if (session !== undefined) await refuseEnded(trx, { accountId: account.id, idHash: session });
		const now = Date.now();
		const row = await trx
			.selectFrom('api_tokens')
			.selectAll()
			.where('id', '=', tokenId)
			.where('account_id', '=', account.id)
			.where('revoked_at', 'is', null)
			.executeTakeFirst();
		if (row === undefined) return null;
		const expiresAt = row.expires_at === null ? null : Number(row.expires_at);
		if (expiresAt !== null && expiresAt <= now) return null;
		// A token that was replaced expires within an hour of its successor's creation. A second
		// replacement would inherit that shortened lifetime.
		const next =
			expiresAt !== null &&
			(await trx
				.selectFrom('api_tokens')
				.select('id')
				.where('account_id', '=', account.id)
				.where('counted_as', '=', row.counted_as ?? row.id)
				.where('created_at', '>', row.created_at)
				.where('created_at', '>=', BigInt(expiresAt - REPLACED_MS))
				.executeTakeFirst());
		if (next) return null;
		if (when === 'in-an-hour') await refuseMore(trx, account.id);
		const [id, token] = [randomUUID(), newText()];
		const end = endOfNext({ createdAt: Number(row.created_at), expiresAt }, rule, now);
		await trx
			.insertInto('api_tokens')
			.values({
				id,
				account_id: account.id,
				name: row.name,
				token_hash: bearer.hash('api token', token),
				role: row.role,
				...storedLimits(limitsOf(row)),
				counted_as: row.counted_as ?? row.id,
				created_at: now,
				expires_at: end
			})
			.execute();
		touch(trx, 'api_tokens', [id]);
		const last = Math.min(expiresAt ?? Infinity, now + REPLACED_MS);
		await trx
			.updateTable('api_tokens')
			.set(when === 'now' ? { revoked_at: now } : { expires_at: last })
			.where('id', '=', tokenId)
			.execute();
		touch(trx, 'api_tokens', [tokenId], [when === 'now' ? 'revoked_at' : 'expires_at']);
		await audit.append(
			{
				actor: account.name,
				action: 'token.replaced',
				target: tokenId,
				detail: {
					by: id,
					ends: new Date(when === 'now' ? now : last).toISOString(),
					by_ends: end === null ? null : new Date(end).toISOString()
				}
			},
			trx
		);
		return { id, token };
	});
}
