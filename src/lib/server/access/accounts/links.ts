/** One-time links: an invitation makes an account, a reset gives an account a new password. */
import { randomBytes, randomUUID } from 'node:crypto';
import { factsOfRow, touch } from '../../platform/audit-trail/recorded.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../policy/identity.ts';
import { doesMoreThanLook } from '../policy/rules/approvers.ts';
import { isRole, type Role } from '../policy/roles.ts';
import {
	choiceFrom,
	chosen,
	choiceWords,
	giveWallets,
	type WalletChoice
} from '../policy/wallets/choice.ts';
import type { ChangeKind } from '../proposals/change.ts';
import { createGate } from '../proposals/gate.ts';
import type { AccessTables } from '../tables.ts';
import {
	addAccount,
	addAccountUnderOneOf,
	nameTaken,
	revokeAccess,
	storePassword
} from './accounts.ts';
import type { Bearer } from './bearer.ts';
import type { LocalLogin } from './localLogin.ts';
import { checkName } from './names.ts';
import { checkNewPassword, hashPassword } from './password.ts';

const HOUR = 60 * 60 * 1000;
/** How long an invitation works, in milliseconds. */
export const INVITATION_LIFETIME = 7 * 24 * HOUR;
/** How long a reset works, in milliseconds: it opens an account that exists. */
export const RESET_LIFETIME = 24 * HOUR;

/** Who makes a link: an admin, or somebody at the server's own command line (null). */
export type LinkMaker = Account | null;

/** What the page behind a link may show before it is used. */
export type LinkFacts =
	| {
			kind: 'invitation';
			role: Role;
			name: string | null;
			wallets: WalletChoice;
			/** Who invited; null for somebody at the server’s own command line. */
			by: string | null;
			expiresAt: number;
	  }
	| { kind: 'reset'; name: string; expiresAt: number };

/** An invitation that nobody has used yet, as an admin sees it. */
export interface OpenInvitation {
	id: string;
	role: Role;
	/** The name that it was made for, or null: whoever uses it chooses one. */
	name: string | null;
	/** The wallets that the person will have. */
	wallets: WalletChoice;
	createdBy: string;
	/** Unix milliseconds. */
	createdAt: number;
	expiresAt: number;
}

export interface Links {
	/**
	 * Makes an invitation. Its token is in the answer and nowhere else. Without wallets it gives none.
	 * One that waits in a proposal works from the approval on.
	 * @throws {AppError} `account.role-unknown`, `account.name-invalid`, `account.name-taken`
	 */
	invite(
		by: LinkMaker,
		wanted: { role: Role; name?: string; wallets?: WalletChoice }
	): Promise<{ id: string; token: string; proposal: string | null }>;
	/**
	 * Makes a link that gives the account a new password; older ones of the account stop working.
	 * One that waits in a proposal works from the approval on.
	 * @throws {AppError} `account.unknown`, `account.disabled`
	 */
	reset(by: LinkMaker, accountId: string): Promise<{ token: string; proposal: string | null }>;
	/** What the link is for; null when it was used, has expired, was taken back or is made up. */
	look(token: string): Promise<LinkFacts | null>;
	/**
	 * Uses an invitation up and makes the account.
	 * @throws {AppError} `account.link-unusable`, or what the name or the password lacks (then the link stays)
	 */
	accept(token: string, person: { name: string; password: string }): Promise<Account>;
	/** Names an invitation that works now; null where the text is none. */
	invitationId(token: string): Promise<string | null>;
	/**
	 * Uses an invitation up for somebody whom a provider of single sign-on knows, within the transaction that links them.
	 * @param person.names for the account, the best first, where the invitation holds none that is still free
	 * @param person.role that the provider gives; without it that of the invitation
	 * @throws {AppError} `account.link-unusable`, `account.name-taken`
	 */
	acceptWithoutPassword(
		trx: Executor<AccessTables>,
		id: string,
		person: { names: readonly string[]; role: Role | undefined }
	): Promise<Account>;
	/**
	 * Uses a reset up: the account has the new password, all its sessions end, its API tokens are revoked.
	 * @throws {AppError} `account.link-unusable`, or what the password lacks (then the link stays)
	 */
	setPassword(token: string, password: string): Promise<Account>;
	/** Invitations that still work, newest first. */
	openInvitations(): Promise<OpenInvitation[]>;
	/** Takes an invitation back; false when there is none to take back. */
	revoke(by: LinkMaker, id: string): Promise<boolean>;
	/** What of it can wait for approval. */
	readonly changes: readonly ChangeKind[];
}

