/**
 * What somebody has unfolded on a page, for the browser's back button: a phone shows ten rows of a list at first, and
 * who comes back from the thirtieth looks for it where it was. SvelteKit keeps it with the entry of the history.
 */
import { tick } from 'svelte';

/** What stood open, by its words and by which of several with the same words it is, and how far the page was scrolled. */
export interface Unfolded {
	parts: readonly (readonly [called: string, at: number])[];
	scrolled: number;
}

/** Parts of the page itself. What a form folds is the form's own, which opens where something is chosen in it. */
const PARTS = 'main details:not(form details)';

/** The further rows of a table are called after it: how many they are changes. */
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

/** What is unfolded on the page now. */
export const captureUnfolded = (): Unfolded => ({
	parts: numbered().flatMap(({ part, called, at }) => (part.open ? [[called, at] as const] : [])),
	scrolled: scrollY
});

/** Unfolds it again. The page was too short to be scrolled as far as it was. */
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
