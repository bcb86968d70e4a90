/** What stands in the way of an activation now, though it goes on by itself. */
import { z } from 'zod';
import { catalogueOf, entry, STORED, type MessageOf } from '../catalogue.ts';

const REASONS = {
	...STORED,
	/** A safety control stops the call. `detail`: which one, and why. */
	'call.stopped': entry({ detail: z.string() }, ({ detail }) => detail),
	/** The trading node did not answer, or not in a known form. `detail`: what is known of that. */
	'call.failed': entry({ detail: z.string() }, ({ detail }) => detail)
} as const;

/** Why an activation waits, as it is stored. */
export type ActivationReason = MessageOf<typeof REASONS>;

export const activationReasons = catalogueOf(REASONS);
