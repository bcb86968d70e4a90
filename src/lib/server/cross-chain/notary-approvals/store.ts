/**
 * Stores the approvals of published burns. Only what the destination chain shows to be an approval by a notary is
 * stored permanently; a txid that cannot be looked up now is stored as unknown, up to a limit, and looked up again.
 */
import type { Selectable } from 'kysely';
import { DAY_MS } from '#lib/text/units.ts';
import { blockStands } from '../../chains/daemon/blocks.ts';
import { daemonClientOf } from '../../chains/daemon/daemonClient.ts';
import { findTransaction } from '../../chains/daemon/findTransaction.ts';
import type { DaemonClient, Gateway } from '../../chains/daemon/types.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { BurnApprovals } from '../migration/observations/looking.ts';
import type { CrossChainTables } from '../tables.ts';
import type { ApprovalStatus, NotaryApprovalsTable } from './tables.ts';
import { verifyApproval, type NotApproval, type Verdict } from './verify.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** Most txids of one burn that are stored as unknown. */
export const MOST_UNKNOWN = 64;
/** Most approvals of one burn by one notary that are stored: one counts, the others can replace it. */
export const MOST_OF_ONE = 3;
/** Milliseconds for which an approval that was built here is looked up; its review is only valid for minutes. */
const PREPARED_MS = DAY_MS;

/** A burn whose approvals are stored. */
interface ApprovedBurn {
	burnTxid: string;
	/** The daemon of the destination chain that is asked. */
	daemon: string;
}

export interface Approval {
	txid: string;
	status: ApprovalStatus;
	/** Compressed key of the notary, hex; null until the chain was asked. */
	notary: string | null;
	height: number | null;
	/** Account that submitted it; null when it was submitted without one. */
	givenBy: string | null;
	/** Unix milliseconds. */
	givenAt: number;
	/** Whether this is the one approval of its notary that counts. */
	counts: boolean;
}

/** Result of submitting a txid. */
type Given =
	| { kind: 'kept'; status: ApprovalStatus; notary: string | null; isNew: boolean }
	| { kind: 'refused'; why: NotApproval | 'enough-of-one' | 'too-many-unknown' };

type Row = Selectable<NotaryApprovalsTable>;
type Facts = Pick<Row, 'status' | 'notary' | 'height' | 'blockhash'>;

const UNKNOWN: Facts = { status: 'unknown', notary: null, height: null, blockhash: null };

/** Whether the chain showed the approval when it was last looked up. */
const isFound = ({ status }: Row): boolean => status === 'mined' || status === 'pending';

/** Result for a txid that was submitted before. */
const asBefore = ({ status, notary }: Row): Given => ({
	kind: 'kept',
	status,
	notary,
	isNew: false
});

function factsOf(verdict: Extract<Verdict, { holds: true }>): Facts {
	const { notary, mined } = verdict;
	return {
		status: mined ? 'mined' : 'pending',
		notary,
		height: mined ? BigInt(mined.height) : null,
		blockhash: mined?.blockhash ?? null
	};
}

/** Counts the oldest confirmed approval of each notary, and the notaries with only pending ones. */
function countOf(rows: readonly Row[]): BurnApprovals {
	const mined = new Map<string, string>();
	const pending = new Set<string>();
	const byAge = rows.toSorted(
		(a, b) => Number((a.height ?? 0n) - (b.height ?? 0n)) || (a.txid < b.txid ? -1 : 1)
	);
	for (const { status, notary, txid } of byAge) {
		if (notary === null) continue;
		if (status === 'mined' && !mined.has(notary)) mined.set(notary, txid);
		if (status === 'pending') pending.add(notary);
	}
	return {
		mined: [...mined].map(([notary, txid]) => ({ notary, txid })),
		pending: [...pending].filter((notary) => !mined.has(notary)).length,
		unknown: rows.filter(({ status }) => status === 'unknown').length
	};
}

interface ApprovalStoreParts {
	db: Database<CrossChainTables>;
	gateway: Gateway;
	/** Unix milliseconds. */
	clock?: (() => number) | undefined;
}

/**
 * Creates the store of the approvals of burns. A row is changed only while its status is the one that was read. Heights
 * are those of the destination chain, times Unix milliseconds.
 */
