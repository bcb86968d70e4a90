import type { Span } from './answers/measure.ts';

/** An answer, unchanged, for callers that pass it on. */
export interface RawAnswer {
	status: number;
	contentType: string;
	body: Buffer;
	/** Position of the call's id in the body; null for a batch, and for an answer without an id. */
	id: Span | null;
}
