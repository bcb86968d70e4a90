import type { Int64, NullableText } from '../../../platform/database/columns.ts';
import type { RuleKind } from './rule.ts';

/** A rule as it stands. */
export interface PolicyRulesTable {
	id: string;
	/** Rules are asked in the order of it. */
	position: Int64;
	/** Grows with each change: what was approved under a rule holds for that revision. */
	revision: Int64;
	/** JSON: a `RuleBody`. */
	body: string;
}

/** What went out, for the windows of rules. Rows older than the longest window go. */
export interface PolicyUsesTable {
	account: string;
	/** Txid, so that the same transaction counts once; else an id made for this one use. */
	ref: string;
	/** Counts the parts of one use. */
	part: Int64;
	role: string;
	/** Id of the API token that it came with. */
	token: NullableText;
	wallet: string;
	kind: RuleKind;
	chain: string;
	/** Empty for coins. */
	tokenid: string;
	/** An address; empty where there is no recipient, or none that is known. */
	recipient: string;
	/** Whether the recipient is a wallet of this installation. */
	own: Int64;
	/** Satoshi, or base units of the token; -1 where it could not be told. */
	amount: Int64;
	/** Unix milliseconds. */
	at: Int64;
	/** How many sends of it rely on it: those that reached nobody give it back. */
	claims: Int64;
}

/** One row: locked while something is judged or rules change, so that one comes after the other. */
export interface PolicyStateTable {
	id: Int64;
	/** Grows with each lock. */
	turns: Int64;
}

export interface PolicyTables {
	policy_rules: PolicyRulesTable;
	policy_uses: PolicyUsesTable;
	policy_state: PolicyStateTable;
}
