/** How pages look at transactions and send them: they wait a moment, and the work itself goes on. */
import { walletForm } from '#lib/messages/walletForm.ts';
import { waitAtMost, waitFor } from '../../chains/daemon/wait.ts';
import type { Sender } from './sender.ts';
import type { Send } from './store.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { explainDaemon } from '#lib/messages/explained/daemon.ts';

/** A page waits this long for the network; the look itself goes on and is written down. */
const LOOK_MS = 700;
/** Whoever sends is told after this what is known; the call itself goes on and is written down. */
const SEND_MS = 5_000;

/** Whether the network may know more of a transaction than the database: a block can be taken back until it is final. */
function mayChange({ state, finalAt }: Pick<Send, 'state' | 'finalAt'>): boolean {
	if (state === 'confirmed' || state === 'rejected') return finalAt === null;
	return state === 'broadcasting' || state === 'unknown' || state === 'broadcast';
}

/** Looks up what may have changed; returns why that could not be done, or null. */
export async function lookUp(
	sender: Pick<Sender, 'reconcile'>,
	sends: readonly Send[]
): Promise<string | null> {
	for (const send of sends) {
		if (!mayChange(send)) continue;
		try {
			await waitFor(sender.reconcile(send.id), LOOK_MS);
		} catch (cause) {
			if (isAppError(cause, 'answer.pending')) return walletForm.silent(send.daemon);
			if (isAppError(cause, 'daemon')) return explainDaemon(cause.coded).what;
			throw cause;
		}
	}
	return null;
}

/** Why a transaction that is due does not go out, in words; null for nothing, and where nobody says so in time. */
export async function hindranceInTime(
	sender: Pick<Sender, 'hindrance'>,
	id: string
): Promise<string | null> {
	return (await waitAtMost(sender.hindrance(id), LOOK_MS))?.message ?? null;
}

/** Looks after all transactions before a list of them is shown, as far as the daemons answer in time. */
export async function lookAfterAll(sender: Pick<Sender, 'reconcileAll'>): Promise<void> {
	await waitAtMost(sender.reconcileAll(), LOOK_MS);
}

/**
 * Sends, or discards, and stops waiting when the daemon hangs: its page then says what is known.
 * @param timeoutMs milliseconds
 * @returns what came of it; undefined when it still goes on
 * @throws {AppError}
 */
export const sendInTime = <T>(sending: Promise<T>, timeoutMs = SEND_MS): Promise<T | undefined> =>
	waitAtMost(sending, timeoutMs);

/** Discards what was just rejected, as far as the daemons say in time that it is nowhere; a round does the rest. */
export async function discardInTime(sender: Pick<Sender, 'discardUnapproved'>): Promise<void> {
	await waitAtMost(sender.discardUnapproved(), LOOK_MS);
}
