/** Facts that each step of a migration has found, as stored: one shape for each step. */
import { z } from 'zod';
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';
import type { StepId } from './steps.ts';

const Height = z.int().nullable();
const Id = z.string().nullable();
const Count = z.int();
const Time = z.int();

/** Number of consecutive tries of the step. */
const TRIED = { tries: Count };

/** A step that sends a transaction. */
const SENT = {
	...TRIED,
	/** The daemon's message, which may be empty; null: it did not refuse, or that no longer applies. */
	refused: z.string().nullable(),
	/** Whether the refusal may pass. */
	passing: z.boolean().nullable()
};

const shape = <Shape extends z.ZodRawShape>(members: Shape) => z.object(members).partial();

export const EVIDENCE = {
	compose: shape({
		...TRIED,
		/** Whether the transaction was pasted, not composed here. */
		pasted: z.boolean(),
		/** Number of outputs of the wallet that were added to the selected ones. */
		added: Count
	}),
	convert: shape(TRIED),
	fund: shape(TRIED),
	burn: shape({
		...SENT,
		/** Member responsible until a daemon lists the burn; null: the server's command line. */
		confirmedBy: z.string().nullable(),
		/** Height at which one of its inputs was first seen spent by another transaction. */
		spentSince: Height
	}),
	/** The block of the source that contains the burn. */
	'burn-confirmed': shape({ ...TRIED, height: z.int(), blockhash: z.string() }),
	/** The notarization on KMD that the proof starts from. */
	'back-notarization': shape({
		...TRIED,
		notarization: Id,
		/** Height of the source when there was none yet; null once there is one. */
		tip: Height
	}),
	approvals: shape({
		...TRIED,
		/** Notaries with an approval in a block, further ones with a pending one, and txids not looked up yet. */
		counted: Count,
		pending: Count,
		unknown: Count,
		txids: z.array(z.string()).readonly(),
		/** Keys of the notaries, in the same order. */
		notaries: z.array(z.string()).readonly(),
		/** Height of the destination when they were checked. */
		height: z.int(),
		/** Null when the burn was withdrawn from the published list. */
		publishedAt: Time.nullable(),
		publishedBy: z.string().nullable()
	}),
	'import-built': shape({
		...TRIED,
		root: Id,
		notarization: Id,
		/** Builds that began without ending. */
		asked: Count
	}),
	completion: shape({
		...TRIED,
		offset: z.int(),
		root: Id,
		notarization: Id,
		/** Result of each offset: the daemon's message, or `completed`. */
		tried: z.array(z.object({ offset: z.int(), response: z.string() })),
		/** Why the proof was not completed: the daemon's message. */
		refused: z.string().nullable(),
		/** Window in which KMD was searched for a notarization of the destination that completes the proof. */
		searched: z.object({ from: z.int(), tip: z.int() }).nullable(),
		/** Since when KMD lacks the notarization that the proof starts from. Unix milliseconds. */
		lostSince: Time.nullable()
	}),
	'target-notarization': shape(TRIED),
	'import-sent': shape({
		...SENT,
		/** The import that a daemon of the destination listed last, in its mempool or in a block. */
		seen: Id,
		/** How often a daemon said that it has an import of the burn, which was not found. */
		claims: Count,
		/** Root of the proof that the destination refused last. */
		refusedRoot: Id,
		/** Since when, and how often, proofs that should be valid have been refused. Unix milliseconds. */
		refusedSince: Time.nullable(),
		proofsRefused: Count,
		/** The refused import with approvals, number of refusals, and the height until which it is not sent again. */
		refusedTxid: Id,
		refusedTimes: Count,
		refusedUntil: z.int()
	}),
	/** The block of the destination that contains the import, and its progress to finality. */
	'import-confirmed': shape({
		...TRIED,
		height: z.int(),
		confirmations: z.int(),
		needed: z.int(),
		notarized: z.boolean(),
		awaitsNotarization: z.boolean()
	})
} as const satisfies Record<StepId, z.ZodObject>;

/** Evidence of a step; each member is absent until it is known. */
export type Evidence<Step extends StepId = StepId> = z.output<(typeof EVIDENCE)[Step]>;

/** Parses the stored evidence of a step; null when it is invalid. */
export function readEvidence<Step extends StepId>(
	step: Step,
	stored: string
): Evidence<Step> | null {
	const schema: z.ZodType = EVIDENCE[step];
	const read = schema.safeParse(jsonOrNull(stored));
	return read.success ? (read.data as Evidence<Step>) : null;
}
