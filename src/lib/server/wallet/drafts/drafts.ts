/** Drafts of token creations, shared by the team. A draft may hold invalid text in every field. */
import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { draftFaults } from '#lib/messages/tokenDrafts.ts';
import type { Audit } from '../../access/audit/audit.ts';
import type { Rights } from '../../access/rights/rights.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { WalletTables } from '../tables.ts';
import { SCRIPT_BYTES } from '../../chains/health/relayLimits.ts';
import { DESCRIPTION_BYTES, type TypedToken } from '../transactions/request.ts';
import type { TokenDraftsTable } from './tables.ts';

interface Draft {
	id: string;
	chain: string;
	typed: TypedToken;
	createdBy: string;
	writtenBy: string;
	/** Unix milliseconds. */
	createdAt: number;
	writtenAt: number;
}

/** Maximum length of each field, above what any creation can hold; exact limits are checked in the review. */
const MOST: Readonly<Record<keyof TypedToken, number>> = {
	kind: 20,
	name: 200,
	supply: 100,
	decimals: 2,
	description: 2 * DESCRIPTION_BYTES,
	data: 4 * SCRIPT_BYTES
};
/** Maximum number of drafts of a chain: its list shows all of them, and each may hold tens of kilobytes. */
export const MOST_DRAFTS = 50;

type Kept =
	{ ok: true; id: string } | { ok: false; errors: Partial<Record<keyof TypedToken, string>> };

const toDraft = (row: Selectable<TokenDraftsTable>): Draft => ({
	id: row.id,
	chain: row.chain,
	typed: {
		kind: row.kind,
		name: row.name,
		supply: row.supply,
		decimals: row.decimals,
		description: row.description,
		data: row.data
	},
	createdBy: row.created_by,
	writtenBy: row.written_by,
	createdAt: Number(row.created_at),
	writtenAt: Number(row.written_at)
});

function faults(typed: TypedToken): Partial<Record<keyof TypedToken, string>> {
	const errors: Partial<Record<keyof TypedToken, string>> = {};
	for (const [field, most] of Object.entries(MOST) as [keyof TypedToken, number][]) {
		if (typed[field].length > most) errors[field] = draftFaults.tooLong(most);
		// PostgreSQL stores neither NUL nor lone surrogates.
		else if (/\0|\p{Cs}/u.test(typed[field])) errors[field] = draftFaults.character;
	}
	if (typed.name.trim() === '') errors.name ??= draftFaults.noName;
	return errors;
}

/** Whether a chain has the maximum number of drafts. The caller holds the audit log's lock. */
async function isFull(trx: Executor<WalletTables>, chain: string): Promise<boolean> {
	const { n } = await trx
		.selectFrom('token_drafts')
		.select((select) => select.fn.countAll<bigint>().as('n'))
		.where('chain', '=', chain)
		.executeTakeFirstOrThrow();
	return n >= BigInt(MOST_DRAFTS);
}

/** @param rights decides who may change or remove a draft */
export function createDrafts(
	db: Database<WalletTables>,
	audit: Audit,
	rights: Pick<Rights, 'endRefusal'>
) {
	/**
	 * Refuses an actor who may not change the draft. Returns false when it does not exist.
	 * @throws {AppError} `work.denied`
	 */
	async function mine(id: string, actor: string, act: string): Promise<boolean> {
		const row = await db
			.selectFrom('token_drafts')
			.select(['chain', 'created_by'])
			.where('id', '=', id)
			.executeTakeFirst();
		if (!row) return false;
		const work = { kind: 'draft', id, by: row.created_by, daemon: null, chain: row.chain } as const;
		const no = await rights.endRefusal(actor, work, act);
		if (no !== null) throw new AppError('work.denied', { why: no.coded, certain: 'draft-kept' });
		return true;
	}

	return {
		/**
		 * Saves a draft: a new one, or over the draft `id`. Errors are returned by field. If that draft was
		 * changed or removed in the meantime, the text is saved as a new draft, so that neither version is
		 * lost.
		 * @param seen `writtenAt` of the draft that the form showed; without it the draft is overwritten
		 * whatever its time is
		 * @throws {AppError} `work.denied`
		 */
		async keep(
			chain: string,
			typed: TypedToken,
			actor: string,
			id: string | null,
			seen?: number
		): Promise<Kept> {
			const errors = faults(typed);
			if (Object.keys(errors).length > 0) return { ok: false, errors };
			if (id !== null) await mine(id, actor, 'draft changed');
			const now = Date.now();
			return db.transaction().execute(async (trx): Promise<Kept> => {
				await audit.lock(trx);
				const changed =
					id === null
						? undefined
						: await trx
								.updateTable('token_drafts')
								.set({ ...typed, written_by: actor, written_at: now })
								.where('id', '=', id)
								.where('chain', '=', chain)
								.$if(seen !== undefined, (q) => q.where('written_at', '=', BigInt(seen ?? 0)))
								.returning('id')
								.executeTakeFirst();
				const kept = changed?.id ?? randomUUID();
				if (!changed) {
					if (await isFull(trx, chain)) {
						return { ok: false, errors: { name: draftFaults.tooMany(MOST_DRAFTS) } };
					}
					await trx
						.insertInto('token_drafts')
						.values({
							id: kept,
							chain,
							...typed,
							created_by: actor,
							written_by: actor,
							created_at: now,
							written_at: now
						})
						.execute();
				}
				await audit.append(
					{ actor, action: 'draft.kept', target: kept, detail: { chain, name: typed.name } },
					trx
				);
				return { ok: true, id: kept };
			});
		},

		async get(id: string): Promise<Draft | null> {
			const row = await db
				.selectFrom('token_drafts')
				.selectAll()
				.where('id', '=', id)
				.executeTakeFirst();
			return row ? toDraft(row) : null;
		},

		/** Returns the drafts of a chain, latest first. */
		async list(chain: string): Promise<Draft[]> {
			const rows = await db
				.selectFrom('token_drafts')
				.selectAll()
				.where('chain', '=', chain)
				.orderBy('written_at', 'desc')
				.limit(MOST_DRAFTS)
				.execute();
			return rows.map(toDraft);
		},

		/**
		 * Removes a draft. Returns false when it does not exist any more.
		 * @param seen `writtenAt` of the draft that the form showed; without it the draft is removed whatever
		 * its time is
		 * @throws {AppError} `work.denied`, `work.draft-changed`
		 */
		async remove(id: string, actor: string, seen?: number): Promise<boolean> {
			if (!(await mine(id, actor, 'draft removed'))) return false;
			return db.transaction().execute(async (trx) => {
				// First, as in `keep`: the reverse order would deadlock with it on PostgreSQL.
				await audit.lock(trx);
				const gone = await trx
					.deleteFrom('token_drafts')
					.where('id', '=', id)
					.$if(seen !== undefined, (q) => q.where('written_at', '=', BigInt(seen ?? 0)))
					.returning(['chain', 'name'])
					.executeTakeFirst();
				if (!gone) {
					const changed = await trx
						.selectFrom('token_drafts')
						.select('written_by')
						.where('id', '=', id)
						.executeTakeFirst();
					if (changed) throw new AppError('work.draft-changed', { by: changed.written_by });
					return false;
				}
				await audit.append({ actor, action: 'draft.removed', target: id, detail: gone }, trx);
				return true;
			});
		}
	};
}

export type Drafts = ReturnType<typeof createDrafts>;
