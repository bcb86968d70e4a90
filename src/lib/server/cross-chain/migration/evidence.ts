/** What each step of a migration found, as it is stored: one shape for each step. */
import { z } from 'zod';
import type { StepId } from './steps.ts';

const Height = z.int().nullable();
const Id = z.string().nullable();
const Count = z.int();
const Time = z.int();

/** Every step may be tried again: how often in a row it was. */
const TRIED = { tries: Count };

/** A transaction that is sent. */
const SENT = {
	...TRIED,
	/** The daemon's own words; null once they do not count any more. */
	refused: z.string().nullable(),
	/** The refusal may pass. */
	passing: z.boolean().nullable()
};

const shape = <Shape extends z.ZodRawShape>(members: Shape) => z.object(members).partial();

export const EVIDENCE = {
	compose: shape({
		...TRIED,
		/** The transaction was brought along, not composed here. */
		pasted: z.boolean(),
		/** Outputs of the wallet that were added to the chosen ones. */
		added: Count
	}),
	convert: shape(TRIED),
	fund: shape(TRIED),
	burn: shape({
		...SENT,
		/** Who answers for it while no daemon shows it; null: the server's own command line. */
		confirmedBy: z.string().nullable(),
		/** The block at which one of its inputs was first seen spent by another transaction. */
		spentSince: Height
	}),
	/** The block of the source that holds the burn. */
	'burn-confirmed': shape({ ...TRIED, height: z.int(), blockhash: z.string() }),
	/** The notarization on KMD that the proof begins with. */
	'back-notarization': shape({
		...TRIED,
		notarization: Id,
		/** The tip of the source when it had none yet; null once it has one. */
		tip: Height
	}),
	approvals: shape({
		...TRIED,
		/** Different notaries whose approval is in a block, those whose waits, and ids that could not be asked for. */
		counted: Count,
		pending: Count,
		unknown: Count,
		txids: z.array(z.string()).readonly(),
		/** Keys of the notaries, in the same order. */
		notaries: z.array(z.string()).readonly(),
		/** Height of the destination when they were looked at. */
		height: z.int(),
		/** Null where the burn was taken off the published list. */
		publishedAt: Time.nullable(),
		publishedBy: z.string().nullable()
	}),
	'import-built': shape({
		...TRIED,
		root: Id,
		notarization: Id,
		/** Builds that began and have not ended. */
		asked: Count
	}),
	completion: shape({
		...TRIED,
		offset: z.int(),
		root: Id,
		notarization: Id,
		/** What each offset gave; null where nothing was refused. */
		tried: z.array(z.object({ offset: z.int(), response: z.string() })),
		/** Why it was not completed: the daemon's own words. */
		refused: z.string().nullable(),
		/** Where KMD was searched for a notarization of the destination that completes the proof. */
		searched: z.object({ from: z.int(), tip: z.int() }).nullable(),
		/** Since when KMD does not have the notarization that the proof begins with. Unix milliseconds. */
		lostSince: Time.nullable()
	}),
	'target-notarization': shape(TRIED),
	'import-sent': shape({
		...SENT,
		/** The root of the proof that the destination did not know yet. */
		refusedRoot: Id,
		/** Since when, and how often, proofs are refused that had to be good. Unix milliseconds. */
		refusedSince: Time.nullable(),
		proofsRefused: Count,
		/** The import with approvals that was refused, how often, and the height until which it is not sent again. */
		refusedTxid: Id,
		refusedTimes: Count,
		refusedUntil: z.int()
	}),
	/** The block of the destination that holds the import, and how far it is from final. */
	'import-confirmed': shape({
		...TRIED,
		height: z.int(),
		confirmations: z.int(),
		needed: z.int(),
		notarized: z.boolean(),
		awaitsNotarization: z.boolean()
	})
} as const satisfies Record<StepId, z.ZodObject>;

/** What a step found; each member is absent until it is known. */
export type Evidence<Step extends StepId = StepId> = z.output<(typeof EVIDENCE)[Step]>;

/** Reads what is stored of a step; null where it does not fit. */
export function readEvidence<Step extends StepId>(
	step: Step,
	stored: string
): Evidence<Step> | null {
	let value: unknown;
	try {
		value = JSON.parse(stored);
	} catch {
		return null;
	}
	const schema: z.ZodType = EVIDENCE[step];
	const read = schema.safeParse(value);
	return read.success ? (read.data as Evidence<Step>) : null;
}
