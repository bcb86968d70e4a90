/** The drafts of a page for its layout, without the code that makes them: it comes with the first form that keeps any. */
import type { captureDraft, Draft, Place } from './drafts.ts';

let capture: typeof captureDraft | null = null;

/** Told by forms, which bring the code. */
export function captureWith(own: typeof captureDraft): void {
	capture = own;
}

/** What is typed on the page now. */
export const draftOfPage = (place: Place): Draft => capture?.(place) ?? { ...place, forms: {} };

/** Brings back what was typed, where the same account is on the same page once the code is there. */
export async function restoreDraftOfPage(draft: Draft, place: () => Place): Promise<void> {
	if (Object.keys(draft.forms).length === 0) return;
	const { restoreDraft } = await import('./drafts.ts');
	await restoreDraft(draft, place());
}
