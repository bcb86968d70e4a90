/**
 * Batch transfers: one token to many recipients. The rows are read and reviewed as a whole, confirmed once,
 * then sent as separate transactions, one after the other, by the background job.
 */
import { batchFaults } from '#lib/messages/batch-transfers/faults.ts';
import type { Audit } from '../../access/audit/audit.ts';
import type { Rights } from '../../access/rights/rights.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { createAdvanceAll } from '../../platform/jobs/advanceAll.ts';
import type { AddressBook } from '../address-book/addressBook.ts';
import type { WalletTables } from '../tables.ts';
import { freeCoins } from '../transactions/freeCoins.ts';
import { FEE } from '../transactions/verifyTransaction.ts';
import { isTransactionError } from '../transactions/errors.ts';
import { notBuilt } from '../transactions/notBuilt.ts';
import type { Sender } from '../transactions/sender.ts';
import { createAdvance } from './advance.ts';
import { readRows, type RowErrors, type TypedRow } from './read.ts';
import {
	createBatchTransferStore,
	RETRIABLE,
	type BatchTransfer,
	type BatchTransferItem
} from './store.ts';

interface BatchTransferParts {
	db: Database<WalletTables>;
	gateway: Gateway;
	audit: Audit;
	sender: Sender;
	addressBook: AddressBook;
	/** Decides who may confirm or end work, and what spending limits leave. */
	rights: Pick<Rights, 'endRefusal' | 'limitRefusal'>;
	/** Unix milliseconds. */
	clock?: () => number;
}

export type Reviewed =
	| { ok: true; id: string }
	/** Errors by index of the row, counted from 0; `problem` concerns the rows as a whole. */
	| { ok: false; errors: Record<number, RowErrors>; problem: string | null };

interface BatchTransferView {
	batchTransfer: BatchTransfer;
	lines: BatchTransferItem[];
}

