/** Changes that members make to open activations; no lease of a worker prevents them. */
import type { ActivationEvent } from '#lib/messages/activation/events.ts';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';
import type { AuditTrail } from '../../platform/audit-trail/trail.ts';
import type { Database } from '../../platform/database/database.ts';
import type { KdfTables } from '../tables.ts';
import { OPEN_STATES } from './states.ts';
import { writeEvent } from './writeEvent.ts';

interface Parts {
	db: Database<KdfTables>;
	audit: AuditTrail;
	clock?: (() => number) | undefined;
}

export function createMemberChanges({ db, audit, clock = Date.now }: Parts) {
	/**
	 * Updates an open activation for a member. Returns false when the condition `where` does not hold any more.
	 */
	async function byMember(
		id: string,
		set: Partial<{
			cancel_by: string;
			due_at: bigint;
			forget_task: null;
			pin_holder: string | null;
			pin_holder_until: bigint | null;
		}>,
		event: ActivationEvent | null,
		where: 'open' | 'waiting' | { mayHold: string; at: bigint },
		entry?: AuditEntry
	): Promise<boolean> {
		return db.transaction().execute(async (trx) => {
			let query = trx
				.updateTable('activations')
				.set({ ...set, updated_at: BigInt(clock()) })
				.where('id', '=', id);
			if (where === 'open') query = query.where('state', 'in', [...OPEN_STATES]);
			else if (where === 'waiting') query = query.where('state', '=', 'waiting');
			else {
				query = query
					.where('state', '=', 'action')
					.where((or) =>
						or.or([
							or('pin_holder', 'is', null),
							or('pin_holder', '=', where.mayHold),
							or('pin_holder_until', '<=', where.at)
						])
					);
			}
			const changed = await query.returning('id').executeTakeFirst();
			if (changed && event !== null) await writeEvent(trx, id, clock, event);
			if (changed && entry !== undefined) await audit.append(entry, trx);
			return changed !== undefined;
		});
	}

	return {
		/** Requests the end of an activation. */
		cancel(id: string, by: string): Promise<boolean> {
			return byMember(
				id,
				{ cancel_by: by, due_at: BigInt(clock()) },
				{ code: 'end.asked', params: { actor: by } },
				'open',
				{ actor: by, action: 'activation.cancel', target: id }
			);
		},

		/** Makes the next try due immediately, even if the node still keeps the result of the last one. */
		hurry(id: string, by: string): Promise<boolean> {
			return byMember(
				id,
				{ due_at: BigInt(clock()), forget_task: null },
				{ code: 'retry.asked', params: { actor: by } },
				'waiting'
			);
		},

		/**
		 * Takes the PIN pad for `ms` milliseconds, or extends that. Returns false when another member has it,
		 * or the device asks for nothing any more.
		 */
		hold(id: string, by: string, ms: number, again: boolean): Promise<boolean> {
			const at = BigInt(clock());
			return byMember(
				id,
				{ pin_holder: by, pin_holder_until: at + BigInt(ms) },
				again ? null : { code: 'pad.taken', params: { actor: by } },
				{ mayHold: by, at }
			);
		},

		/** Releases the PIN pad. */
		async letGo(id: string, by: string): Promise<void> {
			await db
				.updateTable('activations')
				.set({ pin_holder: null, pin_holder_until: null, updated_at: BigInt(clock()) })
				.where('id', '=', id)
				.where('pin_holder', '=', by)
				.execute();
		},

		/**
		 * Counts a PIN before it is sent to the node. The PIN itself is not passed to this function.
		 * @returns how many PINs this task was given so far; null when the member does not hold the pad any more
		 */
		async countPin(id: string, by: string): Promise<number | null> {
			return db.transaction().execute(async (trx) => {
				const counted = await trx
					.updateTable('activations')
					.set((set) => ({ pins: set('pins', '+', 1n), updated_at: BigInt(clock()) }))
					.where('id', '=', id)
					.where('state', '=', 'action')
					.where('pin_holder', '=', by)
					.where('pin_holder_until', '>', BigInt(clock()))
					.returning(['pins', 'coin'])
					.executeTakeFirst();
				if (!counted) return null;
				await writeEvent(trx, id, clock, {
					code: 'pad.answered',
					params: { actor: by, count: Number(counted.pins) }
				});
				await audit.append(
					{ actor: by, action: 'activation.pin', target: counted.coin, detail: { id } },
					trx
				);
				return Number(counted.pins);
			});
		}
	};
}

export type MemberChanges = ReturnType<typeof createMemberChanges>;
