import { invalidate, invalidateAll } from '$app/navigation';
import { navigating } from '$app/state';

/**
 * Fetches the page's data again, or the part that depends on `what`; not while somebody is on the way to
 * another page: SvelteKit 2 lets the later of the two win, and the click would be lost.
 * @returns null when it was done, else a promise that ends with the navigation
 */
export function freshen(what?: string): Promise<void> | null {
	if (navigating.to !== null)
		return (navigating.complete ?? Promise.resolve()).catch(() => undefined);
	void (what === undefined ? invalidateAll() : invalidate(what));
	return null;
}
