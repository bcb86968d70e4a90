/** Token creations that the team keeps until they are ready. A draft may be wrong in every field. */
import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { draftFaults } from '#lib/messages/tokenDrafts.ts';
import type { Audit } from '../../access/audit/audit.ts';
import type { Rights } from '../../access/policy/limits/rights.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { WalletTables } from '../tables.ts';
import { SCRIPT_BYTES } from '../../chains/health/relayLimits.ts';
import { DESCRIPTION_BYTES } from '../transactions/request.ts';
import type { TokenDraftsTable } from './tables.ts';

/** The form of a creation as text. */
export interface TypedToken {
	kind: string;
	name: string;
	/** In the token's own units: with as many decimals as `decimals` says. */
	supply: string;
	decimals: string;
	description: string;
	data: string;
}

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

/** More than any creation could hold; what is wrong below is said when it is reviewed. */
const MOST: Readonly<Record<keyof TypedToken, number>> = {
	kind: 20,
	name: 200,
	supply: 100,
	decimals: 2,
	description: 2 * DESCRIPTION_BYTES,
	data: 4 * SCRIPT_BYTES
};
/** Drafts of a chain: all of them are in its list, and each may hold tens of kilobytes. */
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
		// PostgreSQL keeps no text with it, and no half of a character.
		else if (/\0|\p{Cs}/u.test(typed[field])) errors[field] = draftFaults.character;
	}
	if (typed.name.trim() === '') errors.name ??= draftFaults.noName;
	return errors;
}

/** Whether a chain has all the drafts that it may have. The caller holds the lock of the log. */
async function isFull(trx: Executor<WalletTables>, chain: string): Promise<boolean> {
	const { n } = await trx
		.selectFrom('token_drafts')
		.select((select) => select.fn.countAll<bigint>().as('n'))
		.where('chain', '=', chain)
		.executeTakeFirstOrThrow();
	return n >= BigInt(MOST_DRAFTS);
}

/** @param rights whose work it is to end */
export function createDrafts(
	db: Database<WalletTables>,
	audit: Audit,
	rights: Pick<Rights, 'endRefusal'>
) {
	/** False when there is no such draft. @throws {AppError} `work.denied` */
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
		 * Keeps a draft, or what has become of one (`id`). Mistakes come back by field. Beside one that somebody else
		 * has changed since it is kept as another, so that neither text is lost.
		 * @param seen when that one was written, as its form showed it; without it whatever it is
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

		/** The drafts of a chain, the latest first. */
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
		 * Removes a draft; false when it was gone already.
		 * @param seen when it was written, as its form showed it; without it whatever it is
		 * @throws {AppError} `work.denied`, `work.draft-changed`
		 */
		async remove(id: string, actor: string, seen?: number): Promise<boolean> {
			if (!(await mine(id, actor, 'draft removed'))) return false;
			return db.transaction().execute(async (trx) => {
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
