/** Parses JSON; null for a text that is not JSON. Numbers become doubles. */
export function jsonOrNull(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
