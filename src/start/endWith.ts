import { ConfigError } from '#lib/server/platform/config/error.ts';
import { plainText, withoutSecrets } from '#lib/server/platform/logging/scrub.ts';

/** What keeps the server from starting and is said in a sentence, by code: the bundle has classes of its own. */
const SAID_IN_A_SENTENCE = new Set([
	'database-start',
	'database-missing',
	'database-of-another',
	'secret-key-invalid'
]);

const isSaid = (error: unknown): error is Error =>
	error instanceof Error &&
	'code' in error &&
	typeof error.code === 'string' &&
	SAID_IN_A_SENTENCE.has(error.code);

/** Says what kept the server from starting, and ends the process. */
export function endWith(error: unknown): never {
	const complain = (line: string): void => void process.stderr.write(`${line}\n`);
	if (error instanceof ConfigError) for (const problem of error.problems) complain(problem);
	else if (isSaid(error)) complain(plainText(withoutSecrets(error.message)));
	else complain(plainText(withoutSecrets(String(error instanceof Error ? error.stack : error))));
	process.exit(1);
}