export function createBatchTransfers({
	db,
	gateway,
	audit,
	sender,
	addressBook,
	rights,
	clock = Date.now
}: BatchTransferParts) {
	const store = createBatchTransferStore(db, audit, clock);
	const advanceAll = createAdvanceAll(createAdvance({ store, sender }));

	/** Validates the rows, checks them against the wallet, and stores them for review. */
	async function review(
		chain: string,
		tokenid: string,
		typed: readonly TypedRow[],
		actor: string
	): Promise<Reviewed> {
		const decimals = await sender.decimals(chain, tokenid);
		const read = await readRows(addressBook, typed, decimals);
		if (!read.ok) return read;
		const { rows, sum } = read;
		const refused = (problem: string): Reviewed => ({ ok: false, errors: {}, problem });
		try {
			const wallet = await sender.wallet(chain, actor);
			await gateway.call(wallet.daemon, 'tokeninfo', [tokenid]);
			const { balance } = await gateway.call(wallet.daemon, 'tokenbalance', [tokenid]);
			if (sum > balance) {
				return refused(batchFaults.tooFewTokens(sum, balance, decimals));
			}
			const fees = FEE * BigInt(rows.length);
			const free = await freeCoins(gateway, wallet);
			if (free !== null && free < fees) {
				return refused(batchFaults.tooFewCoins(rows.length, fees, free, chain));
			}
			const each = rows.map(() => ({ kind: 'token-transfer', amount: 0n }) as const);
			const over = await rights.limitRefusal(actor, chain, each, 'token-transfer');
			if (over !== null) return refused(over.message);
			const { daemon, pubkey } = wallet;
			return {
				ok: true,
				id: await store.add({ chain, tokenid, daemon, pubkey, createdBy: actor }, rows)
			};
		} catch (error) {
			const told = notBuilt(error);
			if (!isTransactionError(told)) throw told;
			return refused(told.message);
		}
	}

	/**
	 * Refuses a member who may not confirm, end or resume a batch transfer.
	 * @throws {AppError} `work.denied`
	 */
	async function refuseForeign(id: string, actor: string, act: string): Promise<void> {
		const batchTransfer = await store.get(id);
		if (batchTransfer === null) return;
		const { daemon, confirmedBy, createdBy } = batchTransfer;
		const work = { kind: 'series', id, by: confirmedBy ?? createdBy, daemon } as const;
		const no = await rights.endRefusal(actor, work, act);
		if (no !== null) throw new AppError('work.denied', { why: no.coded, certain: 'not-changed' });
	}

	/**
	 * Changes the state of a batch transfer if the actor may do that. Returns false when it was in another
	 * state.
	 * @throws {AppError} `work.denied`
	 */
	async function change(
		id: string,
		actor: string,
		act: 'confirmed' | 'discarded' | 'stopped' | 'resumed',
		...[from, to]: [Parameters<typeof store.move>[1], Parameters<typeof store.move>[2]]
	): Promise<boolean> {
		await refuseForeign(id, actor, `series ${act}`);
		return store.move(id, from, to, { actor, action: `series.${act}` });
	}

	/** Whether a transaction is stored as broadcast or confirmed. */
	async function isOut(id: string): Promise<boolean> {
		const state = (await sender.get(id))?.state;
		return state === 'broadcast' || state === 'confirmed';
	}

	/**
	 * Looks up a rejected transfer. While its bytes could still confirm, they are sent again first: another
	 * transfer may be built only once they are rejected again. A transaction that was on the network may
	 * still be in the mempools of others, whatever this daemon says, and one that the daemon would not find may be
	 * in a block: it remains `possible` until its end is final.
	 * @throws {AppError} `daemon`
	 * @throws {AppError} what sending throws
	 */
	async function foundAgain(
		{ send }: BatchTransferItem,
		actor: string
	): Promise<'absent' | 'possible' | 'broadcast'> {
		const id = send ?? '';
		if ((await sender.reconcile(id)) !== 'absent') return 'broadcast';
		const before = await sender.get(id);
		if (before?.finalAt !== null) return 'absent';
		const notFound = before.takenAt === null ? 'absent' : 'possible';
		try {
			if ((await sender.send(id, actor)) !== 'rejected') return 'broadcast';
			return notFound === 'absent' && (await sender.isCertainlyAbsent(id)) ? 'absent' : 'possible';
		} catch (error) {
			// The transaction that was broadcast spends the same UTXOs: these bytes can never confirm.
			if (isAppError(error, 'utxos.locked') && (await isOut(error.params.holder.id)))
				return notFound;
			throw error;
		}
	}

	return {
		review,
		ofToken: (chain: string, tokenid: string): Promise<BatchTransfer[]> =>
			store.ofToken(chain, tokenid, 10),

		async get(id: string): Promise<BatchTransferView | null> {
			const batchTransfer = await store.get(id);
			return batchTransfer && { batchTransfer, lines: await store.lines(id) };
		},

		/**
		 * Confirms a reviewed batch transfer. Returns false when it is not in review any more.
		 * @throws {AppError} `work.denied`
		 */
		confirm: (id: string, actor: string): Promise<boolean> =>
			change(id, actor, 'confirmed', ['reviewed'], {
				state: 'running',
				confirmed_by: actor,
				confirmed_at: clock()
			}),

		/**
		 * Discards a batch transfer that is in review or stopped: it sends nothing more. Transactions that were sent
		 * stay valid, and those that were built or may be out go on without it, each on its own page.
		 * @throws {AppError} `work.denied`
		 */
		discard: (id: string, actor: string): Promise<boolean> =>
			change(id, actor, 'discarded', ['reviewed', 'stopped'], {
				state: 'discarded',
				ended_at: clock()
			}),

		/**
		 * Stops a batch transfer; transactions that were sent stay valid.
		 * @throws {AppError} `work.denied`
		 */
		stop: (id: string, actor: string): Promise<boolean> =>
			change(id, actor, 'stopped', ['running'], { state: 'stopped', problem: null }),

		/**
		 * Resumes a stopped batch transfer; its transactions are sent in the name of the actor from now on.
		 * @throws {AppError} `work.denied`
		 */
		goOn: (id: string, actor: string): Promise<boolean> =>
			change(id, actor, 'resumed', ['stopped'], {
				state: 'running',
				problem: null,
				confirmed_by: actor
			}),

		/**
		 * Queues the failed transfers of a batch transfer to be sent again. A rejected one is looked up
		 * first: if it was broadcast after all, it counts as sent.
		 * @returns how many were queued
		 * @throws {AppError} when the daemon cannot be asked, `work.denied`, or `transaction.still-possible`
		 * when none was queued because a rejected one could still confirm
		 */
		async retry(id: string, actor: string): Promise<number> {
			await refuseForeign(id, actor, 'series retried');
			const batchTransfer = await store.get(id);
			if (batchTransfer === null || !RETRIABLE.includes(batchTransfer.state)) return 0;
			let put = 0;
			let possible: number | null = null;
			for (const line of await store.lines(id)) {
				if (line.state !== 'failed') continue;
				try {
					const found = line.sendState === 'rejected' ? await foundAgain(line, actor) : 'absent';
					if (found === 'possible') possible ??= line.n;
					else if (found === 'broadcast') {
						await store.moveRow(id, line, { state: 'broadcast', problem: null });
					} else if (await store.putBack(id, line, actor, put === 0)) put += 1;
				} catch (error) {
					if (isAppError(error, 'daemon')) throw notBuilt(error);
					throw error;
				}
			}
			if (possible !== null && put === 0) {
				throw new AppError('transaction.still-possible', { row: possible });
			}
			return put;
		},

		/**
		 * Advances every running batch transfer; a failing one does not delay the others.
		 * @returns whether any batch transfer was running
		 */
		async round(): Promise<boolean> {
			const running = await store.running();
			await advanceAll(running);
			return running.length > 0;
		}
	};
}

export type BatchTransferSender = ReturnType<typeof createBatchTransfers>;
