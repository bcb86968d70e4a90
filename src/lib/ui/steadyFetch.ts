import { navigating } from '$app/state';
import { spreadWait } from './spreadWait.ts';
import { isAnswered, isTyped } from './typing.ts';

/** Statuses that a proxy or a starting server returns while the server is unavailable. */
const AWAY = new Set([502, 503, 504]);
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
 * Makes reloads of the current page's data wait while the server is unavailable or fails. SvelteKit reacts
 * to a failed reload by loading the whole page, which the browser then replaces by its own error page: what
 * is displayed or typed would be lost (`load_root_error_page` in SvelteKit's client; it calls
 * `window.fetch`, so that this replacement is used).
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
			await new Promise((done) => setTimeout(done, spreadWait(wait)));
			// The response is no longer needed, and rejecting would load the page that was left; of several
			// reloads SvelteKit uses the last.
			if (here() !== path || turn !== newest) return new Promise<never>(() => undefined);
		}
	};
}
