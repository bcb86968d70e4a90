import { navigating } from '$app/state';
import { spreadWait } from './spreadWait.ts';
import { isAnswered, isTyped } from './typing.ts';

/** What a proxy, or a server that is starting, answers for one that is away. */
const AWAY = new Set([502, 503, 504]);
const WAIT_MS = { first: 500, last: 30_000 };

/** A part of a page as SvelteKit's server tells it. */
type Part = { type: string; status?: number } | null;

/** Whether the server cannot give the page's data now: SvelteKit would put an error in the page's place. */
async function isFault(answer: Response): Promise<boolean> {
	if (AWAY.has(answer.status)) return true;
	// What is typed, or what a form was answered, perhaps a secret that is shown once, would be gone with the page.
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
 * Makes a refresh of the open page wait for a server that is away, or cannot give it. SvelteKit answers a refresh that fails by
 * loading the whole page anew, which the browser then shows as its own error page: what somebody reads or has
 * typed would be gone (`load_root_error_page` in SvelteKit's client; it calls `window.fetch` so that a fetch
 * like this one is used).
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
			// Nobody reads the answer any more, and a refusal would load the page that was left; of several refreshes
			// SvelteKit takes the last.
			if (here() !== path || turn !== newest) return new Promise<never>(() => undefined);
		}
	};
}
