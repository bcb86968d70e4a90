/**
 * Moves one approval queue as far as it currently can go: builds waiting approvals, and sends those that a member
 * has reviewed and confirmed. Every approval is a separate transaction, built, decoded and reviewed like any other.
 * Each action is recorded before it is executed, so that after a crash another process continues without building
 * or sending anything twice.
 */
import { randomUUID } from 'node:crypto';
import { sameMessage } from '#lib/messages/catalogue.ts';
import { recordedError } from '#lib/messages/errors/recorded.ts';
import type { QueueProblem } from '#lib/messages/notary-approvals/queueProblems.ts';
import type { WalletProblem } from '#lib/messages/notary-approvals/wallets.ts';
import { isUnmeasured } from '../../../access/rights/refused.ts';
import type { Rights } from '../../../access/rights/rights.ts';
import { someAtATime } from '../../../platform/async/someAtATime.ts';
import { isAppError, type AppError } from '../../../platform/errors/appError.ts';
import { isPassing, isTransactionError } from '../../../wallet/transactions/errors.ts';
import type { Sender } from '../../../wallet/transactions/sender.ts';
import type { Send } from '../../../wallet/transactions/store.ts';
import { isByHand } from '../../../wallet/transactions/use-cases/discard.ts';
import type { NotaryApprovals } from '../notaryApprovals.ts';
import { CLOSED } from '../publication.ts';
import type { ApprovalQueue, ApprovalQueueItem, ApprovalQueueStore } from './store.ts';

export interface AdvanceParts {
	store: ApprovalQueueStore;
	sender: Sender;
	approvals: NotaryApprovals;
	rights: Pick<Rights, 'sendRefusal'>;
	/** Unix milliseconds. */
	clock: () => number;
}

/** Wallets that build or send at the same time. */
const WALLETS_AT_ONCE = 4;

/** Problems of a wallet that may pass without intervention. */
const PASSING: ReadonlySet<WalletProblem['code']> = new Set(['wallet.offline', 'notaries.unknown']);

const failed = (error: AppError): QueueProblem => ({
	code: 'approval.failed',
	params: { error: recordedError(error) }
});

const refusedBy = (problem: WalletProblem): QueueProblem => ({
	code: 'approval.wallet',
	params: { problem }
});

const AWAITED: QueueProblem = { code: 'approval.awaited', params: {} };
const BUSY: QueueProblem = { code: 'approval.busy', params: {} };

/** What to do next with an approval: `again` executes another step, `rest` leaves it for now. */
type Step = 'again' | 'rest';

/**
 * Creates the function that does what is possible in a queue now. A failure of one approval is stored as its problem.
 * The function throws only what is no failure of a daemon, a transaction or a wallet, such as errors of the database.
 */
