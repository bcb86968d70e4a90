/**
 * Keeps the rows of a list still while somebody reads them. A page that is told of news fetches its rows again; those
 * that are new then wait, and the reader takes them in when it suits.
 */
import { untrack } from 'svelte';
import { countNew } from './countNew.ts';

interface Shown {
	rows: readonly { txid: string }[];
	/** What the rows belong to: the address, and how often the chain was reorganized. Another one is shown at once. */
	of: string;
}

/**
 * For the top of a component.
 * @param fresh what the page's data says now
 * @param isRead whether somebody reads the rows at this moment
 */
export function holdRows<List extends Shown>(
	fresh: () => List,
	isRead: () => boolean
): { readonly shown: List; readonly waiting: number; show(): void } {
	let held = $state.raw<List | null>(null);
	let last = untrack(fresh);
	$effect.pre(() => {
		const next = fresh();
		untrack(() => {
			const before = held ?? last;
			const isHeld =
				before.of === next.of &&
				countNew(before.rows, next.rows) > 0 &&
				(held !== null || isRead());
			held = isHeld ? before : null;
			last = next;
		});
	});
	return {
		get shown() {
			return held ?? fresh();
		},
		get waiting() {
			return held === null ? 0 : countNew(held.rows, fresh().rows);
		},
		show() {
			held = null;
		}
	};
}
