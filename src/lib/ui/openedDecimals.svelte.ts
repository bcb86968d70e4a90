import { untrack } from 'svelte';

/** A token as its page shows it. */
interface ShownToken {
	tokenid: string;
	decimals: number;
}

/**
 * The decimals by which a form reads amounts of a token: those of when it was opened, whatever the page has learned since,
 * or those of the answer that said otherwise. For a component.
 * @param now what the page shows by now
 * @param answered what the answer to the form said; undefined where it said nothing
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
