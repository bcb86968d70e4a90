/** Why parts of a proof could not be read, or a pasted text is no proof. Rendered by the server only. */
import type { ChainFault } from '#lib/chain/chainError.ts';
import { count } from '#lib/text/plural.ts';
import { chainErrorMessage } from './chainErrors.ts';
import { explainDaemon, misconfigured, type DaemonError } from './errors/explainDaemon.ts';

/** The request to a daemon. */
export type ProofSubject =
	| { code: 'height' | 'transaction' | 'proof' | 'momom'; chain: string }
	| { code: 'notarization'; chain: string; txid: string }
	| { code: 'block'; chain: string; block: number | string }
	| { code: 'blocks'; first: number; last: number }
	| { code: 'method'; method: string };

function subjectMessage(subject: ProofSubject): string {
	switch (subject.code) {
		case 'height':
			return `Height of ${subject.chain}`;
		case 'transaction':
			return `Transaction on ${subject.chain}`;
		case 'proof':
			return `Proof from ${subject.chain}`;
		case 'momom':
			return `MoMoM on ${subject.chain}`;
		case 'notarization':
			return `Notarization ${subject.txid} on ${subject.chain}`;
		case 'block':
			return `Block ${subject.block} of ${subject.chain}`;
		case 'blocks':
			return `Blocks ${count(subject.first)} to ${count(subject.last)}`;
		case 'method':
			return subject.method;
	}
}

/** What could not be read or compared. */
export type ProofNote =
	| { code: 'unavailable'; subject: ProofSubject; error: DaemonError }
	| { code: 'unreadable'; subject: ProofSubject; fault: ChainFault }
	| { code: 'orphaned' | 'pending' | 'unknown-chain'; chain: string }
	| { code: 'root-unknown' | 'root-unread'; chain: string }
	/** `hash`: null where a configured chain does not use Equihash, so that the bytes do not tell it. */
	| { code: 'block-unknown'; hash: string | null };

export function proofNoteMessage(note: ProofNote): string {
	switch (note.code) {
		case 'unavailable': {
			const { what, next } = explainDaemon(note.error);
			// Visitors can read proofs, too.
			const why = misconfigured(note.error) ?? `${what} ${next}`;
			return `${subjectMessage(note.subject)}: ${why}`;
		}
		case 'unreadable':
			return `${subjectMessage(note.subject)} cannot be decoded: ${chainErrorMessage(note.fault)}`;
		case 'orphaned':
			return `A reorganization of ${note.chain} removed the block of this transaction: there is nothing to prove.`;
		case 'pending':
			return `The transaction is pending on ${note.chain}: it can be proven once confirmed.`;
		case 'unknown-chain':
			return `${note.chain} is not configured, so its own hashes cannot be compared.`;
		case 'root-unknown':
			return `The notarizations that ${note.chain} would check do not hold the root of this proof: ${note.chain} would reject the import now.`;
		case 'root-unread':
			return `Whether ${note.chain} would accept the import is unknown: not all of its notarizations are indexed.`;
		case 'block-unknown':
			return note.hash === null
				? 'No configured chain has the block of this proof.'
				: `No configured chain has the block ${note.hash} of this proof.`;
	}
}

/** Why a pasted text is no proof. */
export type PasteFaultCode =
	| { code: 'empty' | 'not-hex' | 'no-tree' | 'other-transaction' | 'no-proof' | 'unrecognized' }
	| { code: 'txid-needed' | 'not-a-txid' }
	| { code: 'too-long'; digits: number; most: number };

export function pasteFaultMessage(fault: PasteFaultCode): string {
	switch (fault.code) {
		case 'empty':
			return 'Paste a proof.';
		case 'not-hex':
			return 'A proof is an even number of hex digits: 0 to 9 and a to f.';
		case 'no-tree':
			return 'The hashes of this proof do not form a tree, so it proves nothing.';
		case 'other-transaction':
			return 'The proof does not include this transaction.';
		case 'no-proof':
			return 'This transaction holds no proof. Search for its ID to see its status.';
		case 'unrecognized':
			return 'Not recognized: neither an import, a notary approval, nor a result of assetchainproof or gettxoutproof.';
		case 'txid-needed':
			return 'Enter the ID of the proven transaction: the proof does not name it.';
		case 'not-a-txid':
			return 'A transaction ID has 64 hex digits.';
		case 'too-long':
			return `${count(fault.digits)} digits are too many: up to ${count(fault.most)} can be verified.`;
	}
}