/** A link as it is stored before it works. */
interface StoredLink {
	id: string;
	hash: string;
}

interface InvitationParams extends StoredLink {
	role: Role;
	name: string | null;
	/** As their rows name them. */
	wallets: string[];
}

type LinkKind = 'invitation' | 'reset';
/** A link by what stands in it, or by what the database calls it. */
type Which = { token: string } | { id: string };

const unusable = (): AppError => new AppError('account.link-unusable');
const nameOf = (by: LinkMaker): string => by?.name ?? 'command line';
/** The wallets that stand in a row. */
const walletsOf = (text: string | null): WalletChoice =>
	choiceFrom(text === null ? [] : (JSON.parse(text) as string[]));

export function createLinks(
	db: Database<AccessTables>,
	audit: Audit,
	bearer: Bearer,
	localLogin: LocalLogin
): Links {
	/** A link whose row allows it now: its maker may still make such links, its account may still sign in. */
	const usable = (within: Executor<AccessTables>, kind: LinkKind, which: Which) => {
		const links = within
			.selectFrom('account_links')
			.leftJoin('accounts as maker', 'maker.id', 'account_links.made_by')
			.leftJoin('accounts as person', 'person.id', 'account_links.account_id')
			.selectAll('account_links')
			.select([
				'person.name as person_name',
				'person.role as person_role',
				'maker.name as maker_name'
			])
			.where('account_links.kind', '=', kind)
			.where((where) =>
				'id' in which
					? where('account_links.id', '=', which.id)
					: where('account_links.token_hash', 'in', bearer.hashes('link', which.token))
			)
			.where('account_links.revoked_at', 'is', null)
			.where('account_links.expires_at', '>', BigInt(Date.now()))
			.where((where) =>
				where.or([
					where('account_links.made_by', 'is', null),
					where.and([where('maker.role', '=', 'admin'), where('maker.disabled_at', 'is', null)])
				])
			)
			.where((where) =>
				where.or([
					where('account_links.account_id', 'is', null),
					where('person.disabled_at', 'is', null)
				])
			);
		return links.where('account_links.used_at', 'is', null);
	};

	/** A link that works now, and that is what the log says of it. */
	async function working(within: Executor<AccessTables>, kind: LinkKind, which: Which) {
		const link = usable(within, kind, which);
		const found = await audit.recorded.vouch(
			() => link.executeTakeFirst(),
			({ person_name: _, person_role: __, maker_name: ___, ...row }) => [
				{ table: 'account_links', key: [row.id], facts: factsOfRow('account_links', row) }
			],
			within
		);
		return found?.vouched ? found.row : undefined;
	}

	/** Marks a link as used; of two at the same moment one succeeds. @throws {AppError} */
	async function useUp(trx: Executor<AccessTables>, id: string): Promise<void> {
		const { numUpdatedRows } = await trx
			.updateTable('account_links')
			.set({ used_at: Date.now() })
			.where('id', '=', id)
			.where('used_at', 'is', null)
			.where('revoked_at', 'is', null)
			.executeTakeFirst();
		if (numUpdatedRows !== 1n) throw unusable();
		touch(trx, 'account_links', [id], ['used_at']);
	}

	/** Uses an invitation up for the account that is made. @throws {AppError} */
	async function accepted(
		trx: Executor<AccessTables>,
		which: Which,
		by: string,
		add: (role: Role, name: string | null) => Promise<Account>
	): Promise<Account> {
		const link = await working(trx, 'invitation', which);
		if (!link?.role) throw unusable();
		await useUp(trx, link.id);
		const account = await add(link.role, link.name);
		const wallets = walletsOf(link.wallets);
		await giveWallets(trx, account.id, wallets);
		await audit.append(
			{
				actor: account.name,
				action: 'account.added',
				target: account.name,
				detail: {
					role: account.role,
					by,
					invitation: link.id,
					wallets: choiceWords(wallets)
				}
			},
			trx
		);
		return account;
	}

	/** A link that is made now, with what is stored of it: it works once its row is there. */
	function newLink() {
		const token = randomBytes(32).toString('base64url');
		return { token, stored: { id: randomUUID(), hash: bearer.hash('link', token) } };
	}

	async function insert(
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

	const gate = createGate(db, audit);

	const inviting: ChangeKind<'member.invite', InvitationParams, void> = {
		code: 'member.invite',
		async look(trx, { role, name, wallets }) {
			const taken = name === null ? null : await nameTaken(trx, name);
			if (taken !== null) throw taken;
			const facts = { name, role, wallets: choiceWords(choiceFrom(wallets)) };
			const waits = await doesMoreThanLook(trx, { account: null, role });
			return { waits, state: '', facts };
		},
		async apply(trx, by, { id, hash, role, name, wallets }) {
			const taken = name === null ? null : await nameTaken(trx, name);
			if (taken !== null) throw taken;
			await insert(
				trx,
				{ id, hash },
				{
					kind: 'invitation',
					by,
					lifetime: INVITATION_LIFETIME,
					role,
					name,
					wallets,
					accountId: null
				}
			);
			await audit.append(
				{
					actor: nameOf(by),
					action: 'invitation.made',
					target: id,
					detail: { role, name, wallets: choiceWords(choiceFrom(wallets)) }
				},
				trx
			);
		}
	};

	async function toReset(trx: Executor<AccessTables>, id: string) {
		const account = await trx
			.selectFrom('accounts')
			.select(['name', 'role', 'disabled_at'])
			.where('id', '=', id)
			.executeTakeFirst();
		if (!account) throw new AppError('account.unknown');
		const { name, role } = account;
		if (account.disabled_at !== null) throw new AppError('account.disabled', { name });
		return { name, role };
	}

	// Whoever resets a password can log in as that member: an admin could approve under two names.
	const resetting: ChangeKind<'member.password', StoredLink & { account: string }, void> = {
		code: 'member.password',
		async look(trx, { account }) {
			const { name, role } = await toReset(trx, account);
			const waits = await doesMoreThanLook(trx, { account, role });
			return { waits, state: role, facts: { member: name, role } };
		},
		async apply(trx, by, { id, hash, account }) {
			const { name } = await toReset(trx, account);
			const earlier = await trx
				.updateTable('account_links')
				.set({ revoked_at: Date.now() })
				.where('account_id', '=', account)
				.where('used_at', 'is', null)
				.where('revoked_at', 'is', null)
				.returning('id')
				.execute();
			for (const link of earlier) touch(trx, 'account_links', [link.id], ['revoked_at']);
			await insert(
				trx,
				{ id, hash },
				{
					kind: 'reset',
					by,
					lifetime: RESET_LIFETIME,
					role: null,
					name: null,
					wallets: null,
					accountId: account
				}
			);
			await audit.append({ actor: nameOf(by), action: 'password.reset-made', target: name }, trx);
		}
	};

	return {
		changes: [inviting, resetting],

		async invite(by, { role, name: typed, wallets = { every: false, daemons: [] } }) {
			if (!isRole(role)) throw new AppError('account.role-unknown');
			const name = typed?.trim() ? checkName(typed) : null;
			const link = newLink();
			const params = { ...link.stored, role, name, wallets: chosen(wallets) };
			const { proposal } = await gate.applyOrPropose(by, inviting, params);
			return { id: link.stored.id, token: link.token, proposal };
		},

		async reset(by, account) {
			const link = newLink();
			const { proposal } = await gate.applyOrPropose(by, resetting, { ...link.stored, account });
			return { token: link.token, proposal };
		},

		async look(token) {
			const invitation = await working(db, 'invitation', { token });
			if (invitation?.role) {
				const { role, name, wallets, maker_name, expires_at } = invitation;
				return {
					kind: 'invitation',
					role,
					name,
					wallets: walletsOf(wallets),
					by: maker_name,
					expiresAt: Number(expires_at)
				};
			}
			const reset = await working(db, 'reset', { token });
			if (!reset?.person_name) return null;
			return { kind: 'reset', name: reset.person_name, expiresAt: Number(reset.expires_at) };
		},

		async invitationId(token) {
			return (await working(db, 'invitation', { token }))?.id ?? null;
		},

		async accept(token, person) {
			if (!(await localLogin.isOpen())) throw new AppError('sign-on.local-closed');
			return db
				.transaction()
				.execute((trx) =>
					accepted(trx, { token }, 'invitation', (role, name) =>
						addAccount(trx, { name: name ?? person.name, role, password: person.password })
					)
				);
		},

		acceptWithoutPassword: (trx, id, person) =>
			accepted(trx, { id }, 'invitation and single sign-on', (role, name) =>
				addAccountUnderOneOf(
					trx,
					name === null ? person.names : [name, ...person.names],
					person.role ?? role
				)
			),

		async setPassword(token, password) {
			const person = await working(db, 'reset', { token });
			const { person_name, person_role } = person ?? {};
			if (!person_name || !person_role) throw unusable();
			if (!(await localLogin.isOpenFor({ name: person_name, role: person_role }))) {
				throw new AppError('sign-on.local-closed');
			}
			checkNewPassword(password, person_name);
			const hash = await hashPassword(password);
			return db.transaction().execute(async (trx) => {
				// What opens a way into the account meanwhile is there before, or finds that its session has ended.
				await audit.lock(trx);
				const link = await working(trx, 'reset', { token });
				const { account_id: id, person_name: name, person_role: role } = link ?? {};
				if (!link || !id || !name || !role) throw unusable();
				await useUp(trx, link.id);
				await storePassword(trx, id, hash);
				const revoked = await revokeAccess(trx, id);
				await audit.append(
					{
						actor: name,
						action: 'password.reset',
						target: name,
						detail: { by: 'link', ...revoked }
					},
					trx
				);
				return { id, name, role };
			});
		},

		async openInvitations() {
			const rows = await db
				.selectFrom('account_links')
				.leftJoin('accounts as maker', 'maker.id', 'account_links.made_by')
				.select([
					'account_links.id',
					'account_links.role',
					'account_links.name',
					'account_links.wallets',
					'account_links.created_at',
					'account_links.expires_at',
					'maker.name as maker_name'
				])
				.where('account_links.kind', '=', 'invitation')
				.where('account_links.used_at', 'is', null)
				.where('account_links.revoked_at', 'is', null)
				.where('account_links.expires_at', '>', BigInt(Date.now()))
				.orderBy('account_links.created_at', 'desc')
				.orderBy('account_links.id')
				.execute();
			return rows.flatMap((row) =>
				row.role === null
					? []
					: [
							{
								id: row.id,
								role: row.role,
								name: row.name,
								wallets: walletsOf(row.wallets),
								createdBy: row.maker_name ?? 'command line',
								createdAt: Number(row.created_at),
								expiresAt: Number(row.expires_at)
							}
						]
			);
		},

		async revoke(by, id) {
			return db.transaction().execute(async (trx) => {
				const { numUpdatedRows } = await trx
					.updateTable('account_links')
					.set({ revoked_at: Date.now() })
					.where('id', '=', id)
					.where('kind', '=', 'invitation')
					.where('used_at', 'is', null)
					.where('revoked_at', 'is', null)
					.executeTakeFirst();
				if (numUpdatedRows === 0n) return false;
				touch(trx, 'account_links', [id], ['revoked_at']);
				await audit.append({ actor: nameOf(by), action: 'invitation.taken-back', target: id }, trx);
				return true;
			});
		}
	};
}
