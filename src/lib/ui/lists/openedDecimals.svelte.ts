import { untrack } from 'svelte';

/** A token as displayed. */
interface ShownToken {
	tokenid: string;
	decimals: number;
}

/**
 * The decimals by which a form parses amounts of a token: those at the time it was opened, even if the page
 * has been updated since, or those that the action result reports. Call during component initialization.
 * @param now returns the token as currently displayed
 * @param answered returns the decimals of the action result; undefined when it reports none
 */
export function openedDecimals(
	now: () => ShownToken,
	answered: () => number | undefined
): { readonly current: number } {
	let opened = $state.raw(untrack(now));
	$effect.pre(() => {
		const next = now();
		if (untrack(() => opened.tokenid) !== next.tokenid) opened = next;
	});
	const shown = $derived(opened.tokenid === now().tokenid ? opened : now());
	return {
		get current() {
			return answered() ?? shown.decimals;
		}
	};
}
