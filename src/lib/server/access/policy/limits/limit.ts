/** What a limit is. */
import type { LimitKind } from './kinds.ts';

/** The most of a kind within 24 hours; null: no such limit. */
export interface Most {
	count: bigint | null;
	/** Satoshi. */
	amount: bigint | null;
}

/** For whom a limit is. */
export interface LimitKey {
	/** An account's id, or `*`: everybody without a limit of their own. */
	account: string;
	/** A chain, or `*`: every chain without a limit of its own, each counted for itself. */
	chain: string;
	kind: LimitKind;
}

export interface Limit extends LimitKey {
	most: Most;
}

/** The highest fee of one transaction that an admin allows on a chain. */
export interface FeeCap {
	/** A chain, or `*`: every chain without a cap of its own. */
	chain: string;
	/** Satoshi. */
	most: bigint;
}
