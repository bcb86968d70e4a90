/** Codes of requests that were refused or failed on the server, as error responses contain them. */
import { databaseErrorMessage, DATABASE_ERROR_KINDS } from './database.ts';
import { BODY_FAULT_WORDS, DUPLICATE, IDEMPOTENCY, UNANSWERED } from './requests.ts';

/** By code: the message when it is always the same; else null. */
export const REQUEST_CODES: Readonly<Record<string, string | null>> = {
	internal: null,
	duplicate: DUPLICATE.what,
	'bad-request': UNANSWERED.unreadable.message,
	'unreadable-form': BODY_FAULT_WORDS.broken,
	...Object.fromEntries(
		Object.entries(BODY_FAULT_WORDS).map(([fault, words]) => [`body-${fault}`, words])
	),
	'too-many-requests': null,
	'bad-idempotency-key': IDEMPOTENCY.bad,
	'idempotency-key-reused': IDEMPOTENCY.reused,
	'still-running': IDEMPOTENCY.running,
	...Object.fromEntries(
		DATABASE_ERROR_KINDS.map((kind) => [`database-${kind}`, databaseErrorMessage(kind).what])
	)
};
