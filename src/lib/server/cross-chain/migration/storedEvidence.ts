/** Evidence of steps as releases before typed evidence wrote it, in the shape that is read now. */
import { triesOf } from './storedSentences.ts';

/**
 * Only completions held sentences: what every offset gave, and why there was no proof.
 * @returns JSON; what is no JSON object stays as it is
 */
export function readableEvidence(step: string, stored: string): string {
	if (step !== 'completion') return stored;
	let value: unknown;
	try {
		value = JSON.parse(stored);
	} catch {
		return stored;
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return stored;
	const { ladder, said, ...rest } = value as Record<string, unknown>;
	const tried = typeof ladder === 'string' ? triesOf(ladder) : null;
	return JSON.stringify({
		...rest,
		...(tried === null ? {} : { tried }),
		...(typeof said === 'string' ? { refused: said } : {})
	});
}