export function createApprovalStore({ db, gateway, clock = Date.now }: ApprovalStoreParts) {
	const rowsOf = (burnTxid: string, within: Executor<CrossChainTables> = db): Promise<Row[]> =>
		within
			.selectFrom('notary_approvals')
			.selectAll()
			.where('burn_txid', '=', burnTxid)
			.orderBy('given_at')
			.orderBy('txid')
			.execute();

	/** Stores the new facts of a row, unless its status was changed meanwhile. */
	async function set(
		{ burn_txid, txid, status }: Row,
		facts: Facts,
		within: Executor<CrossChainTables> = db
	): Promise<void> {
		await within
			.updateTable('notary_approvals')
			.set({ ...facts, checked_at: clock() })
			.where('burn_txid', '=', burn_txid)
			.where('txid', '=', txid)
			.where('status', '=', status)
			.execute();
	}

	/** Deletes a row, unless its status was changed meanwhile. */
	async function forget(
		{ burn_txid, txid, status }: Row,
		within: Executor<CrossChainTables> = db
	): Promise<void> {
		await within
			.deleteFrom('notary_approvals')
			.where('burn_txid', '=', burn_txid)
			.where('txid', '=', txid)
			.where('status', '=', status)
			.execute();
	}

	/** Inserts a row; false when it exists already. */
	async function insert(
		burnTxid: string,
		txid: string,
		facts: Facts,
		by: string | null,
		within: Executor<CrossChainTables> = db
	): Promise<boolean> {
		const row = await within
			.insertInto('notary_approvals')
			.values({
				burn_txid: burnTxid,
				txid,
				...facts,
				given_by: by,
				given_at: clock(),
				checked_at: facts.status === 'unknown' ? null : clock()
			})
			.onConflict((conflict) => conflict.columns(['burn_txid', 'txid']).doNothing())
			.returning('txid')
			.executeTakeFirst();
		return row !== undefined;
	}

	/** Stores a submitted txid and its facts, within the limits for its burn. */
	async function keep(
		burnTxid: string,
		txid: string,
		facts: Facts,
		by: string | null
	): Promise<Given> {
		const { status, notary } = facts;
		return db.transaction().execute(async (trx) => {
			// Takes a row lock, because concurrent submissions could exceed the limits together.
			await trx
				.updateTable('migrations')
				.set({ burn_txid: burnTxid })
				.where('burn_txid', '=', burnTxid)
				.execute();
			const rows = await rowsOf(burnTxid, trx);
			const known = rows.find((row) => row.txid === txid);
			if (known && isFound(known)) return asBefore(known);
			if (known) {
				const isNew = status !== 'unknown';
				if (isNew) await set(known, facts, trx);
				return { kind: 'kept', status, notary, isNew };
			}
			if (status === 'unknown') {
				if (rows.filter((row) => row.status === 'unknown').length >= MOST_UNKNOWN) {
					return { kind: 'refused', why: 'too-many-unknown' };
				}
			} else {
				const own = rows.filter((row) => row.notary === notary && row.status !== 'prepared');
				const gone = own.find((row) => row.status === 'gone');
				if (own.length >= MOST_OF_ONE) {
					if (!gone) return { kind: 'refused', why: 'enough-of-one' };
					await forget(gone, trx);
				}
			}
			const isNew = await insert(burnTxid, txid, facts, by, trx);
			return { kind: 'kept', status, notary, isNew };
		});
	}

	/**
	 * Submits the txid of an approval. Submitting the same txid again has no further effect.
	 * @param by the submitting account; null without one
	 */
	async function give(burn: ApprovedBurn, txid: string, by: string | null): Promise<Given> {
		const { burnTxid } = burn;
		const known = (await rowsOf(burnTxid)).find((row) => row.txid === txid);
		if (known && isFound(known)) return asBefore(known);
		let facts: Facts;
		try {
			const verdict = await verifyApproval(daemonClientOf(gateway, burn.daemon), burnTxid, txid);
			if (verdict.holds === false) return { kind: 'refused', why: verdict.why };
			facts = verdict.holds ? factsOf(verdict) : UNKNOWN;
		} catch (error) {
			if (!isAppError(error, 'daemon')) throw error;
			facts = UNKNOWN;
		}
		return keep(burnTxid, txid, facts, by);
	}

	/** Returns the new facts of a row; null when it should be deleted. @throws {AppError} `daemon` */
	async function lookAgain(client: DaemonClient, row: Row): Promise<Facts | null> {
		const { txid, notary } = row;
		// Without a transaction index the daemon no longer finds it once its outputs are spent.
		if (row.status === 'mined' && row.blockhash !== null) {
			if (await blockStands(client, row.blockhash)) return row;
		}
		const found = await findTransaction(client, txid);
		const verdict = await verifyApproval(client, row.burn_txid, txid, { found, notary });
		if (verdict.holds) return factsOf(verdict);
		if (verdict.holds === null) return row;
		if (verdict.why !== 'absent') return null;
		// A notary's approval may be confirmed again in another block; a txid that was never seen is deleted.
		if (notary !== null && row.status !== 'prepared') {
			return { status: 'gone', notary, height: null, blockhash: null };
		}
		// `abs`, because the clock may have been set back since.
		const age = Math.abs(clock() - Number(row.given_at));
		const fresh = row.status === 'prepared' && age < PREPARED_MS;
		return fresh ? row : null;
	}

	return {
		give,

		/** Records an approval that was built here, before it can be sent. */
		async prepare(
			burn: ApprovedBurn,
			{ txid, notary, by }: { txid: string; notary: string; by: string }
		): Promise<void> {
			const facts: Facts = { status: 'prepared', notary, height: null, blockhash: null };
			await insert(burn.burnTxid, txid, facts, by);
		},

		/**
		 * Looks up every approval of a burn again, because it may be unknown or pending, or a reorganization may
		 * have removed it.
		 * @throws {AppError} `daemon` when the destination cannot be asked
		 */
		async recheck(burn: ApprovedBurn): Promise<BurnApprovals> {
			const client = daemonClientOf(gateway, burn.daemon);
			for (const row of await rowsOf(burn.burnTxid)) {
				const facts = await lookAgain(client, row);
				if (facts === null) await forget(row);
				else if (facts !== row) await set(row, facts);
			}
			return countOf(await rowsOf(burn.burnTxid));
		},

		/** Returns the approvals as last looked up, oldest first, without those not sent yet. */
		async list(burnTxid: string): Promise<Approval[]> {
			const rows = await rowsOf(burnTxid);
			const counting = new Set(countOf(rows).mined.map(({ txid }) => txid));
			return rows
				.filter(({ status }) => status !== 'prepared')
				.map((row) => ({
					txid: row.txid,
					status: row.status,
					notary: row.notary,
					height: row.height === null ? null : Number(row.height),
					givenBy: row.given_by,
					givenAt: Number(row.given_at),
					counts: counting.has(row.txid)
				}));
		}
	};
}

export type ApprovalStore = ReturnType<typeof createApprovalStore>;
