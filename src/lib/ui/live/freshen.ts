import { invalidate, invalidateAll } from '$app/navigation';
import { navigating, page } from '$app/state';
import type { BeforeNavigate } from '@sveltejs/kit';
import { tick } from 'svelte';
import { liveStatus } from './liveStatus.svelte.ts';
import { holdFocus } from './reveal.ts';
import { isTyped } from './typing.ts';

/** A reload without a response no longer blocks the next one after this time. Milliseconds. */
const PATIENCE_MS = 10_000;

/** A reload of the page's data in progress. */
interface Refetch {
	begunAt: number;
	/**
	 * What to reload afterwards, because the current response may miss later changes: a dependency, or
	 * everything (undefined); null for nothing.
	 */
	then: { what: string | undefined } | null;
}
let underWay: Refetch | null = null;

/** Call after navigation to another page, which has its own data. */
export function forgetRefetch(): void {
	underWay = null;
}

/**
 * Whether a confirmation form is displayed under the URL of the action that it holds back: a reload would
 * replace the form by the page at that URL. SvelteKit derives the route from the URL, so the form is
 * recognized by its data.
 */
const standsIn = (): boolean => Boolean(page.data['posted']);

/**
 * Whether a navigation was caused by a reload, not by the user, and would discard what is typed: a redirect
 * to a confirmation always, one to the login when the session ended just before the reload. For
 * `beforeNavigate`.
 */
export const leadsAway = ({ type, to }: Pick<BeforeNavigate, 'type' | 'to'>): boolean =>
	underWay !== null &&
	type === 'goto' &&
	(to?.route.id === '/confirm' || (to?.route.id === '/login' && isTyped()));

/** Returns whether the page would be served now, and if not, whether to retry. Requests only the headers. */
async function probePage(): Promise<'served' | 'later' | 'refused'> {
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
 * Reloads sequentially: of two concurrent ones SvelteKit discards the earlier, and on a slow network, where
 * events come faster than responses, the page would never update.
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
	const giveBackFocus = holdFocus();
	const { pathname } = page.url;
	try {
		await (what === undefined ? invalidateAll() : invalidate(what));
		await tick();
		if (page.url.pathname === pathname) giveBackFocus();
	} finally {
		if (underWay === own) {
			underWay = null;
			if (own.then !== null) void freshen(own.then.what);
		}
	}
}

/**
 * Reloads a page on which something is typed, only if it would be served: otherwise SvelteKit would replace
 * it by the login or an error, for example after the session ended, and the typed text would be lost.
 */
async function refetchAroundTyped(what: string | undefined): Promise<void> {
	if (liveStatus.held === 'refused') return;
	const answer = await probePage();
	const { pathname } = page.url;
	if (!isTyped() || pathname !== location.pathname) return;
	// Also reloads what was skipped before.
	const all = liveStatus.held === 'later';
	liveStatus.held = answer === 'served' ? null : answer;
	if (answer === 'served' && navigating.to === null) await refetch(all ? undefined : what);
}

/**
 * Reloads the page's data, or the part that depends on `what`. Waits while the user navigates to another
 * page: in SvelteKit 2 the later of the two wins, and the click would be lost. Does nothing on a page that
 * was refused: another attempt would be refused and recorded again.
 * @returns null when nothing remains to be done, else a promise that resolves after the navigation
 */
export function freshen(what?: string): Promise<void> | null {
	if (navigating.to !== null)
		return (navigating.complete ?? Promise.resolve()).catch(() => undefined);
	if (page.error !== null && (page.status === 401 || page.status === 403)) return null;
	if (standsIn()) return null;
	void (isTyped() ? refetchAroundTyped(what) : refetch(what));
	return null;
}
