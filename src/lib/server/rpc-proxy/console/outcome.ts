import type { TreeNode } from './tree.ts';

export interface Answered {
	kind: 'answered';
	/** HTTP status of the daemon's response. */
	status: number;
	ms: number;
	bytes: number;
	/** The beginning of the response as the daemon sent it. */
	raw: string;
	/** Whether the response is longer than `raw`. */
	cut: boolean;
	/** The result; null when the response is an error, or too large for the tree view. */
	tree: TreeNode | null;
	/** A JSON-RPC error, with what its code means. */
	error: { code: string; message: string; meaning: string | null } | null;
	/** An in-band error, in the daemon's words, which may be empty. */
	failure: string | null;
	/** Explanation of an error and what to do; null when there is no error, or no explanation. */
	explained: { what: string; next: string } | null;
}

export type CallOutcome =
	| Answered
	/**
	 * Not allowed, or no such daemon: nothing was sent, unless the response is `withheld`: the daemon executed
	 * the call. `request`: id of the approval request that a rule requires.
	 */
	| { kind: 'refused'; sentence: string; request?: string; withheld?: true }
	/** Too many calls: nothing was sent. */
	| { kind: 'limited'; seconds: number }
	/** No response to show; the sentences say whether the daemon may have acted. */
	| { kind: 'failed'; ms: number; what: string; safe: string; next: string };
