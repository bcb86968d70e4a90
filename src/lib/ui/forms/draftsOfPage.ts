/** A page's drafts as its layout uses them. The code that captures drafts is loaded with the first form. */
import type { captureDraft, Draft, Place } from './drafts.ts';
import { changedFields } from '../live/typing.ts';

let capture: typeof captureDraft | null = null;

/** Registers the function that captures drafts; called by forms, which import it. */
export function captureWith(own: typeof captureDraft): void {
	capture = own;
}

/** Returns what is currently typed on the page. */
export const draftOfPage = (place: Place): Draft => capture?.(place) ?? { ...place, forms: {} };

/**
 * Restores a draft, if the same account is still on the same page once the code is loaded. Fields that were
 * changed since the page is shown stay as they are.
 */
export async function restoreDraftOfPage(draft: Draft, place: () => Place): Promise<void> {
	if (Object.keys(draft.forms).length === 0) return;
	const { restoreDraft } = await import('./drafts.ts');
	await restoreDraft(draft, place(), changedFields);
}
