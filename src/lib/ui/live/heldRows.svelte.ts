/**
 * Keeps the rows of a list still while the user reads them. After a live update, new rows wait until the
 * user asks for them.
 */
import { untrack } from 'svelte';
import { countNew } from './countNew.ts';

interface Shown {
	rows: readonly { txid: string }[];
	/**
	 * Context of the rows: the URL, and the number of reorganizations of the chain. A different one is
	 * shown at once.
	 */
	of: string;
}

/**
 * Call during component initialization.
 * @param fresh returns the current data of the page
 * @param isRead returns whether the user is reading the rows
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
