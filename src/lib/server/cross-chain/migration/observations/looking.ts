import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { Rights } from '../../../access/rights/rights.ts';
import type { FinalityRule } from '../../../platform/config/finality.ts';

/** The approvals of a burn, as its import needs them. */
export interface BurnApprovals {
	/** One for each notary, oldest first. */
	mined: { txid: string; notary: string }[];
	/** Number of further notaries, whose approval is pending. */
	pending: number;
	unknown: number;
}

/**
 * Looks up every approval of a burn again on a daemon of the destination.
 * @throws {AppError} `daemon` when it cannot be asked
 */
export type RecheckApprovals = (burn: {
	burnTxid: string;
	daemon: string;
}) => Promise<BurnApprovals>;

/** Dependencies of the checks. */
export interface Looking {
	gateway: Gateway;
	/** Looks up the approvals of a published burn. */
	recheckApprovals: RecheckApprovals;
	/** When a block of a chain is final. */
	ruleOf: (chain: string) => FinalityRule;
	/** Returns the import of a burn by the index; null for none. Only a hint, which the daemon confirms. */
	indexedImport: (chain: string, burnTxid: string) => Promise<string | null>;
	/** Returns why a member may not send from the wallet of a daemon now. */
	sendRefusal: Rights['sendRefusal'];
}
