/** Filters of lists that members save, each for themselves. */
import type { Database } from '../../platform/database/database.ts';
import { visibleText } from '#lib/text/visibleText.ts';
import type { Audit } from '../audit/audit.ts';
import type { AccessTables } from '../tables.ts';
import type { SavedList } from './tables.ts';

export interface SavedFilter {
	name: string;
	/** The query of the address, without `?`. */
	query: string;
}

/** Why a filter was not saved. */
export type SavedFilterFault = 'no-name' | 'name-too-long' | 'no-filter' | 'too-many';

export interface SavedFilters {
	/** Returns a member's filters, ordered by name. */
	of(accountId: string, list: SavedList): Promise<SavedFilter[]>;
	/** Saves a filter, replacing one of the same name. Returns null when it is saved. */
	save(
		accountId: string,
		list: SavedList,
		filter: { name: string; parameters: URLSearchParams; known: readonly string[] }
	): Promise<SavedFilterFault | null>;
	remove(accountId: string, list: SavedList, name: string): Promise<void>;
}

export const MOST_FILTERS = 20;
export const MOST_FILTER_NAME = 60;
const MOST_VALUE = 300;

/** Returns the parameters that the list knows, as a query without `?`. */
function knownQuery(parameters: URLSearchParams, known: readonly string[]): string {
	const kept = new URLSearchParams();
	for (const name of known) {
		const value = (parameters.get(name) ?? '').trim().slice(0, MOST_VALUE);
		if (value !== '') kept.set(name, value);
	}
	return kept.toString();
}

export function createSavedFilters(
	db: Database<AccessTables>,
	audit: Pick<Audit, 'lock'>
): SavedFilters {
	return {
		of: (accountId, list) =>
			db
				.selectFrom('saved_filters')
				.select(['name', 'query'])
				.where('account_id', '=', accountId)
				.where('list', '=', list)
				.orderBy('name')
				.execute(),

		async save(accountId, list, { name: written, parameters, known }) {
			const name = visibleText(written.trim());
			if (name === '') return 'no-name';
			if (name.length > MOST_FILTER_NAME) return 'name-too-long';
			const query = knownQuery(parameters, known);
			if (query === '') return 'no-filter';
			return db.transaction().execute(async (trx): Promise<SavedFilterFault | null> => {
				// Serializes saves, so that two of them cannot exceed the limit together.
				await audit.lock(trx);
				const { others } = await trx
					.selectFrom('saved_filters')
					.select((select) => select.fn.countAll<bigint>().as('others'))
					.where('account_id', '=', accountId)
					.where('list', '=', list)
					.where('name', '!=', name)
					.executeTakeFirstOrThrow();
				if (others >= BigInt(MOST_FILTERS)) return 'too-many';
				await trx
					.insertInto('saved_filters')
					.values({ account_id: accountId, list, name, query, created_at: Date.now() })
					.onConflict((conflict) =>
						conflict.columns(['account_id', 'list', 'name']).doUpdateSet({ query })
					)
					.execute();
				return null;
			});
		},

		async remove(accountId, list, name) {
			await db
				.deleteFrom('saved_filters')
				.where('account_id', '=', accountId)
				.where('list', '=', list)
				.where('name', '=', name)
				.execute();
		}
	};
}
