/** Reconciles transactions that are being sent, and those that a reorganization could still remove. */
import { MINUTE_MS } from '#lib/text/units.ts';
import { daemonClientOf } from '../../chains/daemon/daemonClient.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import { statusOfChain, type ChainStatus } from './chainStatus.ts';
import { isTransactionError } from './errors.ts';
import type { Send, Store } from './store.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { DaemonErrorCode } from '../../chains/daemon/daemonError.ts';

/** A row that has been `broadcasting` for longer than this was left behind by a crash. */
const LEFT_BEHIND_MS = 2 * MINUTE_MS;
/** Number of rows that are read from the database at a time. */
const CHUNK = 100;
/**
 * Errors about a single transaction from a daemon that does answer: the other transactions are still looked up.
 */
const ANSWERED: ReadonlySet<DaemonErrorCode> = new Set([
	'daemon.rpc-error',
	'daemon.in-band-error',
	'daemon.validation-mismatch',
	'daemon.too-large'
]);

interface ReconcileParts {
	store: Store;
	gateway: Gateway;
	/** Looks one transaction up and stores the result. @throws {AppError} `daemon` */
	look: (id: string, chain: ChainStatus) => Promise<'broadcast' | 'confirmed' | 'absent'>;
	/**
	 * Determines whether a transaction that was not found can still confirm; true when it never can.
	 * @throws {AppError} `daemon`
	 */
	reconcileUnknown: (id: string, chain: ChainStatus) => Promise<boolean>;
	/**
	 * Sends the stored bytes of a lost transaction again, one that was on the network and is not found now;
	 * false while it has to wait.
	 * @throws {AppError}
	 */
	resend: (id: string) => Promise<boolean>;
	/** Unix milliseconds. */
	clock: () => number;
}

/**
 * Creates the round over all rows whose transaction is not final. Daemons are asked concurrently, the rows of
 * each in the order of their last check. A daemon that does not answer is left alone until the next round: it
 * takes one call, and does not delay the others.
 */
export function createReconcileAll({
	store,
	gateway,
	look,
	reconcileUnknown,
	resend,
	clock
}: ReconcileParts): () => Promise<void> {
	/** Daemons whose last round is still running; the next round skips them. */
	const busy = new Set<string>();
	/**
	 * By daemon, the tip at which its confirmed rows were last checked: while the tip is the same, they
	 * cannot change.
	 */
	const seen = new Map<string, string>();
	/**
	 * By id of a lost transaction, the tip at which it was sent again: at the same tip another attempt is
	 * useless.
	 */
	const resent = new Map<string, string>();
	/**
	 * Lost transactions that a safety control did not let out, and those that spend them: they are retried
	 * without a new block.
	 */
	const kept = new Set<string>();

	/** Runs work on one transaction, and ignores errors that concern it alone. @throws {AppError} `daemon` */
	async function alone<T>(work: () => Promise<T>): Promise<T | undefined> {
		try {
			return await work();
		} catch (error) {
			if (isTransactionError(error)) return;
			if (!(isAppError(error, 'daemon') && ANSWERED.has(error.code))) throw error;
		}
	}

	/** Reconciles one transaction. Returns true when it was lost and should be sent again. */
	async function lookAt(
		row: Send,
		chain: ChainStatus,
		{ tip, isNews }: { tip: string; isNews: boolean }
	): Promise<boolean> {
		const wasKept = kept.delete(row.id);
		// It is being sent: its sender waits for the answer.
		if (row.state === 'broadcasting') return false;
		if ((await look(row.id, chain)) !== 'absent') {
			resent.delete(row.id);
			return false;
		}
		if (row.state === 'unknown' && isNews && (await reconcileUnknown(row.id, chain))) return false;
		// The second transaction of a pair is sent after the first by `sendFollowers`, with the checks of `send`.
		if (row.follows !== null) return false;
		const isLost = row.takenAt !== null && row.state !== 'rejected';
		const isDue = isNews && resent.get(row.id) !== tip;
		return isLost && (isDue || wasKept || row.state !== 'unknown');
	}

	/**
	 * Sends a lost transaction again. One that cannot be sent now is retried in the next round.
	 * @throws {AppError}
	 */
	async function resendLost(id: string, tip: string): Promise<void> {
		resent.set(id, tip);
		try {
			if (!(await resend(id))) kept.add(id);
		} catch (error) {
			if (isTransactionError(error)) kept.add(id);
			throw error;
		}
	}

	async function roundOf(daemon: string): Promise<void> {
		const client = daemonClientOf(gateway, daemon);
		const { bestblockhash: tip } = await client.call('getblockchaininfo');
		const chain = await statusOfChain(client);
		const isNews = seen.get(daemon) !== tip;
		const due = { daemon, round: await store.nextRound(daemon), settled: isNews };
		const lost: Pick<Send, 'id' | 'createdAt'>[] = [];
		/** The error that ended the round: the daemon gave no answer about one of the transactions. */
		let end: unknown = null;
		while (end === null) {
			const rows = await store.dueForRound(due, CHUNK);
			for (const row of rows) {
				const { id, createdAt } = row;
				try {
					if (await alone(() => lookAt(row, chain, { tip, isNews }))) lost.push({ id, createdAt });
				} catch (error) {
					if (!isAppError(error, 'daemon')) throw error;
					end = error;
				}
				// Also a row without an answer is marked as checked: otherwise it would always come first and
				// block all others.
				await store.checked(id, due.round);
				if (end !== null) break;
			}
			if (rows.length < CHUNK) break;
		}
		// In order of creation: a transaction that spends another was built after it, and is refused until
		// that one is back.
		for (const { id } of lost.toSorted((a, b) => a.createdAt - b.createdAt)) {
			await alone(() => resendLost(id, tip));
		}
		if (end !== null) throw end;
		seen.set(daemon, tip);
	}

	return async () => {
		// Includes rows of daemons that do not answer or are not configured any more: what became of them is
		// unknown.
		await store.leaveBehind(clock(), LEFT_BEHIND_MS);
		const daemons = (await store.daemonsToAsk()).filter((daemon) => !busy.has(daemon));
		const rounds = await Promise.allSettled(
			daemons.map(async (daemon) => {
				busy.add(daemon);
				try {
					await roundOf(daemon);
				} finally {
					busy.delete(daemon);
				}
			})
		);
		for (const round of rounds) {
			if (round.status === 'rejected' && !isAppError(round.reason, 'daemon')) throw round.reason;
		}
	};
}
