import type { KyselyPlugin } from 'kysely';
import type { Db } from '#lib/server/database.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];

/** A view of a database that holds back one result. */
interface HeldResult {
	db: Db;
	/** Resolves when the database has given the result and its reader does not have it yet. */
	isHeld: Promise<undefined>;
	/** Gives the result to its reader. */
	release: () => void;
}

/**
 * Holds back the first result that fits, as if its reader were slow: what others write meanwhile is not in it.
 * @param fits receives the rows of a result and the text of its statement
 */
export function heldResult(
	database: Db,
	fits: (rows: Rows, statement: string) => boolean
): HeldResult {
	const held = Promise.withResolvers<undefined>();
	const free = Promise.withResolvers<undefined>();
	const statements = new WeakMap<object, string>();
	let isOpen = true;
	const plugin: KyselyPlugin = {
		transformQuery({ node, queryId }) {
			statements.set(queryId, database.getExecutor().compileQuery(node, queryId).sql);
			return node;
		},
		async transformResult({ result, queryId }) {
			if (isOpen && fits(result.rows, statements.get(queryId) ?? '')) {
				isOpen = false;
				held.resolve(undefined);
				await free.promise;
			}
			return result;
		}
	};
	const { dialect, changeStamp, seenDamage } = database;
	const db = Object.assign(database.withPlugin(plugin), { dialect, changeStamp, seenDamage });
	return { db: db as Db, isHeld: held.promise, release: () => free.resolve(undefined) };
}
