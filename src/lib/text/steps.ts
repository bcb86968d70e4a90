/** A step of a longer process with several actors, such as a migration, or of what a form is going to do. */
export interface Step {
	/** Unique and stable within the list. */
	id: string;
	title: string;
	/**
	 * `done`, `now` (running or waiting), `later` (not started), `failed` (the process stopped here),
	 * `skipped` (not needed).
	 */
	state: 'done' | 'now' | 'later' | 'failed' | 'skipped';
	/** Who performs it: "You", "Miners of ALPHA", "Notaries". */
	actor: string;
	/** The chain on which it happens, if any. */
	chain?: string;
	/** What this step is waiting for, or what happened, as a sentence. */
	detail?: string;
	/** Unix milliseconds of its end, or of its start while it runs. */
	at?: number;
	/** Text for its usual or actual duration: "usually 2 to 4 minutes", "took 3 minutes". */
	takes?: string;
	/** Txids, heights, proofs. Values with `id` are shortened and can be copied. */
	evidence?: { label: string; value: string; href?: string; id?: boolean }[];
}
