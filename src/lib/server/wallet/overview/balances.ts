/** The parts of a wallet's balance, and where each output stands. Pure. */
import type { Satoshi } from '#lib/chain/amount.ts';
import { nameOfUtxo } from '#lib/chain/nameOfUtxo.ts';
import { type HeldUtxo, type Holder } from '../locked-utxos/locks.ts';
import type { WalletUtxo } from './readWallet.ts';

/** Where an output stands: a review can take only what is `free`. */
export type UtxoState = 'free' | 'locked' | 'pending' | 'watched';

export interface UtxoRow extends WalletUtxo {
	state: UtxoState;
	/** The draft that has it; null unless it is locked. */
	lock: { holder: Holder; until: number } | null;
}

/** Sums in satoshi. */
interface Balances {
	/** Confirmed, whoever has a lock on it. */
	confirmed: Satoshi;
	/** Of `confirmed`, what a review can take now. */
	available: Satoshi;
	/** Of `confirmed`, what reviews have locked. */
	locked: Satoshi;
	/** Received, or change, in no block yet. */
	pending: Satoshi;
}

const stateOf = ({ spendable, confirmations }: WalletUtxo, isLocked: boolean): UtxoState => {
	if (isLocked) return 'locked';
	if (!spendable) return 'watched';
	return confirmations < 1 ? 'pending' : 'free';
};

/** The outputs of a wallet with what stands in the way of each. */
export function statusOfUtxos(utxos: readonly WalletUtxo[], held: readonly HeldUtxo[]): UtxoRow[] {
	const locks = new Map(held.map((one) => [nameOfUtxo(one), one]));
	return utxos.map((utxo) => {
		const lock = locks.get(nameOfUtxo(utxo)) ?? null;
		return {
			...utxo,
			state: stateOf(utxo, lock !== null),
			lock: lock && { holder: lock.holder, until: lock.until }
		};
	});
}

const sumOf = (rows: readonly UtxoRow[], fits: (row: UtxoRow) => boolean): Satoshi =>
	rows.reduce((sum, row) => (fits(row) ? sum + row.amount : sum), 0n);

export function balancesOf(rows: readonly UtxoRow[]): Balances {
	const isConfirmed = ({ confirmations, state }: UtxoRow): boolean =>
		confirmations > 0 && state !== 'watched';
	return {
		confirmed: sumOf(rows, isConfirmed),
		available: sumOf(rows, ({ state }) => state === 'free'),
		locked: sumOf(rows, (row) => isConfirmed(row) && row.state === 'locked'),
		pending: sumOf(rows, ({ confirmations, state }) => confirmations < 1 && state !== 'watched')
	};
}

/** A draft that keeps outputs of a wallet. */
export interface HeldBy {
	holder: Holder;
	/** Until when, as long as nobody confirms it. Unix milliseconds. */
	until: number;
	count: number;
	/** Satoshi. */
	amount: Satoshi;
}

/** What each draft keeps, the one that ends first at the top. */
export function heldByDraft(rows: readonly UtxoRow[]): HeldBy[] {
	const drafts = new Map<string, HeldBy>();
	for (const { lock, amount } of rows) {
		if (lock === null) continue;
		const known = drafts.get(lock.holder.id);
		drafts.set(lock.holder.id, {
			...lock,
			count: (known?.count ?? 0) + 1,
			amount: (known?.amount ?? 0n) + amount
		});
	}
	return [...drafts.values()].sort((a, b) => a.until - b.until);
}
