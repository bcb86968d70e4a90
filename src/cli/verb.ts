/** What a verb of the command line may touch. */
export interface CliContext {
	env: NodeJS.ProcessEnv;
	/** Writes a line to the standard output. */
	out(line: string): void;
	/** Writes a line to the standard error. */
	err(line: string): void;
	/** The first line of the standard input, without its end. */
	readLine(): Promise<string>;
}

/** One verb: the file `verbs/NAME.ts` exports it as `verb`. */
export interface Verb {
	/** One line per form, as the help shows it: what to type, and what it does. */
	usage: readonly (readonly [form: string, meaning: string])[];
	/**
	 * @param args what stands after the verb
	 * @returns the exit code
	 * @throws {AppError} `usage` when the arguments make no sense
	 */
	run(args: string[], context: CliContext): Promise<number>;
}
