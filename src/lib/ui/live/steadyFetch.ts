import { navigating } from '$app/state';
import { askedWait } from './askedWait.ts';
import { spreadWait } from './spreadWait.ts';
import { isAnswered, isTyped } from './typing.ts';

/**
 * Statuses that a proxy or a starting server returns while the server is unavailable, and that of a caller who
 * exceeded a budget: the whole page would be refused for the same reason.
 */
const AWAY = new Set([429, 502, 503, 504]);
const WAIT_MS = { first: 500, last: 30_000 };

/** A node of SvelteKit's data response. */
type Part = { type: string; status?: number } | null;

/**
 * Whether the server cannot provide the page's data now, so that SvelteKit would display an error instead
 * of the page.
 */
async function isFault(answer: Response): Promise<boolean> {
	if (AWAY.has(answer.status)) return true;
	// The page contains typed text or a form's result, perhaps a secret that is shown only once, which
	// would be lost.
	if (!(isTyped() || isAnswered())) return false;
	if (!answer.ok) return answer.status >= 500;
	const told = (await answer
		.clone()
		.json()
		.catch(() => null)) as { nodes?: Part[] } | null;
	return (
		told === null ||
		(told.nodes ?? []).some((part) => part?.type === 'error' && (part.status ?? 500) >= 500)
	);
}

const here = (): string => location.pathname.replace(/\/$/, '');

/**
 * Makes reloads of the current page's data wait while the server is unavailable, fails or refuses too many
 * requests. SvelteKit reacts to a failed reload by loading the whole page, which the browser then replaces by
 * its own error page: what is displayed or typed would be lost (`load_root_error_page` in SvelteKit's client;
 * it calls `window.fetch`, so that this replacement is used).
 */
export function keepPageWhileServerIsAway(): void {
	const once = window.fetch;
	let newest = 0;
	window.fetch = async (input, init) => {
		const path = here();
		const isRefresh =
			typeof input === 'string' &&
			navigating.to === null &&
			new URL(input, location.href).pathname === `${path}/__data.json`;
		if (!isRefresh) return once(input, init);
		const turn = ++newest;
		for (let wait = WAIT_MS.first; ; wait = Math.min(WAIT_MS.last, wait * 2)) {
			const answer = await once(input, init).catch(() => null);
			if (answer !== null && !(await isFault(answer))) return answer;
			const ms = Math.max(spreadWait(wait), askedWait(answer?.headers.get('retry-after') ?? null));
			await new Promise((done) => setTimeout(done, ms));
			// The response is no longer needed, and rejecting would load the page that was left; of several
			// reloads SvelteKit uses the last.
			if (here() !== path || turn !== newest) return new Promise<never>(() => undefined);
		}
	};
}
