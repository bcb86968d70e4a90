import type { CodedError } from '#lib/messages/errors/index.ts';
import type { MigrationReason } from '#lib/messages/migration/reasons.ts';
import type { ImportSearch, Whereabouts } from '../../../chains/daemon/lookup.ts';
import type { FinalityRule } from '../../../platform/config/finality.ts';
import type { RefusedOutlook } from '../../../wallet/transactions/refusedOutlook.ts';
import type { ImportReview } from '../importReview.ts';
import type { Refusal } from '../refusals.ts';
import type { ProofWindow } from './proofWindow.ts';

/** One try to complete the proof on KMD. */
export interface Candidate {
	/** Added to the height of the first notarization of the destination; 0 was sent as no offset. */
	offset: number;
	hex: string;
	review: ImportReview;
	/** The destination has a record of this root; null when it could not be asked. */
	known: boolean | null;
}

/** The block of an import, and when its chain takes it for final. */
export interface Watched {
	tip: number;
	notarized: number;
	rule: FinalityRule;
}

/** The block of the source that holds a burn. */
export interface BurnPlace {
	height: number;
	blockhash: string;
}

/** What was looked at, and what was seen. */
export type StepEvent = Seen & {
	/** Where the burn is, where the look was for something else: a reorganization may have moved it. */
	burnAt?: BurnPlace | null;
};

type Seen =
	/** `kept`: who confirmed it and may not send any more. */
	| { about: 'burn'; found: Whereabouts; outlook: RefusedOutlook | null; kept?: string }
	| { about: 'burn-sent'; refusal: Refusal | null }
	/** No block of the source holds the burn any more. */
	| { about: 'burn-gone' }
	/** A block of the source holds the burn of an import that people have to approve. */
	| { about: 'approval-awaited' }
	/**
	 * A block of the source holds the burn: the import can be built from it, with approvals or without. `tip`: height of
	 * the source, where its notarizations prove the burn.
	 */
	| { about: 'burn-stands'; approvals: Approvals | null; tip?: number }
	| { about: 'build'; hex: string; review: ImportReview }
	| { about: 'build-refused'; refusal: Refusal }
	| { about: 'completion'; candidates: readonly Candidate[]; tried: readonly Try[] }
	/** `searched`: where no notarization of the destination completes the proof. */
	| { about: 'completion-refused'; refusal: Refusal; searched?: ProofWindow }
	| { about: 'approvals'; count: ApprovalCount }
	| { about: 'approved-build'; hex: string; txid: string; approvals: Approvals }
	| { about: 'import'; found: Whereabouts; search: ImportSearch | null; chain?: Watched }
	| { about: 'import-sent'; refusal: Refusal | null }
	/** A review found that the bytes are not what they should be. */
	| { about: 'review'; error: CodedError }
	/** A daemon did not answer, is not the one it should be, or says what cannot be read. */
	| { about: 'no-answer'; reason: MigrationReason };

/** The approvals that an import is built with. */
export interface Approvals {
	/** One for each notary, the oldest first. */
	txids: readonly string[];
	/** Keys of the notaries, in the same order. */
	notaries: readonly string[];
	/** Height of the destination when they were looked at. */
	height: number;
}

/** How many approvals there are of a burn. */
export interface ApprovalCount {
	/** Different notaries whose approval is in a block. */
	counted: number;
	/** Different notaries more whose approval waits for a block. */
	pending: number;
	/** Ids that could not be looked up yet. */
	unknown: number;
}

/** What one offset gave. */
export interface Try {
	offset: number;
	/** Null where KMD completed the proof with it. */
	refusal: Refusal | null;
}
