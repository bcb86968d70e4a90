import { randomUUID } from 'node:crypto';
import { isDaemonMethod } from '#lib/rpc/daemon/index.ts';
import { hasSecrets } from '#lib/rpc/daemon/parameters.ts';
import { hexOfAnswer, signedHex } from '../../chains/daemon/signatures.ts';
import type { Database } from '../../platform/database/database.ts';
import { databaseErrorKind } from '../../platform/database/databaseError.ts';
import { mayHoldWalletKey } from '../../platform/logging/redact.ts';
import type { RpcProxyTables } from '../tables.ts';

/** How many calls of each person are kept. */
export const KEPT_CALLS = 200;
/** Longer parameters, such as whole transactions, are not kept. */
const MAX_PARAMS = 4_000;
export interface NewCall {
	method: string;
	daemon: string;
	/** Unix milliseconds. */
	at: number;
	ms: number;
	outcome: string;
	/** JSON text of the parameter array, as the person wrote it. */
	params: string;
}

/** A call as its own person sees it. */
export interface PastCall extends Omit<NewCall, 'params'> {
	id: string;
	/** Null: not kept. */
	params: string | null;
}

/** A call to a trading node; what may be kept of its parameters is decided by whoever made it. */
export type NewKdfCall = Omit<NewCall, 'params'> & { params: string | null };

/** What stands on the list before the name of a trading node's method: a daemon's may have the same. */
export const NODE_PREFIX = 'node/';

export interface ConsoleHistory {
	/** Puts a call on a person's list; the oldest ones leave it. */
	add(accountId: string, call: NewCall): Promise<void>;
	/** The same for a call to a trading node. */
	addOfNode(accountId: string, call: NewKdfCall): Promise<void>;
	/** A person's calls, newest first. */
	list(accountId: string, limit?: number): Promise<PastCall[]>;
	/** One call of a person; null when it is not theirs or has left the list. */
	get(accountId: string, id: string): Promise<PastCall | null>;
	/** Empties a person's list. */
	clear(accountId: string): Promise<void>;
}

const short = (params: string): string | null =>
	params.length > MAX_PARAMS || mayHoldWalletKey(params) ? null : params;

function keptParams({ method, params }: NewCall): string | null {
	if (!isDaemonMethod(method) || hasSecrets(method)) return null;
	// Signed bytes are a secret until they are sent, and sending may have failed.
	return signedHex(hexOfAnswer(params)).length > 0 ? null : short(params);
}

/** The calls that people made by the console, each person's own. */
export function createHistory(db: Database<RpcProxyTables>): ConsoleHistory {
	const rowsOf = (accountId: string) =>
		db
			.selectFrom('console_history')
			.select(['id', 'method', 'daemon', 'at', 'ms', 'outcome', 'params'])
			.where('account_id', '=', accountId);
	const read = (row: { at: bigint; ms: bigint } & Omit<PastCall, 'at' | 'ms'>): PastCall => ({
		...row,
		at: Number(row.at),
		ms: Number(row.ms)
	});

	/** What a call was answered is shown also where the database does not take that there was one. */
	async function insert(accountId: string, call: NewKdfCall): Promise<void> {
		try {
			await insertNow(accountId, call);
		} catch (error) {
			if (databaseErrorKind(error) === null) throw error;
		}
	}

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
				outcome: call.outcome,
				params: call.params
			})
			.execute();
		const oldest = rowsOf(accountId)
			.clearSelect()
			.select('id')
			.orderBy('at', 'desc')
			.orderBy('id', 'desc')
			.offset(KEPT_CALLS)
			.limit(KEPT_CALLS);
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

		async list(accountId, limit = KEPT_CALLS) {
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
