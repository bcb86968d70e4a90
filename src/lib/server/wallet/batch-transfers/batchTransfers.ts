/**
 * One token to many recipients: read and reviewed as a whole, confirmed once, then sent as transfers of
 * their own, one after the other, by the worker here.
 */
import { batchFaults } from '#lib/messages/batch-transfers/faults.ts';
import type { Audit } from '../../access/audit/audit.ts';
import type { Rights } from '../../access/policy/limits/rights.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { AddressBook } from '../address-book/addressBook.ts';
import type { WalletTables } from '../tables.ts';
import { freeCoins } from '../transactions/freeCoins.ts';
import { FEE } from '../transactions/verifyTransaction.ts';
import { isTransactionError } from '../transactions/errors.ts';
import { notBuilt } from '../transactions/notBuilt.ts';
import type { Sender } from '../transactions/sender.ts';
import { createAdvance } from './advance.ts';
import { readRows, type RowErrors, type TypedRow } from './read.ts';
import { createBatchTransferStore, type BatchTransfers, type BatchTransferLine } from './store.ts';
import { isAppError } from '../../platform/errors/appError.ts';

interface BatchTransferParts {
	db: Database<WalletTables>;
	gateway: Gateway;
	audit: Audit;
	sender: Sender;
	addressBook: AddressBook;
	/** Whose work it is to end, and how much of the day is left. */
	rights: Pick<Rights, 'endRefusal' | 'limitRefusal'>;
	/** Unix milliseconds. */
	clock?: () => number;
}

export type Reviewed =
	| { ok: true; id: string }
	/** Errors by the index of the row; `problem` is about all of them together. */
	| { ok: false; errors: Record<number, RowErrors>; problem: string | null };

interface BatchTransferView {
	batchTransfer: BatchTransfers;
	lines: BatchTransferLine[];
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
	const advance = createAdvance({ store, sender, clock });
	/** Batch transfers that this process is moving. */
	const busy = new Set<string>();

	/** Reads the rows, checks them against the wallet, and keeps them for a look. */
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
	 * Before somebody confirms, ends or takes over a batch transfer.
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

	/** Puts a batch transfer into another state in the name of who may. @throws {AppError} `work.denied` */
	async function change(
		id: string,
		actor: string,
		act: 'confirmed' | 'discarded' | 'stopped' | 'resumed',
		...[from, to]: [Parameters<typeof store.move>[1], Parameters<typeof store.move>[2]]
	): Promise<boolean> {
		await refuseForeign(id, actor, `series ${act}`);
		return store.move(id, from, to, { actor, action: `series.${act}` });
	}

	/** Moves one batch transfer on unless this process is at it already. */
	async function moveOn(id: string): Promise<void> {
		if (busy.has(id)) return;
		busy.add(id);
		try {
			await advance(id);
		} finally {
			busy.delete(id);
		}
	}

	/** Whether a transaction was taken by the network. */
	async function isOut(id: string): Promise<boolean> {
		const state = (await sender.get(id))?.state;
		return state === 'broadcast' || state === 'confirmed';
	}

	/**
	 * What became of a transfer that was refused. As long as its bytes could still get into a block they are
	 * tried again first: another transfer is built only when they are refused once more. What was on the network
	 * may be there for others still, whatever this daemon says: no other one is built before that is over.
	 * @throws {AppError} `daemon` @throws {AppError}
	 */
	async function foundAgain(
		{ send }: BatchTransferLine,
		actor: string
	): Promise<'absent' | 'possible' | 'broadcast'> {
		const id = send ?? '';
		if ((await sender.reconcile(id)) !== 'absent') return 'broadcast';
		const before = await sender.get(id);
		if (before?.finalAt !== null) return 'absent';
		const notFound = before.takenAt === null ? 'absent' : 'possible';
		try {
			return (await sender.send(id, actor)) === 'rejected' ? notFound : 'broadcast';
		} catch (error) {
			// What is out spends its coins: these bytes can never be in a block beside it.
			if (isAppError(error, 'utxos.locked') && (await isOut(error.params.holder.id)))
				return notFound;
			throw error;
		}
	}

	return {
		review,
		ofToken: (chain: string, tokenid: string): Promise<BatchTransfers[]> =>
			store.ofToken(chain, tokenid, 10),

		async get(id: string): Promise<BatchTransferView | null> {
			const batchTransfer = await store.get(id);
			return batchTransfer && { batchTransfer, lines: await store.lines(id) };
		},

		/** Says that a reviewed batch transfer goes out; false when it was no longer waiting for that. @throws {AppError} `work.denied` */
		confirm: (id: string, actor: string): Promise<boolean> =>
			change(id, actor, 'confirmed', ['reviewed'], {
				state: 'running',
				confirmed_by: actor,
				confirmed_at: clock()
			}),

		/** Gives a reviewed batch transfer up. @throws {AppError} `work.denied` */
		discard: (id: string, actor: string): Promise<boolean> =>
			change(id, actor, 'discarded', ['reviewed'], { state: 'discarded', ended_at: clock() }),

		/** Sends nothing more of it; what is out stays out. @throws {AppError} `work.denied` */
		stop: (id: string, actor: string): Promise<boolean> =>
			change(id, actor, 'stopped', ['running'], { state: 'stopped', problem: null }),

		/** Goes on with a stopped batch transfer, in the name of who says so. @throws {AppError} `work.denied` */
		goOn: (id: string, actor: string): Promise<boolean> =>
			change(id, actor, 'resumed', ['stopped'], {
				state: 'running',
				problem: null,
				confirmed_by: actor
			}),

		/**
		 * Puts the failed transfers of a batch transfer back to be sent, after each was looked up: one that went out
		 * after all is no failure.
		 * @throws {AppError} when the daemon cannot be asked, `work.denied`, or `transaction.still-possible` when none is
		 * put back because a block could still take one
		 */
		async retry(id: string, actor: string): Promise<number> {
			await refuseForeign(id, actor, 'series retried');
			const batchTransfer = await store.get(id);
			if (batchTransfer === null || !['stopped', 'running', 'done'].includes(batchTransfer.state))
				return 0;
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

		/** Moves every running batch transfer on; one that is in trouble holds up no other. */
		/** @returns whether any was running */
		async round(): Promise<boolean> {
			const running = await store.running();
			const rounds = await Promise.allSettled(running.map(moveOn));
			for (const round of rounds) {
				if (round.status === 'rejected') throw round.reason;
			}
			return running.length > 0;
		}
	};
}

export type BatchTransferSender = ReturnType<typeof createBatchTransfers>;
