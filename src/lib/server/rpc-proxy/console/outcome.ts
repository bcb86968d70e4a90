import type { TreeNode } from './tree.ts';

export interface Answered {
	kind: 'answered';
	/** HTTP status of the daemon's answer. */
	status: number;
	ms: number;
	bytes: number;
	/** The daemon's own bytes, from the beginning. */
	raw: string;
	/** The answer is longer than `raw`. */
	cut: boolean;
	/** The result; null when the answer is an error, or too large to be shown as a tree. */
	tree: TreeNode | null;
	/** A JSON-RPC error, with what its code means. */
	error: { code: string; message: string; meaning: string | null } | null;
	/** A failure inside a result, in the daemon's words, which may be empty. */
	failure: string | null;
	/** What a refusal means, whose turn it is and what to do; null when it is none, or nobody wrote about it. */
	explained: { what: string; next: string } | null;
}

export type CallOutcome =
	| Answered
	/** Not allowed, or there is no such daemon: nothing went out. `request`: for the approval that a rule asks for. */
	| { kind: 'refused'; sentence: string; request?: string }
	/** Too many calls: nothing went out. */
	| { kind: 'limited'; seconds: number }
	/** No answer to show; whether the daemon may have acted is in the sentences. */
	| { kind: 'failed'; ms: number; what: string; safe: string; next: string };
