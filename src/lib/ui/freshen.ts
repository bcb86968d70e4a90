import { invalidate, invalidateAll } from '$app/navigation';
import { navigating, page } from '$app/state';
import type { BeforeNavigate } from '@sveltejs/kit';
import { liveStatus } from './liveStatus.svelte.ts';
import { isTyped } from './typing.ts';

/** A fetch that has not been answered after this long keeps no other one waiting: it may never be. Milliseconds. */
const PATIENCE_MS = 10_000;

/** The page's data on its way. */
interface Refetch {
	begunAt: number;
	/** What is fetched once it has come, as it may not tell of what happened since: a part, or everything; null for nothing. */
	then: { what: string | undefined } | null;
}
let underWay: Refetch | null = null;

/** Another page came, with its own data. */
export function forgetRefetch(): void {
	underWay = null;
}

/**
 * Whether the confirmation stands, with the form that waits for it, at the address of what it holds back: fetching that
 * again would put the page that it names in the place of the form. SvelteKit takes the route of a page from its address,
 * so the page is known by its data.
 */
const standsIn = (): boolean => Boolean(page.data['posted']);

/**
 * Whether a navigation comes from a refresh and not from the reader, and would take away what is typed: one to a
 * confirmation always, one to the login where the session ended between the question and the refresh. For
 * `beforeNavigate`.
 */
export const leadsAway = ({ type, to }: Pick<BeforeNavigate, 'type' | 'to'>): boolean =>
	underWay !== null &&
	type === 'goto' &&
	(to?.route.id === '/confirm' || (to?.route.id === '/login' && isTyped()));

/** Whether the page would be served now; when not, whether asking again is of use. Asks without fetching the page. */
async function askForPage(): Promise<'served' | 'later' | 'refused'> {
	try {
		const { ok, status, type } = await fetch(page.url, {
			method: 'HEAD',
			redirect: 'manual',
			cache: 'no-store'
		});
		if (ok) return 'served';
		return type === 'opaqueredirect' || status === 401 || status === 403 ? 'refused' : 'later';
	} catch {
		return 'later';
	}
}

/**
 * One after the other: of two at a time SvelteKit drops the earlier, and where news come faster than answers, on a slow
 * network, the page would show none of them.
 */
async function refetch(what: string | undefined): Promise<void> {
	const now = performance.now();
	if (underWay !== null && now - underWay.begunAt < PATIENCE_MS) {
		const isSame = underWay.then === null || underWay.then.what === what;
		underWay.then = { what: isSame ? what : undefined };
		return;
	}
	const own: Refetch = { begunAt: now, then: underWay?.then ?? null };
	underWay = own;
	try {
		await (what === undefined ? invalidateAll() : invalidate(what));
	} finally {
		if (underWay === own) {
			underWay = null;
			if (own.then !== null) void freshen(own.then.what);
		}
	}
}

/**
 * SvelteKit puts the login, or an error, in the place of a page whose data is not given any more: when the session has
 * ended, say. What is typed would be gone with it, so the page stays as it is until that is sent.
 */
async function refetchAroundTyped(what: string | undefined): Promise<void> {
	if (liveStatus.held === 'refused') return;
	const answer = await askForPage();
	const { pathname } = page.url;
	if (!isTyped() || pathname !== location.pathname) return;
	// What was not fetched then is fetched now.
	const all = liveStatus.held === 'later';
	liveStatus.held = answer === 'served' ? null : answer;
	if (answer === 'served' && navigating.to === null) await refetch(all ? undefined : what);
}

/**
 * Fetches the page's data again, or the part that depends on `what`; not while somebody is on the way to
 * another page: SvelteKit 2 lets the later of the two win, and the click would be lost. Nor where access was denied:
 * asking again there is denied again, and each time goes on record.
 * @returns null when there is nothing more to do, else a promise that ends with the navigation
 */
export function freshen(what?: string): Promise<void> | null {
	if (navigating.to !== null)
		return (navigating.complete ?? Promise.resolve()).catch(() => undefined);
	if (page.error !== null && (page.status === 401 || page.status === 403)) return null;
	if (standsIn()) return null;
	void (isTyped() ? refetchAroundTyped(what) : refetch(what));
	return null;
}
