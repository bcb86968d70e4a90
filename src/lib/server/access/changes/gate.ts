/**
 * The gate for changes of policies, roles, limits and safety controls. While changes need approval, one that
 * grants power becomes a proposal. Each feature submits its changes here itself, so that no page and no
 * script bypasses the gate; whether a change waits is decided in the database transaction that would apply
 * it.
 */
import { randomUUID } from 'node:crypto';
import type { ChangeCode } from '#lib/messages/changes.ts';
import { DAY_MS } from '#lib/text/units.ts';
import { touch } from '../../platform/audit-trail/recorded.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { sha256Hex } from '../../platform/secrets/digest.ts';
import { refuseFormerAdmin } from '../identity/formerAdmin.ts';
import type { Audit } from '../audit/audit.ts';
import type { Account } from '../identity/identity.ts';
import { lockPolicies } from './lock.ts';
import { readSettings } from '../security-settings/storedSettings.ts';
import type { AccessTables } from '../tables.ts';
import type { ChangeOutcome, ChangeKind, Looked } from './change.ts';
import { closeProposal } from './close.ts';
import { COMMAND_LINE } from '../../platform/audit-trail/entry.ts';

/** How long a proposal is open, in milliseconds. */
export const PROPOSAL_MS = 7 * DAY_MS;

export interface Gate {
	/**
	 * Applies a change, or proposes it where it needs approval.
	 * @param by an admin; null at the server's own command line, where nothing waits
	 * @throws {AppError} `account.not-admin`, or the reason why the change cannot be applied
	 */
	applyOrPropose<Code extends ChangeCode, Params, Done>(
		by: Account | null,
		kind: ChangeKind<Code, Params, Done>,
		params: Params
	): Promise<ChangeOutcome<Done>>;
}

/** Number of other admins who have to approve a change; 0: changes need no approval. */
export async function neededApprovals(within: Executor<AccessTables>): Promise<number> {
	return (await readSettings(within))['change-approvals'];
}

/** Hash of what a proposal is based on: the number of approvals needed, and the state that it changes. */
const baseOf = (needed: number, state: string): string =>
	sha256Hex(JSON.stringify([needed, state]));

/** Whether a proposal was made for this number of approvals and this state. */
export const isBasedOn = (
	base: string,
	needed: number,
	{ state, formerState = state }: Pick<Looked, 'state' | 'formerState'>
): boolean => [state, formerState].some((one) => baseOf(needed, one) === base);

const keyOf = (code: string, params: string): string => sha256Hex(`${code} ${params}`);

export function createGate(db: Database<AccessTables>, audit: Audit): Gate {
	async function propose(
		trx: Executor<AccessTables>,
		by: Account,
		{ code, params, needed }: { code: ChangeCode; params: string; needed: number },
		looked: Looked
	): Promise<string> {
		const now = Date.now();
		const open_key = keyOf(code, params);
		const before = await trx
			.selectFrom('change_proposals')
			.selectAll()
			.where('open_key', '=', open_key)
			.executeTakeFirst();
		if (before) {
			const isOver = Number(before.expires_at) <= now;
			if (!isOver && isBasedOn(before.base, needed, looked)) return before.id;
			const state = isOver ? 'expired' : 'voided';
			await closeProposal(trx, audit, before, { state, by: 'engine', at: now });
		}
		const id = randomUUID();
		await trx
			.insertInto('change_proposals')
			.values({
				id,
				code,
				params,
				base: baseOf(needed, looked.state),
				open_key,
				state: 'open',
				facts: JSON.stringify(looked.facts),
				account: by.id,
				author: by.name,
				needed: BigInt(needed),
				created_at: now,
				expires_at: now + PROPOSAL_MS
			})
			.execute();
		touch(trx, 'change_proposals', [id]);
		const change = { code: 'change', params: { change: code, facts: looked.facts } } as const;
		await audit.append(
			{ actor: by.name, action: 'change.proposed', target: id, detail: { change, needed } },
			trx
		);
		return id;
	}

	return {
		applyOrPropose: (by, kind, params) =>
			db.transaction().execute(async (trx) => {
				await lockPolicies(trx);
				// Accounts and safety controls change only under the audit lock, so the state cannot change
				// between the preview and the change.
				await audit.lock(trx);
				await refuseFormerAdmin(trx, by);
				const needed = await neededApprovals(trx);
				if (needed === 0) return { proposal: null, done: await kind.apply(trx, by, params) };
				const looked = await kind.look(trx, params);
				if (looked.waits && by !== null) {
					const wanted = { code: kind.code, params: JSON.stringify(params), needed };
					return { proposal: await propose(trx, by, wanted, looked), done: null };
				}
				const done = await kind.apply(trx, by, params);
				if (looked.waits) {
					const params = { change: kind.code, facts: looked.facts };
					const detail = { change: { code: 'change', params }, needed } as const;
					await audit.append({ actor: COMMAND_LINE, action: 'change.unapproved', detail }, trx);
				}
				return { proposal: null, done };
			})
	};
}
