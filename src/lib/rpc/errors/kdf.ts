/** What a trading node means when it refuses: by its error type, or by the text of the older form. */
import type { KdfRefusal } from '../kdf/envelope.ts';
import type { KdfErrorPattern } from './kdfEntry.ts';
import { kdfTexts } from './kdfTexts.ts';
import { kdfTypes } from './kdfTypes.ts';

const patterns = [...kdfTexts, ...kdfTypes] as const;

export type KdfErrorCode = (typeof patterns)[number]['code'];

/** Every known refusal of a node. The first one that fits counts. */
export const kdfErrorPatterns: readonly (KdfErrorPattern & { code: KdfErrorCode })[] = patterns;

/** A refusal that was recognized. */
type RecognizedKdfError = Pick<(typeof kdfErrorPatterns)[number], 'code' | 'turn' | 'quotes'>;

/** What `says` is compared with: some types tell in their data what went wrong. */
const wordsOf = ({ message, data }: KdfRefusal): string =>
	typeof data === 'string' ? `${message} ${data}` : message;

const fits = ({ type, says, of }: KdfErrorPattern, method: string, refusal: KdfRefusal): boolean =>
	(type === undefined || type === refusal.type) &&
	(of === undefined || of.test(method)) &&
	(says === undefined || says.test(wordsOf(refusal)));

/**
 * Finds what a refusal means.
 * @param method name on the wire
 * @returns null for one that is not known
 */
export const recognizeKdfError = (method: string, refusal: KdfRefusal): RecognizedKdfError | null =>
	kdfErrorPatterns.find((one) => fits(one, method, refusal)) ?? null;
