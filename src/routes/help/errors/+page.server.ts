import { DAEMON_ERROR_CODES } from '#lib/messages/daemonErrorCodes.ts';
import { ERRORS } from '#lib/messages/errors/index.ts';
import { ERROR_AREAS } from '#lib/messages/help/errorAreas.ts';
import { HELP_ERRORS } from '#lib/messages/pages/help.ts';
import { PAGE_REFUSALS } from '#lib/messages/pageRefusals.ts';
import { REQUEST_CODES } from '#lib/messages/requestCodes.ts';
import type { PageServerLoad } from './$types';

/** A code, with its message when that is always the same. */
interface ListedCode {
	code: string;
	message: string | null;
	/** HTTP status; null when it varies. */
	status: number | null;
}

interface ListedArea {
	/** Anchor. */
	id: string;
	title: string;
	meaning: string;
	next: string;
	codes: ListedCode[];
}

interface Entry {
	status: number;
	message: (...params: never[]) => string;
}

function listed([code, { status, message }]: [string, Entry]): ListedCode {
	// A message with parameters depends on the situation.
	return { code, status, message: message.length === 0 ? message() : null };
}

const fixed = ([code, message]: [string, string | null]): ListedCode => ({
	code,
	message,
	status: null
});

const codes = Object.entries<Entry>(ERRORS).map(listed);

/** Constant while the server runs. */
const AREAS: readonly ListedArea[] = [
	...Object.entries(ERROR_AREAS).map(([id, area]) => ({
		id,
		...area,
		codes: codes.filter(({ code }) => code.startsWith(`${id}.`))
	})),
	{ id: 'refused', ...HELP_ERRORS.refusals, codes: Object.entries(PAGE_REFUSALS).map(fixed) },
	{ id: 'requests', ...HELP_ERRORS.requests, codes: Object.entries(REQUEST_CODES).map(fixed) },
	{
		id: 'codes-of-daemons',
		...HELP_ERRORS.daemons,
		codes: Object.entries(DAEMON_ERROR_CODES).map(fixed)
	}
];

export const load: PageServerLoad = () => ({ areas: AREAS });
