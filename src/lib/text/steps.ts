/** A step of something that takes several actors and some time: a migration, or what a form will do. */
export interface Step {
	/** Stable within the list. */
	id: string;
	title: string;
	/** `done` behind us, `now` what waits or runs, `later` not yet, `failed` stopped here, `skipped` will not be. */
	state: 'done' | 'now' | 'later' | 'failed' | 'skipped';
	/** Who acts: "You", "Miners of ALPHA", "Notaries". */
	actor: string;
	/** The chain it happens on, when it happens on one. */
	chain?: string;
	/** What this step waits for, or what happened, as a sentence. */
	detail?: string;
	/** Unix milliseconds when it ended, or when it began if it still runs. */
	at?: number;
	/** Words for how long it takes or took: "usually 2 to 4 minutes", "took 3 minutes". */
	takes?: string;
	/** Txids, heights, proofs. `id` values are shortened and can be copied. */
	evidence?: { label: string; value: string; href?: string; id?: boolean }[];
}
