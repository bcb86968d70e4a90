/**
 * Which daemons' wallets a member may use. With a wallet that is not granted, a member can read the chain and
 * the wallet's balance; whatever lists the wallet, builds, signs or sends is refused, in pages, by the RPC
 * API and for their tokens alike.
 */
import { walletChoiceWords } from '#lib/messages/walletChoice.ts';
import type { CodesOf } from '#lib/messages/errors/index.ts';
import type { Database, Executor } from '../../../platform/database/database.ts';
import { createRowCache } from '../../../platform/database/rowCache.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import type { LinkMaker } from '../../identity/linkMaker.ts';
import { nameKeyOf } from '../../identity/names.ts';
import type { Audit } from '../../audit/audit.ts';
import type { ChangeOutcome, ChangeKind } from '../../changes/change.ts';
import { createGate } from '../../changes/gate.ts';
import type { AccessTables } from '../../tables.ts';
import type { Role } from '../../identity/roles.ts';
import { choiceFrom, chosen, giveWallets, type WalletChoice } from './choice.ts';
import type { EndableKind } from './tables.ts';
import { actorOf } from '../../../platform/audit-trail/entry.ts';

/** A member, with the fields that decide about wallets. */
export interface WalletUser {
	id: string;
	name: string;
	role: Role;
	disabled: boolean;
	choice: WalletChoice;
}

export type { WalletChoice };

export interface Wallets {
	choiceOf(accountId: string): Promise<WalletChoice>;
	/** The wallet grants by account id; an account that is missing may use none. */
	all(): Promise<ReadonlyMap<string, WalletChoice>>;
	/**
	 * Replaces the wallet grants of an account, or proposes it where that needs approval. It applies from the
	 * next call on.
	 * @param by an admin; null at the server's own command line
	 * @throws {AppError} `account.unknown`
	 */
	set(by: LinkMaker, accountId: string, choice: WalletChoice): Promise<ChangeOutcome>;
	/** The changes of grants that can wait for approval. */
	readonly changes: readonly ChangeKind[];
	/** The member of that name; null when there is none. */
	userOf(name: string): Promise<WalletUser | null>;
	/** Why this member must not use the wallet of this daemon; null when they may. */
	refusal(name: string, daemon: string): Promise<AppError<CodesOf<'wallet'>> | null>;
	/** Name of the account that this work was assigned to; null: it is still with the one that began it. */
	holderOf(kind: EndableKind, id: string): Promise<string | null>;
}

/**
 * Whether a wallet may be used. An admin could grant any wallet anyway, so a list would not restrict one.
 * @param daemon its id
 */
export function mayUseWallet(role: Role, choice: WalletChoice, daemon: string): boolean {
	return role === 'admin' || choice.every || choice.daemons.includes(daemon);
}

/** Whether a choice grants a wallet that the earlier one does not. */
const gives = (before: WalletChoice, wanted: WalletChoice): boolean =>
	!before.every &&
	(wanted.every || wanted.daemons.some((daemon) => !before.daemons.includes(daemon)));

const stateOf = (choice: WalletChoice): string => JSON.stringify(chosen(choice));

export function createWallets(db: Database<AccessTables>, audit: Audit): Wallets {
	const kept = createRowCache<WalletUser>(db.changeStamp);

	async function read(within: Executor<AccessTables>, accountId: string): Promise<WalletChoice> {
		const rows = await within
			.selectFrom('wallet_grants')
			.select('daemon')
			.where('account_id', '=', accountId)
			.execute();
		return choiceFrom(rows.map(({ daemon }) => daemon));
	}

	/**
	 * Returns the account's name.
	 * @throws {AppError} `account.unknown`
	 */
	async function memberOf(within: Executor<AccessTables>, accountId: string): Promise<string> {
		const account = await within
			.selectFrom('accounts')
			.select('name')
			.where('id', '=', accountId)
			.executeTakeFirst();
		if (!account) throw new AppError('account.unknown');
		return account.name;
	}

	async function find(nameKey: string): Promise<WalletUser | null> {
		const row = await db
			.selectFrom('accounts')
			.select(['id', 'name', 'role', 'disabled_at'])
			.where('name_key', '=', nameKey)
			.executeTakeFirst();
		if (!row) return null;
		const { id, name, role } = row;
		return { id, name, role, disabled: row.disabled_at !== null, choice: await read(db, id) };
	}

	const userOf = async (name: string): Promise<WalletUser | null> => {
		const key = nameKeyOf(name);
		return kept.get(key, () => find(key));
	};

	const gate = createGate(db, audit);
	/** `choice` holds row values of `wallet_grants.daemon`. */
	const walletChange: ChangeKind<'member.wallets', { account: string; choice: string[] }, void> = {
		code: 'member.wallets',
		async look(trx, { account, choice }) {
			const member = await memberOf(trx, account);
			const before = await read(trx, account);
			const wanted = choiceFrom(choice);
			return {
				waits: gives(before, wanted),
				state: stateOf(before),
				formerState: walletChoiceWords(before),
				facts: { member, before, after: wanted }
			};
		},
		async apply(trx, by, { account, choice }) {
			await audit.lock(trx);
			const member = await memberOf(trx, account);
			const wanted = choiceFrom(choice);
			const before = await read(trx, account);
			if (stateOf(before) === stateOf(wanted)) return;
			await giveWallets(trx, account, wanted);
			await audit.append(
				{
					actor: actorOf(by),
					action: 'wallets.changed',
					target: member,
					detail: {
						from: { code: 'wallets', params: before },
						to: { code: 'wallets', params: wanted }
					}
				},
				trx
			);
		}
	};

	return {
		choiceOf: (accountId) => read(db, accountId),

		async all() {
			const rows = await db.selectFrom('wallet_grants').selectAll().execute();
			const daemons = Map.groupBy(rows, (row) => row.account_id);
			return new Map(
				[...daemons].map(([id, grants]) => [id, choiceFrom(grants.map(({ daemon }) => daemon))])
			);
		},

		changes: [walletChange],

		set: (by, account, choice) =>
			gate.applyOrPropose(by, walletChange, { account, choice: chosen(choice) }),

		userOf,

		async holderOf(kind, id) {
			const row = await db
				.selectFrom('assignments')
				.select('holder')
				.where('kind', '=', kind)
				.where('item', '=', id)
				.executeTakeFirst();
			return row?.holder ?? null;
		},

		async refusal(name, daemon) {
			const user = await userOf(name);
			if (!user || user.disabled) return new AppError('wallet.account-closed');
			if (mayUseWallet(user.role, user.choice, daemon)) return null;
			return new AppError('wallet.not-granted', { daemon });
		}
	};
}
