/** Computes the parts of a wallet's balance and the state of each of its outputs. Pure. */
import { type Satoshi, sumOf } from '#lib/chain/amount.ts';
import { nameOfUtxo } from '#lib/chain/nameOfUtxo.ts';
import { type HeldUtxo, type Holder } from '../locked-utxos/locks.ts';
import type { WalletUtxo } from './readWallet.ts';

/** State of an output. A review can spend only `free` ones; `watched` ones cannot be spent by the wallet. */
export type UtxoState = 'free' | 'locked' | 'pending' | 'watched';

export interface UtxoRow extends WalletUtxo {
	state: UtxoState;
	/** The draft that locks it, and until when in Unix milliseconds; null unless it is locked. */
	lock: { holder: Holder; until: number } | null;
}

/** Sums in satoshi. */
interface Balances {
	/** Confirmed, locked or not. */
	confirmed: Satoshi;
	/** The part of `confirmed` that a review can spend now. */
	available: Satoshi;
	/** The part of `confirmed` that reviews have locked. */
	locked: Satoshi;
	/** Received or change, not confirmed yet. */
	pending: Satoshi;
}

const stateOf = ({ spendable, confirmations }: WalletUtxo, isLocked: boolean): UtxoState => {
	if (isLocked) return 'locked';
	if (!spendable) return 'watched';
	return confirmations < 1 ? 'pending' : 'free';
};

/** Returns the outputs of a wallet, each with its state. */
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

const amountOf = (rows: readonly UtxoRow[], fits: (row: UtxoRow) => boolean): Satoshi =>
	sumOf(rows.filter(fits).map(({ amount }) => amount));

/** Sums up the outputs of a wallet; watched ones are not the wallet's own. */
export function balancesOf(rows: readonly UtxoRow[]): Balances {
	const isConfirmed = ({ confirmations, state }: UtxoRow): boolean =>
		confirmations > 0 && state !== 'watched';
	return {
		confirmed: amountOf(rows, isConfirmed),
		available: amountOf(rows, ({ state }) => state === 'free'),
		locked: amountOf(rows, (row) => isConfirmed(row) && row.state === 'locked'),
		pending: amountOf(rows, ({ confirmations, state }) => confirmations < 1 && state !== 'watched')
	};
}

/** A draft with the outputs that it locks. */
export interface HeldBy {
	holder: Holder;
	/** Expiry of its locks, unless it is confirmed by a member. Unix milliseconds. */
	until: number;
	count: number;
	/** Satoshi. */
	amount: Satoshi;
}

/** Sums the locked outputs by draft, the earliest expiry first. */
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
