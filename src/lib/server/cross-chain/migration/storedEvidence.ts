/** Converts evidence written by releases before typed evidence. */
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';
import { triesOf } from './storedSentences.ts';

/**
 * Converts stored evidence. Only completions contained sentences: the result of each offset, and why there was no
 * proof.
 * @returns JSON; text that is not a JSON object is returned unchanged
 */
export function readableEvidence(step: string, stored: string): string {
	if (step !== 'completion') return stored;
	const value = jsonOrNull(stored);
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return stored;
	const { ladder, said, ...rest } = value as Record<string, unknown>;
	const tried = typeof ladder === 'string' ? triesOf(ladder) : null;
	return JSON.stringify({
		...rest,
		...(tried === null ? {} : { tried }),
		...(typeof said === 'string' ? { refused: said } : {})
	});
}
