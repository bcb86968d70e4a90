/** Types of limits. */
import type { LimitKind } from '../measuring/kinds.ts';

/** The most of a kind within 24 hours; null: not limited. */
export interface Most {
	count: bigint | null;
	/** Satoshi. */
	amount: bigint | null;
}

/** To which account, chain and kind a limit applies. */
export interface LimitKey {
	/** An account's id, or `*`: every account without a limit of its own. */
	account: string;
	/** A chain's name, or `*`: every chain without a limit of its own, each counted separately. */
	chain: string;
	kind: LimitKind;
}

export interface Limit extends LimitKey {
	most: Most;
}

/** The highest fee of one transaction that an admin allows on a chain. */
export interface FeeCap {
	/** A chain's name, or `*`: every chain without a cap of its own. */
	chain: string;
	/** Satoshi. */
	most: bigint;
}
