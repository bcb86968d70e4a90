import type { Int64, NullableText } from '../../../platform/database/columns.ts';
import type { RuleKind } from './rule.ts';

/** A rule in force. */
export interface PolicyRulesTable {
	id: string;
	/** Sort key: rules are evaluated in ascending order. */
	position: Int64;
	/** Grows with each change: approvals given under a rule hold for that revision. */
	revision: Int64;
	/** JSON: a `RuleBody`. */
	body: string;
}

/** What was sent, for the windows of rules. Rows older than the longest window are deleted. */
export interface PolicyUsesTable {
	account: string;
	/** A txid, so that the same transaction counts once; otherwise an id made for this use. */
	ref: string;
	/** Number of the part within one use. */
	part: Int64;
	role: string;
	/** Id of the API token that the request came with; null for none. */
	token: NullableText;
	wallet: string;
	kind: RuleKind;
	chain: string;
	/** Empty for coins. */
	tokenid: string;
	/** An address; empty where there is no recipient, `?` where it is unknown. */
	recipient: string;
	/** Whether the recipient is a wallet of this installation: 0 or 1. */
	own: Int64;
	/** Satoshi, or base units of the token; -1 when the amount is unknown. */
	amount: Int64;
	/** Unix milliseconds. */
	at: Int64;
	/** Number of sends that rely on this use. A send that reached no daemon gives its claim back. */
	claims: Int64;
}

/** A single row, written to as a lock: judgements and changes of rules run one after the other. */
export interface PolicyStateTable {
	id: Int64;
	/** Incremented by each lock. */
	turns: Int64;
}

export interface PolicyTables {
	policy_rules: PolicyRulesTable;
	policy_uses: PolicyUsesTable;
	policy_state: PolicyStateTable;
}
