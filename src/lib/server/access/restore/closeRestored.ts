/**
 * Closes what restoring a backup would reopen. A backup holds the rights of its time; members who were locked
 * out since, or had more rights then, must not get them back. So API tokens are revoked, and accounts that
 * differ from what was last known wait for an admin.
 */
import type { AccountState, LostAccess } from '#lib/messages/accountStates.ts';
import type { RecordedValue } from '#lib/messages/audit/values.ts';
import type { StoredAccounts } from '../../platform/audit-trail/record.ts';
import {
	factsOfRow,
	idOf,
	readRows,
	touch,
	type Facts
} from '../../platform/audit-trail/recorded.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { Audit } from '../audit/audit.ts';
import { TABLES_OF_RIGHTS } from '../audit/outsideCopy.ts';
import { forgetAddress } from '../notifications/addresses.ts';
import { failWaiting } from '../notifications/queue.ts';
import { serverOf } from '../notifications/webhooks.ts';
import { listedRequests } from '../approvals/find.ts';
import { createOpenRequests } from '../approvals/open.ts';
import { LISTED_COLUMNS } from '../approvals/request.ts';
import { SAFETY_CONTROLS, type SafetyControlName } from '../policy/safety-controls/names.ts';
import { closeProposal } from '../changes/close.ts';
import type { AccessTables } from '../tables.ts';
import { holdDecided } from './decidedSince.ts';
import { COMMAND_LINE } from '../../platform/audit-trail/entry.ts';

/** An account that an admin has to confirm. */
export interface ToConfirm {
	name: string;
	/** Its state in the backup, and the one last known; null: not known. */
	backup: AccountState;
	lastKnown: AccountState | null;
}

export interface Closed {
	toConfirm: ToConfirm[];
	/** Number of API tokens that were revoked. */
	tokens: number;
	/** Names of the admins who can sign in. */
	admins: string[];
	/** Names of accounts that were last known and are not in the backup. */
	missing: string[];
	/** Safety controls that were turned on again. */
	controls: SafetyControlName[];
	/**
	 * Number of rows of decisions and recovery codes that were reset from the backup's state to the one last
	 * known.
	 */
	decided: number;
	/** Number of webhooks that were disabled. */
	webhooks: number;
	/** Number of email addresses that were removed. */
	addresses: number;
	/** Whether the accounts from before the restore were known. */
	known: boolean;
}

/** The last known state, from the copy in the data folder. */
interface KnownState {
	/** Null: not known. */
	accounts: StoredAccounts | null;
	/** Whether it is from after the backup: one from before knows of no later decisions. */
	isLater: boolean;
}

const stateOf = (facts: Facts, lost: LostAccess | null): AccountState => ({
	role: facts['role'] ?? '',
	enabled: facts['disabled_at'] === null,
	lost
});

/** The last known state of an account, where it allowed less than the backup does; null when the two agree. */
function differs(now: Facts, last: Facts | undefined): AccountState | null {
	if (last === undefined) return { account: 'none' };
	if (now['role'] !== last['role']) return stateOf(last, null);
	if (now['disabled_at'] === null && last['disabled_at'] !== null) return stateOf(last, null);
	if (now['password_hash'] !== last['password_hash']) return stateOf(last, { what: 'password' });
	const factor = last['second_factor_at'] ?? null;
	// Without the factor, or with the earlier one, anyone who knows the password could log in again.
	if (factor !== null && factor !== now['second_factor_at']) {
		return stateOf(last, { what: 'other-factor' });
	}
	return null;
}

/** Rights and logins that accounts have in the backup and no longer had when last known, by account id. */
async function takenAway(
	trx: Executor<AccessTables>,
	rights: readonly string[]
): Promise<ReadonlyMap<string, LostAccess>> {
	const known = new Set(rights);
	const taken = new Map<string, LostAccess>();
	for (const table of TABLES_OF_RIGHTS) {
		for (const { key, facts } of await readRows(trx, table)) {
			if (known.has(idOf(table, key))) continue;
			const [first = '', second = ''] = key;
			if (table === 'wallet_grants') taken.set(first, { what: 'wallet', wallet: second });
			else taken.set(facts['account_id'] ?? '', { what: LOGINS[table] });
		}
	}
	return taken;
}

const recorded = (state: AccountState): RecordedValue => ({ code: 'account-state', params: state });

