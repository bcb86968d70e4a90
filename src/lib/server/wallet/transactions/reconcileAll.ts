/** Looking after transactions that are on their way, and after those that a reorganization may take back. */
import { daemonClientOf } from '../../chains/daemon/lookup.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import { statusOfChain, type ChainStatus } from './chainStatus.ts';
import { isTransactionError } from './errors.ts';
import type { Send, Store } from './store.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { DaemonErrorCode } from '../../chains/daemon/daemonError.ts';

/** A row that says `broadcasting` for longer was left behind by a crash. */
const LEFT_BEHIND_MS = 2 * 60_000;
/** Rows that are read from the database at a time. */
const CHUNK = 100;
/** The daemon answered, but with nothing that fits this one transaction: the others are still asked. */
const ANSWERED: ReadonlySet<DaemonErrorCode> = new Set([
	'daemon.rpc-error',
	'daemon.in-band-error',
	'daemon.validation-mismatch',
	'daemon.too-large'
]);

interface ReconcileParts {
	store: Store;
	gateway: Gateway;
	/** Looks one transaction up and writes down what was found. @throws {AppError} `daemon` */
	look: (id: string, chain: ChainStatus) => Promise<'broadcast' | 'confirmed' | 'absent'>;
	/** Finds out whether anything can still come of one that is nowhere; true when nothing can. @throws {AppError} `daemon` */
	settle: (id: string, chain: ChainStatus) => Promise<boolean>;
	/** Sends the stored bytes of one again that was on the network and is nowhere now; false while it has to wait. @throws {AppError} */
	resend: (id: string) => Promise<boolean>;
	/** Unix milliseconds. */
	clock: () => number;
}

/**
 * Makes the round over all rows whose transaction may still change its place. Each daemon is asked by
 * itself, those that were looked at the longest time ago first, and left alone until the next round when
 * it does not answer: one that is down takes one call, and no time from the others.
 */
export function createReconcileAll({
	store,
	gateway,
	look,
	settle,
	resend,
	clock
}: ReconcileParts): () => Promise<void> {
	/** Daemons that are being asked; a round that finds them slow passes them by. */
	const busy = new Set<string>();
	/** The tip up to which a daemon's mined rows were looked at: below the same tip nothing moves. */
	const seen = new Map<string, string>();
	/** Lost ones, each with the tip under which it went out again: under the same one that is of no more use. */
	const resent = new Map<string, string>();
	/** Lost ones that a safety control kept here, and those that spend them: it takes no block to end that. */
	const kept = new Set<string>();

	/** Does something about one transaction; what is in the way of that one alone passes. @throws {AppError} `daemon` */
	async function alone<T>(work: () => Promise<T>): Promise<T | undefined> {
		try {
			return await work();
		} catch (error) {
			if (isTransactionError(error)) return;
			if (!(isAppError(error, 'daemon') && ANSWERED.has(error.code))) throw error;
		}
	}

	/** Looks after one; true when it was on the network, is nowhere now, and is to be sent again. */
	async function lookAt(
		row: Send,
		chain: ChainStatus,
		{ tip, isNews }: { tip: string; isNews: boolean }
	): Promise<boolean> {
		const wasKept = kept.delete(row.id);
		// It is on its way: whoever sends it waits for the answer.
		if (row.state === 'broadcasting') return false;
		if ((await look(row.id, chain)) !== 'absent') {
			resent.delete(row.id);
			return false;
		}
		// What follows another one goes out after it, with the checks of that.
		if (row.follows !== null) return false;
		if (row.state === 'unknown' && isNews && (await settle(row.id, chain))) return false;
		const isLost = row.takenAt !== null && row.state !== 'rejected';
		const isDue = isNews && resent.get(row.id) !== tip;
		return isLost && (isDue || wasKept || row.state !== 'unknown');
	}

	/** Sends one again; what stays here is tried again at the next round. @throws {AppError} */
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
		/** What ended the round: the daemon gave no answer about one of them. */
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
				// Also when it was this one that got no answer: else it would keep all others from being looked at.
				await store.checked(id, due.round);
				if (end !== null) break;
			}
			if (rows.length < CHUNK) break;
		}
		// What spends another one was built after it, and is refused before that one is back.
		for (const { id } of lost.toSorted((a, b) => a.createdAt - b.createdAt)) {
			await alone(() => resendLost(id, tip));
		}
		if (end !== null) throw end;
		seen.set(daemon, tip);
	}

	return async () => {
		// Also where its daemon does not answer, or is configured no more: what became of it is not known.
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
