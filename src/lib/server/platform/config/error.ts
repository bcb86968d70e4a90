/** Settings that cannot be used. `problems` holds one sentence per mistake; no value of a secret is in them. */
export class ConfigError extends Error {
	override readonly name = 'ConfigError';
	readonly code = 'config';
	readonly problems: readonly string[];

	constructor(problems: readonly string[], cause?: unknown) {
		super(problems.join('\n'), cause === undefined ? undefined : { cause });
		this.problems = problems;
	}
}
