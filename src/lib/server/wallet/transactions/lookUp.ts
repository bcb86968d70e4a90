/** Looks up and sends transactions for pages, which wait a short time only; the work itself continues. */
import { walletForm } from '#lib/messages/walletForm.ts';
import { waitAtMost, waitFor } from '../../chains/upstream/wait.ts';
import type { Sender } from './sender.ts';
import type { Send } from './store.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { explainDaemon } from '#lib/messages/errors/explainDaemon.ts';

/** How long a page waits for a lookup; the lookup itself continues, and its result is stored. */
const LOOK_MS = 700;
/**
 * How long a page waits for a send before it shows what is known; the call continues, and its result is stored.
 */
const SEND_MS = 5_000;

/**
 * Whether the network may know more about a transaction than the database. Until its block is final, a
 * reorganization can remove it.
 */
function mayChange({ state, finalAt }: Pick<Send, 'state' | 'finalAt'>): boolean {
	if (state === 'confirmed' || state === 'rejected') return finalAt === null;
	return state === 'broadcasting' || state === 'unknown' || state === 'broadcast';
}

/** Looks up transactions whose state may have changed. Returns the message why that failed, or null. */
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

/** Returns in words why a due transaction is not sent; null for nothing, or without an answer in time. */
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
 * Waits for a send or a discard, but no longer than the timeout: when the daemon hangs, the page shows what
 * is known.
 * @param timeoutMs milliseconds
 * @returns the result; undefined while the work continues
 * @throws {AppError}
 */
export const sendInTime = <T>(sending: Promise<T>, timeoutMs = SEND_MS): Promise<T | undefined> =>
	waitAtMost(sending, timeoutMs);

/**
 * Discards transactions whose approval was just rejected, if the daemons report in time that the network does
 * not have them; background rounds do the rest.
 */
export async function discardInTime(sender: Pick<Sender, 'discardUnapproved'>): Promise<void> {
	await waitAtMost(sender.discardUnapproved(), LOOK_MS);
}
