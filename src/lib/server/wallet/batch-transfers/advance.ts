/**
 * Advances one batch transfer as far as is possible now. Each row becomes a separate transaction: built by
 * the daemon, decoded and compared with the confirmed row, stored, and sent once. Each step is recorded in
 * the database before it is taken, and the current state is always read from there, so that after a crash
 * another process continues without sending anything twice.
 */
import { randomUUID } from 'node:crypto';
import type { BatchTransferProblem } from '#lib/messages/batch-transfers/problems.ts';
import { sameMessage } from '#lib/messages/catalogue.ts';
import { recordedError } from '#lib/messages/errors/recorded.ts';
import type { DaemonErrorCode } from '#lib/rpc/errors/index.ts';
import { refusalCode } from '../../chains/daemon/refusalCode.ts';
import { isPassing, isTransactionError, type TransactionError } from '../transactions/errors.ts';
import type { Sender } from '../transactions/sender.ts';
import { OPEN_STATES } from '../transactions/tables.ts';
import { isByHand } from '../transactions/use-cases/discard.ts';
import type { BatchTransfer, BatchTransferItem, BatchTransferStore } from './store.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/**
 * Maximum number of unconfirmed transfers of one batch transfer: each spends the change of the one before.
 */
const MOST_UNCONFIRMED = 20;

interface AdvanceParts {
	store: BatchTransferStore;
	sender: Sender;
}

/** Outcome of one step on a row. */
type Step =
	/** The transfer was broadcast or has failed: the next row may follow. */
	| { then: 'next' }
	/** The stored state changed: evaluate the same row again. */
	| { then: 'again' }
	/**
	 * Nothing to do until the next block, or until the daemon answers; `problem` says why if a member should
	 * know.
	 */
	| { then: 'wait'; problem: BatchTransferProblem | null }
	/** A member has to decide how to go on. */
	| { then: 'stop'; problem: BatchTransferProblem };

const NEXT: Step = { then: 'next' };
const AGAIN: Step = { then: 'again' };
const WAIT: Step = { then: 'wait', problem: null };
const AWAITS_APPROVAL: Step = {
	then: 'wait',
	problem: { code: 'transaction.needs-approval', params: {} }
};

/** Refusals when the remaining units or coins are not confirmed yet. */
const TOO_FEW: readonly (DaemonErrorCode | null)[] = [
	'tokens.no-inputs',
	'tokens.too-few-inputs',
	'tokens.fee-funds'
];

const isTooFew = (error: TransactionError): boolean =>
	isAppError(error, 'transaction.too-few-units') || TOO_FEW.includes(refusalCode(error.cause));

/** Converts an error to the problem that is stored; null for an internal error. */
function problemOf(error: unknown): BatchTransferProblem | null {
	return isAppError(error, 'daemon') || isTransactionError(error)
		? { code: 'transaction.failed', params: { error: recordedError(error) } }
		: null;
}

/**
 * Returns how a batch transfer continues after an error. Rethrows internal errors.
 * @param unconfirmed number of its unconfirmed transfers
 */
function stepAfter(error: unknown, unconfirmed: number): Step {
	if (isAppError(error, 'policy.needs-approval')) return AWAITS_APPROVAL;
	const problem = problemOf(error);
	if (problem === null) throw error;
	if (!isTransactionError(error)) return { then: 'wait', problem };
	if (isTooFew(error)) return unconfirmed > 0 ? WAIT : { then: 'stop', problem };
	const passes = isPassing(error);
	return { then: passes ? 'wait' : 'stop', problem };
}

