import { invalidate, invalidateAll } from '$app/navigation';
import { navigating, page } from '$app/state';

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
	void (what === undefined ? invalidateAll() : invalidate(what));
	return null;
}
