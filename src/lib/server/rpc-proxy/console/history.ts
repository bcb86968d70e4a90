import { randomUUID } from 'node:crypto';
import { storedMessage } from '#lib/messages/catalogue.ts';
import { readPastOutcome, type PastOutcome } from '#lib/messages/consoleOutcomes.ts';
import { isDaemonMethod } from '#lib/rpc/daemon/index.ts';
import { hasSecrets } from '#lib/rpc/daemon/parameters.ts';
import { hexOfAnswer, signedHex } from '../../chains/daemon/signatures.ts';
import type { Database } from '../../platform/database/database.ts';
import { unlessDatabaseError } from '../../platform/database/databaseError.ts';
import { mayHoldWalletKey } from '../../platform/logging/redact.ts';
import type { RpcProxyTables } from '../tables.ts';

/** Number of calls that are kept per person. */
export const MOST_CALLS = 200;
/** Longer parameters, such as whole transactions, are not stored. */
const MAX_PARAMS = 4_000;
export interface NewCall {
	method: string;
	daemon: string;
	/** Unix milliseconds. */
	at: number;
	ms: number;
	outcome: PastOutcome;
	/** JSON text of the parameter array, as the person wrote it. */
	params: string;
}

/** A call as its caller sees it. */
export interface PastCall extends Omit<NewCall, 'params'> {
	id: string;
	/** Null when not stored. */
	params: string | null;
}

/** A call to a trading node; the caller decides what may be stored of its parameters. */
export type NewKdfCall = Omit<NewCall, 'params'> & { params: string | null };

/** Prefix for methods of trading nodes in the history: a daemon may have a method of the same name. */
export const NODE_PREFIX = 'node/';

export interface ConsoleHistory {
	/** Adds a call to a person's history; the oldest ones are removed. */
	add(accountId: string, call: NewCall): Promise<void>;
	/** Adds a call to a trading node. */
	addOfNode(accountId: string, call: NewKdfCall): Promise<void>;
	/** Returns a person's calls, newest first. */
	list(accountId: string, limit?: number): Promise<PastCall[]>;
	/** Returns one call of a person; null when it belongs to another person or was removed. */
	get(accountId: string, id: string): Promise<PastCall | null>;
	/** Deletes a person's history. */
	clear(accountId: string): Promise<void>;
}

const short = (params: string): string | null =>
	params.length > MAX_PARAMS || mayHoldWalletKey(params) ? null : params;

function keptParams({ method, params }: NewCall): string | null {
	if (!isDaemonMethod(method) || hasSecrets(method)) return null;
	// A signed transaction is secret until it is sent, and sending may have failed.
	return signedHex(hexOfAnswer(params)).length > 0 ? null : short(params);
}

/** Creates the call histories, one for each person. */
export function createHistory(db: Database<RpcProxyTables>): ConsoleHistory {
	const rowsOf = (accountId: string) =>
		db
			.selectFrom('console_history')
			.select(['id', 'method', 'daemon', 'at', 'ms', 'outcome', 'params'])
			.where('account_id', '=', accountId);
	const read = (
		row: { at: bigint; ms: bigint; outcome: string } & Omit<PastCall, 'at' | 'ms' | 'outcome'>
	): PastCall => ({
		...row,
		outcome: readPastOutcome(row.outcome),
		at: Number(row.at),
		ms: Number(row.ms)
	});

	/** A database error must not keep the caller from seeing the response. */
	const insert = (accountId: string, call: NewKdfCall): Promise<void> =>
		insertNow(accountId, call).catch(unlessDatabaseError);

	async function insertNow(accountId: string, call: NewKdfCall): Promise<void> {
		await db
			.insertInto('console_history')
			.values({
				id: randomUUID(),
				account_id: accountId,
				method: call.method,
				daemon: call.daemon,
				at: call.at,
				ms: Math.round(call.ms),
				outcome: storedMessage(call.outcome),
				params: call.params
			})
			.execute();
		const oldest = rowsOf(accountId)
			.clearSelect()
			.select('id')
			.orderBy('at', 'desc')
			.orderBy('id', 'desc')
			.offset(MOST_CALLS)
			.limit(MOST_CALLS);
		await db.deleteFrom('console_history').where('id', 'in', oldest).execute();
	}

	return {
		add: (accountId, call) => insert(accountId, { ...call, params: keptParams(call) }),

		addOfNode: (accountId, call) =>
			insert(accountId, {
				...call,
				method: `${NODE_PREFIX}${call.method}`,
				params: call.params === null ? null : short(call.params)
			}),

		async list(accountId, limit = MOST_CALLS) {
			const rows = await rowsOf(accountId)
				.orderBy('at', 'desc')
				.orderBy('id', 'desc')
				.limit(limit)
				.execute();
			return rows.map(read);
		},

		async get(accountId, id) {
			const row = await rowsOf(accountId).where('id', '=', id).executeTakeFirst();
			return row ? read(row) : null;
		},

		async clear(accountId) {
			await db.deleteFrom('console_history').where('account_id', '=', accountId).execute();
		}
	};
}
