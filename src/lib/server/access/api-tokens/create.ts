import { randomUUID } from 'node:crypto';
import { actorOf } from '../../platform/audit-trail/entry.ts';
import { touch } from '../../platform/audit-trail/recorded.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { refuseEnded } from '../credentials/openSession.ts';
import type { Account } from '../identity/identity.ts';
import type { LinkMaker } from '../identity/linkMaker.ts';
import { isRole, type Role } from '../identity/roles.ts';
import { isAtMost } from '../policy/permissions.ts';
import { createdFacts } from './createdFacts.ts';
import type { ApiTokenDependencies } from './dependencies.ts';
import { endOf } from './lifetime.ts';
import { isTokenName, newText, refuseMore } from './newToken.ts';
import { NO_LIMITS, storedLimits, type GivenLimits } from './storedLimits.ts';

export interface NewApiToken extends Partial<GivenLimits> {
	account: Account;
	/** The member's name for the token. */
	name: string;
	/** At most the member's own role. */
	role: Role;
	/** Hash of the session that asks for it; left out at the command line. */
	session?: string;
	/** Unix milliseconds, in the future; null: until revoked; left out: the default. */
	expiresAt?: number | null;
}

/** A new token, with its text. */
interface MadeApiToken {
	id: string;
	token: string;
	/** Unix milliseconds; null: it is valid until it is revoked. */
	expiresAt: number | null;
}

/**
 * Creates a token and records it. Its text is returned here once.
 * @throws {AppError} `account.token-name-invalid`, `account.token-expiry-past`,
 * `account.token-expiry-far`, `account.token-endless`, `account.role-unknown`,
 * `account.token-role-too-high`, `account.session-ended`, `account.disabled`, `account.too-many-tokens`
 */
export async function create(
	{ db, audit, bearer, lifetimeRule }: ApiTokenDependencies,
	wanted: NewApiToken,
	by: LinkMaker
): Promise<MadeApiToken> {
	const name = wanted.name.trim();
	if (!isTokenName(name)) throw new AppError('account.token-name-invalid');
	if (!isRole(wanted.role)) {
		throw new AppError('account.role-unknown');
	}
	const { account } = wanted;
	return db.transaction().execute(async (trx) => {
		// Accounts change under the same lock, so an account that was just disabled or given another role
		// gets no token.
		await audit.lock(trx);
		const { role, disabled_at: disabledAt } = await trx
			.selectFrom('accounts')
			.select(['role', 'disabled_at'])
			.where('id', '=', account.id)
			.executeTakeFirstOrThrow();
		if (disabledAt !== null) throw new AppError('account.disabled', { name: account.name });
		const idHash = wanted.session;
		if (idHash !== undefined) await refuseEnded(trx, { accountId: account.id, idHash });
		if (!isAtMost(wanted.role, account.role) || !isAtMost(wanted.role, role)) {
			throw new AppError('account.token-role-too-high');
		}
		await refuseMore(trx, account.id);
		const now = Date.now();
		const expiresAt = endOf(wanted.expiresAt, await lifetimeRule(trx), now);
		const id = randomUUID();
		const token = newText();
		await trx
			.insertInto('api_tokens')
			.values({
				id,
				account_id: account.id,
				name,
				token_hash: bearer.hash('api token', token),
				role: wanted.role,
				...storedLimits({ ...NO_LIMITS, ...wanted }),
				created_at: now,
				expires_at: expiresAt
			})
			.execute();
		touch(trx, 'api_tokens', [id]);
		const detail = { account: account.name, token: name, ...createdFacts(wanted, { expiresAt }) };
		await audit.append({ actor: actorOf(by), action: 'token.created', target: id, detail }, trx);
		return { id, token, expiresAt };
	});
}