const LOGINS = { second_factors: 'factor', identities: 'identity' } as const;

/**
 * Decides which accounts wait for an admin.
 * @param last last known facts by account id; null: not known, then every account but the admins' waits
 * @param taken what was withdrawn since the backup, by account id
 */
function accountsToConfirm(
	accounts: readonly { id: string; name: string; facts: Facts }[],
	last: Readonly<Record<string, Facts>> | null,
	taken: ReadonlyMap<string, LostAccess>
): (ToConfirm & { id: string })[] {
	return accounts.flatMap(({ id, name, facts }) => {
		if (facts['disabled_at'] !== null) return [];
		const lost = taken.get(id);
		const lacking = lost === undefined ? null : stateOf(facts, lost);
		const lastKnown = last === null ? null : (differs(facts, last[id]) ?? lacking);
		const waits = last === null ? facts['role'] !== 'admin' : lastKnown !== null;
		return waits ? [{ id, name, backup: stateOf(facts, null), lastKnown }] : [];
	});
}

async function forgetLinks(trx: Executor<AccessTables>, audit: Audit): Promise<void> {
	for (const { table, key } of await audit.recorded.baseline(trx)) {
		if (table === 'account_links') touch(trx, table, key);
	}
}

/** Voids open proposals: they are for a state that the restore has replaced. */
async function voidProposals(trx: Executor<AccessTables>, audit: Audit, at: number): Promise<void> {
	const open = await trx
		.selectFrom('change_proposals')
		.selectAll()
		.where('state', '=', 'open')
		.execute();
	for (const proposal of open) {
		await closeProposal(trx, audit, proposal, { state: 'voided', by: COMMAND_LINE, at });
	}
}

/** Voids open requests: they were approved under rules and by members that the restore has replaced. */
async function voidRequests(trx: Executor<AccessTables>, audit: Audit, at: number): Promise<void> {
	const requests = createOpenRequests(audit, () => at);
	const open = await trx
		.selectFrom('approval_requests')
		.select(LISTED_COLUMNS)
		.where('state', '=', 'open')
		.execute();
	for (const request of await listedRequests(trx, open, at)) {
		await requests.close(trx, request, 'voided', { by: COMMAND_LINE });
	}
}

/** Turns safety controls on again that were on when last known, since no one has turned them off. */
async function stopAgain(
	trx: Executor<AccessTables>,
	audit: Audit,
	controls: Readonly<Record<string, Facts>>,
	at: number
): Promise<SafetyControlName[]> {
	const again: SafetyControlName[] = [];
	for (const name of SAFETY_CONTROLS) {
		const was = controls[name];
		if (was === undefined) continue;
		const reason = was['reason'] ?? '';
		const row = await trx
			.insertInto('safety_controls')
			.values({
				name,
				reason,
				thrown_by: was['thrown_by'] ?? COMMAND_LINE,
				since: BigInt(was['since'] ?? at)
			})
			.onConflict((conflict) => conflict.column('name').doNothing())
			.returning('name')
			.executeTakeFirst();
		if (row === undefined) continue;
		touch(trx, 'safety_controls', [name]);
		await audit.append(
			{ actor: COMMAND_LINE, action: 'switch.thrown', target: name, detail: { reason } },
			trx
		);
		again.push(name);
	}
	return again;
}

/** Disables the webhooks of a backup: an admin may have removed or changed one since, which is not known. */
async function disableWebhooks(
	trx: Executor<AccessTables>,
	audit: Audit,
	at: number
): Promise<number> {
	const disabled = await trx
		.updateTable('webhooks')
		.set({ disabled_at: at })
		.where('disabled_at', 'is', null)
		.returning(['id', 'url'])
		.execute();
	for (const { id, url } of disabled) {
		await failWaiting(trx, `webhook:${id}`, at);
		const detail = { server: serverOf(url), reason: 'restored' };
		await audit.append(
			{ actor: COMMAND_LINE, action: 'webhook.disabled', target: id, detail },
			trx
		);
	}
	return disabled.length;
}

/**
 * Removes the email addresses of a backup, with their pending mails: a member may have removed or changed one
 * since, because another person reads it.
 */
