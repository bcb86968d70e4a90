/** Reads the requests of a method's page, for daemons and trading nodes alike. */
import { WRITTEN, type Typed } from '#lib/server/rpc-proxy/console/form.ts';
import { requireMember } from '../requireMember.ts';
import { pastRow, type PastRow } from './pastRow.ts';

/** Number of past calls shown on a method's page. */
const SHOWN_CALLS = 5;

/** Returns the method's fields in a form, as typed. */
export function typedIn(form: FormData): Typed {
	const texts = [...form].filter(
		(entry): entry is [string, string] =>
			typeof entry[1] === 'string' && (entry[0].startsWith('p.') || entry[0] === WRITTEN)
	);
	return Object.fromEntries(texts);
}

/** Returns the idempotency key of a form. */
export function formKeyIn(form: FormData): string | undefined {
	const key = form.get('idempotency-key');
	return typeof key === 'string' && key !== '' ? key : undefined;
}

/** Returns the fields that a URL fills in. */
export const typedInAddress = (query: URLSearchParams): Typed =>
	Object.fromEntries([...query].filter(([name]) => name.startsWith('p.')));

/** Returns the person's latest calls of a method, by its name in the history. */
export async function lastCalls(locals: App.Locals, key: string): Promise<PastRow[]> {
	const past = await locals.app.console.history.list(requireMember(locals).account.id);
	return past
		.filter(({ method }) => method === key)
		.slice(0, SHOWN_CALLS)
		.map(pastRow);
}
