/**
 * Who may read a request: its author, members whose approval it asks for or has, admins, and members who may
 * build with its wallet. For all others it does not exist.
 */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Account } from '../identity/identity.ts';
import { mayAccess } from '../policy/permissions.ts';
import type { WalletChoice } from '../policy/wallets/choice.ts';
import type { AccessTables } from '../tables.ts';

export interface Reader extends Pick<Account, 'id' | 'role'> {
	/** The wallets granted to the member. */
	wallets: WalletChoice;
}

type Requests = ExpressionBuilder<AccessTables, 'approval_requests'>;
type Condition = Expression<SqlBool>;

/** The stored terms hold ids and roles as quoted JSON strings; no id equals the name of a role. */
const isAsked = (eb: Requests, { id, role }: Reader): Condition =>
	eb.or([eb('terms', 'like', `%"${id}"%`), eb('terms', 'like', `%"${role}"%`)]);

const hasApproved = (eb: Requests, { id }: Reader): Condition =>
	eb.exists(
		eb
			.selectFrom('approval_votes')
			.select('approval_votes.at')
			.whereRef('approval_votes.request', '=', 'approval_requests.id')
			.where('approval_votes.account', '=', id)
	);

/** SQL condition: the requests that a reader may read. */
export const readableBy =
	(reader: Reader) =>
	(eb: Requests): Condition => {
		const { id, role, wallets } = reader;
		if (role === 'admin') return eb.and([]);
		const either = [eb('account', '=', id), isAsked(eb, reader), hasApproved(eb, reader)];
		if (!mayAccess(role, 'build', false)) return eb.or(either);
		if (wallets.every) return eb.and([]);
		return eb.or([
			...either,
			...(wallets.daemons.length === 0 ? [] : [eb('wallet', 'in', wallets.daemons)])
		]);
	};

/** SQL condition: the open requests that wait for a reader's approval. */
export const waitsFor =
	(reader: Reader, now: number) =>
	(eb: Requests): Condition =>
		eb.and([
			eb('state', '=', 'open'),
			eb('expires_at', '>', BigInt(now)),
			eb('account', '!=', reader.id),
			isAsked(eb, reader),
			eb.not(hasApproved(eb, reader))
		]);