async function forgetAddresses(trx: Executor<AccessTables>, audit: Audit): Promise<number> {
	const members = await trx
		.selectFrom('notice_settings as s')
		.innerJoin('accounts as a', 'a.id', 's.account_id')
		.select(['a.id', 'a.name', 's.email'])
		.where(({ or, eb }) =>
			or([eb('s.email', 'is not', null), eb('s.pending_email', 'is not', null)])
		)
		.orderBy('a.name_key')
		.execute();
	for (const { id, name, email } of members) {
		await forgetAddress(trx, id);
		if (email === null) continue;
		const detail = { reason: 'restored' };
		await audit.append(
			{ actor: COMMAND_LINE, action: 'notices.email-removed', target: name, detail },
			trx
		);
	}
	return members.filter(({ email }) => email !== null).length;
}

/**
 * Closes what a backup has reopened.
 * @param known last known state, from the data folder
 * @param event what the audit log says of the backup; `target` is its name
 */
export async function closeRestored(
	db: Database<AccessTables>,
	audit: Audit,
	{ accounts: kept, isLater }: KnownState,
	event: { target: string; madeAt: string; rows: number }
): Promise<Closed> {
	const ours = kept !== null && audit.isOurs(kept) ? kept : null;
	const last = ours?.accounts ?? null;
	const { target, ...detail } = event;
	return db.transaction().execute(async (trx) => {
		await audit.lock(trx);
		await forgetLinks(trx, audit);
		const now = Date.now();
		const decided =
			ours?.decided === undefined || !isLater ? 0 : await holdDecided(trx, ours.decided, now);
		await audit.append({ actor: COMMAND_LINE, action: 'archive.restored', target, detail }, trx);
		const revoked = await trx
			.updateTable('api_tokens')
			.set({ revoked_at: now })
			.where('revoked_at', 'is', null)
			.returning(['id', 'name', 'account_id'])
			.execute();
		const rows = await trx
			.selectFrom('accounts')
			.select(['id', 'name', 'role', 'password_hash', 'disabled_at', 'second_factor_at'])
			.orderBy('name_key')
			.execute();
		const nameOf = new Map(rows.map(({ id, name }) => [id, name]));
		for (const { id, name, account_id } of revoked) {
			touch(trx, 'api_tokens', [id], ['revoked_at']);
			await audit.append(
				{
					actor: COMMAND_LINE,
					action: 'token.revoked',
					target: id,
					detail: { account: nameOf.get(account_id), token: name, reason: 'restored' }
				},
				trx
			);
		}
		const webhooks = await disableWebhooks(trx, audit, now);
		const addresses = await forgetAddresses(trx, audit);
		const controls = await stopAgain(trx, audit, ours?.controls ?? {}, now);
		await voidProposals(trx, audit, now);
		await voidRequests(trx, audit, now);
		const accounts = rows.map((row) => ({ ...row, facts: factsOfRow('accounts', row) }));
		const taken =
			ours?.rights === undefined
				? new Map<string, LostAccess>()
				: await takenAway(trx, ours.rights);
		const toConfirm = accountsToConfirm(accounts, last, taken);
		for (const { id, name, backup, lastKnown } of toConfirm) {
			await trx
				.updateTable('accounts')
				.set({ disabled_at: now, to_confirm: JSON.stringify({ backup, lastKnown }) })
				.where('id', '=', id)
				.execute();
			touch(trx, 'accounts', [id], ['disabled_at', 'to_confirm']);
			await audit.append(
				{
					actor: COMMAND_LINE,
					action: 'account.disabled',
					target: name,
					detail: {
						reason: 'unconfirmed',
						backup: recorded(backup),
						lastKnown: lastKnown === null ? null : recorded(lastKnown)
					}
				},
				trx
			);
		}
		const waiting = new Set(toConfirm.map(({ id }) => id));
		const there = new Set(accounts.map(({ id }) => id));
		return {
			toConfirm: toConfirm.map(({ name, backup, lastKnown }) => ({ name, backup, lastKnown })),
			tokens: revoked.length,
			controls,
			decided,
			webhooks,
			addresses,
			admins: accounts
				.filter(
					({ id, role, disabled_at }) =>
						role === 'admin' && disabled_at === null && !waiting.has(id)
				)
				.map(({ name }) => name),
			missing: Object.entries(last ?? {})
				.filter(([id]) => !there.has(id))
				.map(([id, facts]) => facts['name'] ?? id),
			known: last !== null
		};
	});
}
