/** What the pages of a method read of a request, whether it is called at a daemon or at a trading node. */
import { WRITTEN, type Typed } from '#lib/server/rpc-proxy/console/form.ts';
import { requireMember } from '../requireMember.ts';
import { pastOf, type PastRow } from './words.ts';

/** Calls of a method on the method's own page. */
const SHOWN_CALLS = 5;

/** The fields of the method that a form holds, as they were typed. */
export function typedIn(form: FormData): Typed {
	const texts = [...form].filter(
		(entry): entry is [string, string] =>
			typeof entry[1] === 'string' && (entry[0].startsWith('p.') || entry[0] === WRITTEN)
	);
	return Object.fromEntries(texts);
}

/** The key of a form that is carried out once. */
export function formKeyIn(form: FormData): string | undefined {
	const key = form.get('idempotency-key');
	return typeof key === 'string' && key !== '' ? key : undefined;
}

/** The fields that an address names. */
export const typedInAddress = (query: URLSearchParams): Typed =>
	Object.fromEntries([...query].filter(([name]) => name.startsWith('p.')));

/** The person's last calls of a method, by its key in their history. */
export async function lastCalls(locals: App.Locals, key: string): Promise<PastRow[]> {
	const past = await locals.app.console.history.list(requireMember(locals).account.id);
	return past
		.filter(({ method }) => method === key)
		.slice(0, SHOWN_CALLS)
		.map(pastOf);
}