export function createAdvance({ store, sender, approvals, rights, clock }: AdvanceParts) {
	/** Lets an approval that was not built wait, or ends it. */
	async function notBuilt(
		queue: ApprovalQueue,
		item: ApprovalQueueItem,
		problem: QueueProblem,
		passes: boolean
	): Promise<Step> {
		const to = passes
			? ({ state: 'waiting', transaction_id: null, problem } as const)
			: ({ state: 'refused', transaction_id: null, problem } as const);
		await store.moveItem(queue.id, item, to);
		return 'rest';
	}

	/**
	 * Builds the transaction of an approval under the id in its row.
	 * @param hasUnconfirmed whether an approval of the same wallet is unconfirmed
	 */
	async function build(
		queue: ApprovalQueue,
		item: ApprovalQueueItem,
		id: string,
		hasUnconfirmed: boolean
	): Promise<Step> {
		const found = await approvals.published(item.burnTxid);
		if (found === null || CLOSED.includes(found.burn.state)) {
			return notBuilt(queue, item, { code: 'burn.closed', params: {} }, false);
		}
		try {
			const built = await approvals.approve(found, item.daemon, queue.builtBy, id);
			if ('send' in built) return 'again';
			const { problem } = built;
			return await notBuilt(queue, item, refusedBy(problem), PASSING.has(problem.code));
		} catch (error) {
			// Another process may have built it under the same id.
			if ((await sender.get(id)) !== null) return 'again';
			if (isAppError(error, 'notary-approval.no-coins') && hasUnconfirmed) {
				return notBuilt(queue, item, { code: 'approval.no-coins-yet', params: {} }, true);
			}
			if (isAppError(error, 'daemon')) return notBuilt(queue, item, failed(error), true);
			if (!isTransactionError(error)) throw error;
			const passes = isPassing(error);
			return notBuilt(queue, item, failed(error), passes);
		}
	}

	/** Ends an approval whose transaction was discarded, expired, not approved by others, or rejected by the daemon. */
	async function endItem(queue: ApprovalQueue, item: ApprovalQueueItem, send: Send): Promise<Step> {
		const { rejection } = send;
		const byHand = isByHand(send);
		if (rejection !== null && !byHand) {
			const problem: QueueProblem = { code: 'approval.unapproved', params: { rejection } };
			await store.moveItem(queue.id, item, { state: 'refused', problem });
			return 'rest';
		}
		await store.moveItem(
			queue.id,
			item,
			byHand
				? { state: 'refused', problem: { code: 'approval.discarded', params: {} } }
				: { state: 'lapsed', problem: null }
		);
		return 'rest';
	}

	/** Leaves an approval that cannot be sent yet unchanged, and records the problem once. */
	async function held(
		queue: ApprovalQueue,
		item: ApprovalQueueItem,
		problem: QueueProblem
	): Promise<Step> {
		if (!sameMessage(item.problem, problem)) await store.moveItem(queue.id, item, { problem });
		return 'rest';
	}

	/**
	 * Sends an approval in the name of the member who confirmed it. After a failure it must be confirmed again, except
	 * when what it takes could not be measured.
	 */
	async function sendOut(queue: ApprovalQueue, item: ApprovalQueueItem, id: string): Promise<Step> {
		const actor = item.confirmedBy ?? '';
		const back = async (problem: QueueProblem): Promise<Step> => {
			await store.moveItem(queue.id, item, { state: 'underway', confirmed_by: null, problem });
			return 'rest';
		};
		// The account or the role may have changed since confirming. Sending itself tells that the wallet was
		// withdrawn.
		const no = await rights.sendRefusal(actor, item.daemon, 'notary');
		const isWallet = no === null || isAppError(no, 'wallet.not-granted');
		if (!isWallet) return back({ code: 'approval.role', params: {} });
		if (await sender.isUnapproved(id, actor)) return held(queue, item, AWAITED);
		try {
			await sender.send(id, actor);
		} catch (error) {
			if (isAppError(error, 'transaction.review-expired')) return 'again';
			// It stays confirmed, so that it is sent once others have approved it.
			if (isAppError(error, 'policy.needs-approval')) return held(queue, item, AWAITED);
			// Nothing was refused, and it may pass within the time of its review.
			if (isUnmeasured(error)) return held(queue, item, failed(error));
			if (isAppError(error, 'daemon') || isTransactionError(error)) return back(failed(error));
			throw error;
		}
		await approvals.sent(item.burnTxid);
		return 'again';
	}

	/**
	 * Executes one step of an approval.
	 * @param hasUnconfirmed whether an approval of the same wallet is unconfirmed
	 */
	async function step(
		queue: ApprovalQueue,
		item: ApprovalQueueItem,
		hasUnconfirmed: boolean
	): Promise<Step> {
		if (item.state === 'waiting') {
			const lapses = queue.activeUntil <= clock();
			await store.moveItem(
				queue.id,
				item,
				lapses
					? { state: 'lapsed', problem: null }
					: { state: 'underway', transaction_id: randomUUID(), problem: null }
			);
			return 'again';
		}
		if (item.state !== 'underway' && item.state !== 'confirmed') return 'rest';
		const id = item.send ?? '';
		const send = await sender.get(id);
		if (send === null) return build(queue, item, id, hasUnconfirmed);
		switch (send.state) {
			case 'reviewed':
				if (send.expiresAt <= clock()) return endItem(queue, item, send);
				return item.state === 'confirmed' ? sendOut(queue, item, id) : 'rest';
			case 'needs-approval':
				return item.state === 'confirmed' ? sendOut(queue, item, id) : 'rest';
			case 'discarded':
			case 'rejected':
				return endItem(queue, item, send);
			case 'broadcasting':
				// A process may have crashed while sending. Found: it was sent; absent: it becomes unknown in two
				// minutes.
				if ((await sender.reconcile(id)) === 'absent') return 'rest';
		}
		await store.moveItem(queue.id, item, { state: 'sent', problem: null });
		return 'rest';
	}

	/** Moves the approvals of one wallet one after the other, because each spends the change of the previous one. */
	async function advanceWallet(queue: ApprovalQueue, daemon: string): Promise<void> {
		const mine = async (): Promise<ApprovalQueueItem[]> =>
			(await store.items(queue.id)).filter((item) => item.daemon === daemon);
		for (const { n } of await mine()) {
			for (;;) {
				const items = await mine();
				const item = items.find((one) => one.n === n)!;
				const isBusy = items.some(
					(one) => one.n !== n && (one.state === 'underway' || one.state === 'confirmed')
				);
				if (item.state === 'waiting' && isBusy) {
					if (!sameMessage(item.problem, BUSY))
						await store.moveItem(queue.id, item, { problem: BUSY });
					break;
				}
				const hasUnconfirmed = items.some(({ state }) => state === 'sent');
				if ((await step(queue, item, hasUnconfirmed)) === 'rest') break;
			}
		}
	}

	/** Ends the queue when nothing in it can change any more without intervention. */
	async function finish(id: string): Promise<void> {
		for (const { state, send } of await store.items(id)) {
			if (state === 'refused' || state === 'lapsed') continue;
			const standing = state === 'sent' ? (await sender.get(send ?? ''))?.state : undefined;
			if (standing !== 'confirmed' && standing !== 'rejected') return;
		}
		await store.end(id);
	}

	/** Does everything in the queue that is currently possible. */
	return async function advance(id: string): Promise<void> {
		const queue = await store.get(id);
		if (queue?.state !== 'open') return;
		const daemons = [...new Set((await store.items(id)).map(({ daemon }) => daemon))];
		await someAtATime(daemons, WALLETS_AT_ONCE, (daemon) => advanceWallet(queue, daemon));
		await finish(id);
	};
}
