/**
 * Which daemons' wallets a person may use. Where somebody may not, they read the chain and the wallet's balance: whatever
 * lists the wallet, builds, signs or sends there is refused, in pages, by the RPC API and with their tokens alike.
 */
import type { CodesOf } from '#lib/messages/errors/index.ts';
import type { Database, Executor } from '../../../platform/database/database.ts';
import { createKept } from '../../../platform/database/kept.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import type { LinkMaker } from '../../accounts/linkMaker.ts';
import { nameKeyOf } from '../../accounts/names.ts';
import type { Audit } from '../../audit/audit.ts';
import type { ChangeOutcome, ChangeKind } from '../../proposals/change.ts';
import { createGate } from '../../proposals/gate.ts';
import type { AccessTables } from '../../tables.ts';
import type { Role } from '../roles.ts';
import { choiceFrom, choiceWords, chosen, giveWallets, type WalletChoice } from './choice.ts';
import type { EndableKind } from './tables.ts';

/** A person as far as wallets are concerned. */
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
	/** What everybody may use, by account id; who is missing may use none. */
	all(): Promise<ReadonlyMap<string, WalletChoice>>;
	/**
	 * Gives a person these wallets and no others, or proposes it. It counts from the next call on.
	 * @param by an admin; null at the server's own command line
	 * @throws {AppError} `account.unknown`
	 */
	set(by: LinkMaker, accountId: string, choice: WalletChoice): Promise<ChangeOutcome>;
	/** What of it can wait for approval. */
	readonly changes: readonly ChangeKind[];
	/** The person of that name; null when there is none. */
	userOf(name: string): Promise<WalletUser | null>;
	/** Why this person must not use the wallet of this daemon; null when they may. */
	refusal(name: string, daemon: string): Promise<AppError<CodesOf<'wallet'>> | null>;
	/** Name of the account into whose hands this was put; null: it is with whoever began it. */
	holderOf(kind: EndableKind, id: string): Promise<string | null>;
}

/**
 * The rule. An admin gives out the wallets and could take any, so nothing is gained by a list for one.
 * @param daemon its id
 */
export function mayUseWallet(role: Role, choice: WalletChoice, daemon: string): boolean {
	return role === 'admin' || choice.every || choice.daemons.includes(daemon);
}

/** Whether a choice gives a wallet that another one does not. */
const gives = (before: WalletChoice, wanted: WalletChoice): boolean =>
	!before.every &&
	(wanted.every || wanted.daemons.some((daemon) => !before.daemons.includes(daemon)));

export function createWallets(db: Database<AccessTables>, audit: Audit): Wallets {
	const kept = createKept<WalletUser>(db.changeStamp);

	async function read(within: Executor<AccessTables>, accountId: string): Promise<WalletChoice> {
		const rows = await within
			.selectFrom('wallet_grants')
			.select('daemon')
			.where('account_id', '=', accountId)
			.execute();
		return choiceFrom(rows.map(({ daemon }) => daemon));
	}

	/** @throws {AppError} `account.unknown` */
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
	/** Wallets as their rows name them. */
	const walletChange: ChangeKind<'member.wallets', { account: string; choice: string[] }, void> = {
		code: 'member.wallets',
		async look(trx, { account, choice }) {
			const member = await memberOf(trx, account);
			const before = await read(trx, account);
			const wanted = choiceFrom(choice);
			return {
				waits: gives(before, wanted),
				state: choiceWords(before),
				facts: { member, before: choiceWords(before), after: choiceWords(wanted) }
			};
		},
		async apply(trx, by, { account, choice }) {
			await audit.lock(trx);
			const member = await memberOf(trx, account);
			const wanted = choiceFrom(choice);
			const before = choiceWords(await read(trx, account));
			const after = choiceWords(wanted);
			if (before === after) return;
			await giveWallets(trx, account, wanted);
			await audit.append(
				{
					actor: by?.name ?? 'command line',
					action: 'wallets.changed',
					target: member,
					detail: { from: before, to: after }
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
