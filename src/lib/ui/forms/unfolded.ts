/**
 * Keeps which parts of a page are unfolded, for the browser's back button: a phone shows only ten rows of a
 * list at first, and a user who returns from the thirtieth expects to find it again. SvelteKit stores it
 * with the history entry.
 */
import { tick } from 'svelte';

/** Unfolded parts, by their text and their index among parts with that text, and the scroll position. */
export interface Unfolded {
	parts: readonly (readonly [called: string, at: number])[];
	scrolled: number;
}

/**
 * Folds of the page itself. Folds inside forms are excluded: they open by themselves when something in them
 * is selected.
 */
const PARTS = 'main details:not(form details)';

/** The fold of a table's further rows is named after the table, because its own text contains their number. */
const calledOf = (part: HTMLDetailsElement): string =>
	(part.matches('.table-more') && part.parentElement?.ariaLabel) ||
	(part.querySelector('summary')?.textContent.trim() ?? '');

function numbered(): { part: HTMLDetailsElement; called: string; at: number }[] {
	const seen = new Map<string, number>();
	return [...document.querySelectorAll<HTMLDetailsElement>(PARTS)].map((part) => {
		const called = calledOf(part);
		const at = seen.get(called) ?? 0;
		seen.set(called, at + 1);
		return { part, called, at };
	});
}

/** Reads what is currently unfolded. */
export const captureUnfolded = (): Unfolded => ({
	parts: numbered().flatMap(({ part, called, at }) => (part.open ? [[called, at] as const] : [])),
	scrolled: scrollY
});

/** Unfolds it again, then scrolls: the page was too short to restore the scroll position before. */
export async function restoreUnfolded({ parts, scrolled }: Unfolded): Promise<void> {
	await tick();
	const folded = numbered().filter(
		({ part, called, at }) =>
			!part.open && parts.some(([name, place]) => name === called && place === at)
	);
	if (folded.length === 0) return;
	for (const { part } of folded) part.open = true;
	scrollTo({ top: scrolled, behavior: 'instant' });
}
