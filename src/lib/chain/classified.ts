import { bytesToHex } from './bytes.ts';
import { classify as classifyScript, type ClassifiedScript } from './script.ts';

/** Scripts repeat (miners, notaries, markers); checking a key and writing base58 are the dear parts. */
const known = new Map<string, Readonly<ClassifiedScript>>();
const KNOWN_LIMIT = 20_000;
/** Longer scripts are data, which is cheap to tell and never repeats. */
const LONGEST_KEPT = 100;

/** What kind of output script this is; remembered. */
export const classify = (script: Uint8Array): Readonly<ClassifiedScript> => {
	if (script.length > LONGEST_KEPT) return classifyScript(script);
	const key = bytesToHex(script);
	let found = known.get(key);
	if (!found) {
		found = classifyScript(script);
		if (known.size >= KNOWN_LIMIT) known.clear();
		known.set(key, found);
	}
	return found;
};
