import { fileFault } from '#lib/messages/fileFaults.ts';
import { plainText, withoutSecrets } from '#lib/server/platform/logging/redact.ts';

/**
 * Codes of errors that are reported as sentences without a stack. Matched by code, not by class: the bundle
 * has its own copies of the classes.
 */
const SAID_IN_SENTENCES =
	/^(?:config|mm2|secret)\.|^database\.(?:unusable|missing|of-another-installation|restore-unfinished|in-use|newer)$/;

const isSaid = (error: unknown): error is Error =>
	error instanceof Error &&
	'code' in error &&
	typeof error.code === 'string' &&
	SAID_IN_SENTENCES.test(error.code);

/** Reports why the server could not start, and exits. */
export function endWith(error: unknown): never {
	const complain = (line: string): void => void process.stderr.write(`${line}\n`);
	const sentences = isSaid(error) ? error.message : fileFault(error);
	if (sentences !== null) {
		for (const line of sentences.split('\n')) complain(plainText(withoutSecrets(line)));
	} else complain(plainText(withoutSecrets(String(error instanceof Error ? error.stack : error))));
	process.exit(1);
}
