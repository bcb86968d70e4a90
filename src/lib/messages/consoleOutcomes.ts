/** How calls of the RPC console end: texts of calls without a response, and the outcomes that the history stores. */
import { z } from 'zod';
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';
import { catalogueOf, entry, STORED, type MessageOf } from './catalogue.ts';

export const consoleOutcomes = {
	noDaemon: 'This daemon does not exist.',
	noNode: 'This trading node does not exist.',
	ended: 'The session of this page ended before this call was made. The call was not made.',
	late: 'The session of this page ended before the daemon responded. The response is withheld.',
	unknown: {
		what: 'Komodeck failed after the call was sent.',
		safe: 'It is unknown whether the call was executed.',
		next: 'Check what happened before you call it again.'
	},
	answerTooLong: 'This call was made before. Its answer was too long to be stored.',
	formReused:
		'This form was already sent with other values. Nothing was called: open the form again.',
	inProgress:
		'This form is still being processed, or the server stopped before the answer came. Nothing was called twice: check what happened before you open the form again.'
} as const;

const OUTCOMES = {
	legacy: STORED.legacy,
	answered: entry({}, () => 'answered'),
	/** The response is withheld. */
	'held-back': entry({}, () => 'held back'),
	/** An in-band error, or no response; `error`: the code of the error where it is known. */
	failed: entry({ error: z.string().nullable() }, ({ error }) => error ?? 'failed'),
	/** The daemon or trading node answered with an error; `error`: its code or type, which may be empty. */
	error: entry({ error: z.string() }, ({ error }) => `error ${error}`.trim()),
	/** A response that is no JSON-RPC error, with this HTTP status. */
	status: entry({ status: z.int() }, ({ status }) => `status ${status}`)
};

/** How a call of the history ended. */
export type PastOutcome = MessageOf<typeof OUTCOMES>;

const outcomes = catalogueOf(OUTCOMES);

/** Returns the outcome that a row of the history holds. Earlier releases stored words. */
export function readPastOutcome(stored: string): PastOutcome {
	if (stored === 'answered') return { code: 'answered', params: {} };
	return outcomes.parse(jsonOrNull(stored)) ?? { code: 'legacy', params: { text: stored } };
}

export const pastOutcomeWords = outcomes.text;
