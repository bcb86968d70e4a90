/** Recipients of an event: members who may see its subject, as the database has them at that moment. */
import { noticeKind } from '#lib/messages/notices/catalogue.ts';
import type { Executor } from '../../platform/database/database.ts';
import { nameKeyOf } from '../identity/names.ts';
import { mayAccess } from '../policy/permissions.ts';
import type { Role } from '../identity/roles.ts';
import { choiceFrom } from '../policy/wallets/choice.ts';
import { mayUseWallet, type WalletChoice } from '../policy/wallets/wallets.ts';
import type { AccessTables } from '../tables.ts';
import { mayHearOf } from './kinds.ts';
import type { Audience, NoticeEvent } from './noticeEvent.ts';

/** A member, with the fields that notices depend on. */
interface Hearer {
	id: string;
	nameKey: string;
	role: Role;
	wallets: WalletChoice;
}

/** Returns all members who can log in; no others are notified. */
export async function readHearers(db: Executor<AccessTables>): Promise<Hearer[]> {
	const accounts = await db
		.selectFrom('accounts')
		.select(['id', 'name_key', 'role'])
		.where('disabled_at', 'is', null)
		.where('to_confirm', 'is', null)
		.execute();
	const grants = Map.groupBy(
		await db.selectFrom('wallet_grants').select(['account_id', 'daemon']).execute(),
		(grant) => grant.account_id
	);
	return accounts.map(({ id, name_key: nameKey, role }) => ({
		id,
		nameKey,
		role,
		wallets: choiceFrom((grants.get(id) ?? []).map(({ daemon }) => daemon))
	}));
}

function isMeant({ nameKey, role, wallets }: Hearer, audience: Audience): boolean {
	const { members, right, wallet } = audience;
	if (members !== undefined && !members.some((name) => nameKeyOf(name) === nameKey)) return false;
	if (!mayAccess(role, right, false)) return false;
	return wallet === undefined || mayUseWallet(role, wallets, wallet);
}

/** Returns those of `hearers` whom an event concerns. */
export function recipientsOf(event: NoticeEvent, hearers: readonly Hearer[]): Hearer[] {
	const except = event.except === undefined ? null : nameKeyOf(event.except);
	const kind = noticeKind(event.message.code);
	return hearers.filter(
		(hearer) =>
			hearer.nameKey !== except &&
			mayHearOf(hearer.role, kind) &&
			event.to.some((audience) => isMeant(hearer, audience))
	);
}
