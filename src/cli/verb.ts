/** The environment in which a verb runs. */
export interface CliContext {
	env: NodeJS.ProcessEnv;
	/** Writes a line to the standard output. */
	out(line: string): void;
	/** Writes a line to the standard error. */
	err(line: string): void;
	/** Returns the first line of standard input, without its line end. */
	readLine(): Promise<string>;
}

/** A verb of the command line, exported as `verb` by `verbs/NAME.ts`. */
export interface Verb {
	/** One entry per form for the help: what to type, and what it does. */
	usage: readonly (readonly [form: string, meaning: string])[];
	/**
	 * Runs the verb.
	 * @param args arguments after the verb
	 * @returns the exit code
	 * @throws {AppError} `usage` for invalid arguments
	 */
	run(args: string[], context: CliContext): Promise<number>;
}