export function createAdvance({ store, sender }: AdvanceParts) {
	/**
	 * Returns the outputs that open transactions of the chain spend, except those of transaction `own`, as
	 * `txid:vout`.
	 */
	async function spentOnTheWay(batchTransfer: BatchTransfer, own: string): Promise<Set<string>> {
		const open = await sender.list({
			chain: batchTransfer.chain,
			states: OPEN_STATES,
			limit: 1000
		});
		return new Set(
			open
				.filter(({ id }) => id !== own)
				.flatMap(({ review }) => review.inputs.map(({ txid, vout }) => `${txid}:${vout}`))
		);
	}

	/** Whether transactions of the same wallet are unconfirmed: their change may be what is missing. */
	async function awaitsChange({ chain, daemon }: BatchTransfer): Promise<boolean> {
		const open = await sender.list({ chain, states: ['broadcasting', 'broadcast'], limit: 1000 });
		return open.some((send) => send.daemon === daemon);
	}

	async function build(
		batchTransfer: BatchTransfer,
		{ recipient, units }: BatchTransferItem,
		id: string,
		unconfirmed: number
	): Promise<Step | null> {
		const request = {
			kind: 'token-transfer',
			tokenid: batchTransfer.tokenid,
			recipient,
			units
		} as const;
		try {
			await sender.moveToken(
				batchTransfer.chain,
				request,
				batchTransfer.confirmedBy ?? batchTransfer.createdBy,
				{ id, daemon: batchTransfer.daemon }
			);
		} catch (error) {
			// Another process may have built it under the same id.
			if ((await sender.get(id)) !== null) return null;
			const step = stepAfter(error, unconfirmed);
			const isShort = step.then === 'stop' && isTransactionError(error) && isTooFew(error);
			return isShort && (await awaitsChange(batchTransfer))
				? { then: 'wait', problem: step.problem }
				: step;
		}
		return null;
	}

	/** Takes one step on the current row. */
	async function step(
		batchTransfer: BatchTransfer,
		line: BatchTransferItem,
		unconfirmed: number
	): Promise<Step> {
		if (line.state === 'waiting') {
			const send = randomUUID();
			await store.moveRow(batchTransfer.id, line, {
				state: 'underway',
				transaction_id: send,
				problem: null
			});
			return AGAIN;
		}
		const id = line.send!;
		let send = await sender.get(id);
		if (send === null) {
			if (!(await store.isRunning(batchTransfer.id))) return WAIT;
			const stopped = await build(batchTransfer, line, id, unconfirmed);
			if (stopped !== null) return stopped;
			send = await sender.get(id);
		}
		switch (send?.state) {
			case undefined:
				return WAIT;
			case 'broadcast':
			case 'confirmed':
				await store.moveRow(batchTransfer.id, line, { state: 'broadcast', problem: null });
				return NEXT;
			case 'rejected':
				await store.moveRow(batchTransfer.id, line, {
					state: 'failed',
					problem: { code: 'transaction.rejected', params: { rejection: send.rejection } }
				});
				return NEXT;
			case 'broadcasting':
				// The process that sent it may have crashed. If the network has it, it was sent; if not, it
				// becomes `unknown` after two minutes.
				return (await sender.reconcile(id)) === 'absent' ? WAIT : AGAIN;
			case 'discarded': {
				if (send.rejection?.code === 'batch.dropped') {
					await store.moveRow(batchTransfer.id, line, { state: 'waiting', transaction_id: null });
					return WAIT;
				}
				const { rejection } = send;
				const byHand = isByHand(send);
				if (rejection === null && !byHand) {
					await store.moveRow(batchTransfer.id, line, { transaction_id: randomUUID() });
					return AGAIN;
				}
				const problem: BatchTransferProblem = byHand
					? { code: 'transaction.discarded', params: {} }
					: { code: 'transaction.rejected', params: { rejection } };
				await store.moveRow(batchTransfer.id, line, { state: 'failed', problem });
				return NEXT;
			}
			case 'reviewed': {
				if (send.pubkey !== batchTransfer.pubkey || send.daemon !== batchTransfer.daemon) {
					if (!(await sender.drop(send))) return AGAIN;
					return {
						then: 'stop',
						problem: { code: 'wallet.replaced', params: { chain: batchTransfer.chain } }
					};
				}
				const spent = await spentOnTheWay(batchTransfer, id);
				if (send.review.inputs.some(({ txid, vout }) => spent.has(`${txid}:${vout}`))) {
					// Both transactions spend this output, so only one of them could confirm. Dropping this
					// one releases its locked UTXOs and has it built again, unless it has been sent in the
					// meantime.
					await sender.drop(send);
					return AGAIN;
				}
			}
		}
		const actor = batchTransfer.confirmedBy ?? batchTransfer.createdBy;
		if (await sender.isUnapproved(id, actor)) return AWAITS_APPROVAL;
		try {
			// A member may stop it at any moment until the transfer is handed over.
			const state = await sender.send(id, actor, (within) =>
				store.isRunning(batchTransfer.id, within)
			);
			return state === 'unknown' || state === 'broadcasting' ? WAIT : AGAIN;
		} catch (error) {
			// The review has expired and was discarded: another transaction is built.
			if (isAppError(error, 'transaction.review-expired', 'queue.kept')) return AGAIN;
			throw error;
		}
	}

	/** Marks the batch transfer as done once every row has failed or is confirmed. */
	async function finish(
		{ id, confirmedBy, createdBy }: BatchTransfer,
		lines: readonly BatchTransferItem[]
	): Promise<void> {
		const isOver = ({ state, sendState }: BatchTransferItem): boolean =>
			state === 'failed' || (state === 'broadcast' && sendState === 'confirmed');
		if (lines.every(isOver)) await store.end(id, confirmedBy ?? createdBy, isOver);
	}

	/** Reconciles the transactions that were sent. Returns true when one of them had to be sent again. */
	async function lookAfter(id: string, actor: string): Promise<boolean> {
		let again = false;
		for (const line of await store.lines(id)) {
			if (line.state !== 'broadcast' || line.send === null) continue;
			if (line.sendState === 'unknown') {
				// `send` looks it up first, then sends the same bytes again: they can confirm only once.
				await sender.send(line.send, actor);
				again = true;
			} else if (line.sendState === 'broadcasting' || line.sendState === 'broadcast') {
				await sender.reconcile(line.send);
			}
		}
		return again;
	}

	/** Stores the reason for waiting or stopping, or clears it; writes only when it has changed. */
	async function halt(batchTransfer: BatchTransfer, result: Step): Promise<void> {
		if (result.then === 'stop') return store.stop(batchTransfer, result.problem);
		const problem = result.then === 'wait' ? result.problem : null;
		if (sameMessage(problem, batchTransfer.problem)) return;
		await store.move(batchTransfer.id, ['running'], { problem });
	}

	/** Takes all steps of the batch transfer that are possible now. */
	return async function advance(id: string): Promise<void> {
		let looked = false;
		for (;;) {
			const batchTransfer = await store.get(id);
			if (batchTransfer?.state !== 'running') return;
			const actor = batchTransfer.confirmedBy ?? batchTransfer.createdBy;
			if (!looked) {
				looked = true;
				try {
					if (await lookAfter(id, actor)) return;
				} catch (error) {
					return halt(batchTransfer, stepAfter(error, 0));
				}
			}
			const lines = await store.lines(id);
			const unconfirmed = lines.filter(
				({ state, sendState }) => state === 'broadcast' && sendState !== 'confirmed'
			).length;
			const next =
				lines.find(({ state }) => state === 'underway') ??
				lines.find(({ state }) => state === 'waiting');
			if (next === undefined) return finish(batchTransfer, lines);
			if (next.state === 'waiting' && unconfirmed >= MOST_UNCONFIRMED)
				return halt(batchTransfer, WAIT);
			let result: Step;
			try {
				result = await step(batchTransfer, next, unconfirmed);
			} catch (error) {
				result = stepAfter(error, unconfirmed);
			}
			if (result.then === 'wait' || result.then === 'stop') return halt(batchTransfer, result);
			if (batchTransfer.problem !== null) await halt(batchTransfer, result);
		}
	};
}
