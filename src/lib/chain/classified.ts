import { bytesToHex } from './bytes.ts';
import { classify as classifyScript, type ClassifiedScript } from './script.ts';

/**
 * Cache by script hex. Scripts repeat (miners, notaries, markers), and validating a key and encoding base58
 * are slow.
 */
const known = new Map<string, Readonly<ClassifiedScript>>();
const KNOWN_LIMIT = 20_000;
/** Longer scripts are not cached: they are data, which is cheap to classify and does not repeat. */
const LONGEST_KEPT = 100;

/** Returns the type of an output script, from the cache when possible. */
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
