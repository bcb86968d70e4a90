import type { CodedError } from '#lib/messages/errors/index.ts';
import type { MigrationReason } from '#lib/messages/migration/reasons.ts';
import type { ImportSearch } from '../../../chains/daemon/findImport.ts';
import type { Whereabouts } from '../../../chains/daemon/findTransaction.ts';
import type { FinalityRule } from '../../../platform/config/finality.ts';
import type { RefusedOutlook } from '../../../wallet/transactions/refusedOutlook.ts';
import type { ImportReview } from '../importReview.ts';
import type { Refusal } from '../refusals.ts';
import type { ProofWindow } from './proofWindow.ts';

/** A proof that KMD completed. */
export interface Candidate {
	/** Added to the height of the first notarization of the destination; for 0 no offset is sent. */
	offset: number;
	hex: string;
	review: ImportReview;
	/** Whether the destination has recorded this root; null when it could not be asked. */
	known: boolean | null;
}

/** The destination chain, and its rule for when a block is final. */
export interface Watched {
	tip: number;
	notarized: number;
	rule: FinalityRule;
}

/** The block of the source that contains a burn. */
export interface BurnPlace {
	height: number;
	blockhash: string;
}

/** What was checked, and the result. */
export type StepEvent = Seen & {
	/** Block of the burn, when the check was about something else: a reorganization may have moved it. */
	burnAt?: BurnPlace | null;
};

type Seen =
	/** `kept`: the member who confirmed the burn and may not send it any more. */
	| { about: 'burn'; found: Whereabouts; outlook: RefusedOutlook | null; kept?: string }
	| { about: 'burn-sent'; refusal: Refusal | null }
	/** No block of the source contains the burn any more. */
	| { about: 'burn-gone' }
	/** A block of the source contains the burn of an import that waits for approval. */
	| { about: 'approval-awaited' }
	/**
	 * A block of the source contains the burn, so the import can be built, with approvals or without. `tip`: height
	 * of the source, when notarizations are to prove the burn.
	 */
	| { about: 'burn-stands'; approvals: Approvals | null; tip?: number }
	| { about: 'build'; hex: string; review: ImportReview }
	| { about: 'build-refused'; refusal: Refusal }
	| { about: 'completion'; candidates: readonly Candidate[]; tried: readonly Try[] }
	/** `searched`: the window in which no notarization of the destination completes the proof. */
	| { about: 'completion-refused'; refusal: Refusal; searched?: ProofWindow }
	| { about: 'approvals'; count: ApprovalCount }
	| { about: 'approved-build'; hex: string; txid: string; approvals: Approvals }
	| { about: 'import'; found: Whereabouts; search: ImportSearch | null; chain?: Watched }
	| { about: 'import-sent'; refusal: Refusal | null }
	/** A review found that the bytes differ from what was requested. */
	| { about: 'review'; error: CodedError }
	/** A daemon did not answer, is the wrong one, or gave an unreadable answer. */
	| { about: 'no-answer'; reason: MigrationReason };

/** The approvals that an import is built with. */
export interface Approvals {
	/** One for each notary, oldest first. */
	txids: readonly string[];
	/** Keys of the notaries, in the same order. */
	notaries: readonly string[];
	/** Height of the destination when they were checked. */
	height: number;
}

/** Number of approvals of a burn. */
export interface ApprovalCount {
	/** Notaries whose approval is in a block. */
	counted: number;
	/** Further notaries, whose approval is pending. */
	pending: number;
	/** Txids that could not be looked up yet. */
	unknown: number;
}

/** Result of completing the proof with one offset. */
export interface Try {
	offset: number;
	/** Null when KMD completed the proof. */
	refusal: Refusal | null;
}
