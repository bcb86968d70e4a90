/** Recognizes the errors of a trading node by their error type, or by their text in the legacy format. */
import { stringifyJson } from '../json.ts';
import type { KdfRefusal } from '../kdf/envelope.ts';
import type { KdfErrorPattern } from './kdfEntry.ts';
import { kdfTexts } from './kdfTexts.ts';
import { kdfTypes } from './kdfTypes.ts';

const patterns = [...kdfTexts, ...kdfTypes] as const;

export type KdfErrorCode = (typeof patterns)[number]['code'];

/** All known errors of a trading node. The first match counts. */
export const kdfErrorPatterns: readonly (KdfErrorPattern & { code: KdfErrorCode })[] = patterns;

/** The meaning of a recognized error. */
type RecognizedKdfError = Pick<(typeof kdfErrorPatterns)[number], 'code' | 'turn' | 'quotes'>;

/** Texts that `says` is matched with: message and data, because some types put the cause into their data. */
function wordsOf({ message, data }: KdfRefusal): string[] {
	if (data === undefined || data === null) return [message];
	return typeof data === 'string' ? [`${message} ${data}`] : [message, stringifyJson(data)];
}

const fits = ({ type, says, of }: KdfErrorPattern, method: string, refusal: KdfRefusal): boolean =>
	(type === undefined || type === refusal.type) &&
	(of === undefined || of.test(method)) &&
	(says === undefined || wordsOf(refusal).some((words) => says.test(words)));

/**
 * Looks up the meaning of an error.
 * @param method name on the wire
 * @returns null for an unknown error
 */
export const recognizeKdfError = (method: string, refusal: KdfRefusal): RecognizedKdfError | null =>
	kdfErrorPatterns.find((one) => fits(one, method, refusal)) ?? null;
