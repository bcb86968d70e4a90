import type { PageData } from './$types';

/** What is known of an active coin. */
export type Held = NonNullable<PageData['held']>;

/** Result of the form for what swaps wait for. */
export interface SwapsOutcome {
	typed: Record<'confirmations' | 'notarization', string>;
	errors: Record<string, string>;
}
