/** Parses sentences that early releases stored in columns which now hold coded messages. */

export interface StoredMessage {
	code: string;
	params: Readonly<Record<string, unknown>>;
}

/**
 * A message code and the sentence that was stored for it. `{name}` matches a text, `{name:n}` an integer, `{*}`
 * the explanation of a daemon's response.
 */
export type StoredSentence = readonly [code: string, sentence: string];

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Compiles a sentence to a pattern, with the names of its placeholders. */
function patternOf(sentence: string): { pattern: RegExp; names: string[] } {
	const names: string[] = [];
	const source = sentence
		.split(/(\{[^}]+\})/)
		.map((part) => {
			if (!part.startsWith('{')) return literally(part);
			if (part === '{*}') return '.*?';
			names.push(part.slice(1, -1));
			return part.endsWith(':n}') ? '(\\d{1,15})' : '(.*?)';
		})
		.join('');
	return { pattern: new RegExp(`^${source}$`, 's'), names };
}

/** Returns a function that finds the first sentence matching a stored text; null when none does. */
export function sentenceReader(
	sentences: readonly StoredSentence[]
): (text: string) => StoredMessage | null {
	const patterns = sentences.map(([code, sentence]) => ({ code, ...patternOf(sentence) }));
	return (text) => {
		for (const { code, pattern, names } of patterns) {
			const found = pattern.exec(text)?.slice(1);
			if (!found) continue;
			const params = names.map((name, i) =>
				name.endsWith(':n') ? [name.slice(0, -2), Number(found[i])] : [name, found[i]]
			);
			return { code, params: Object.fromEntries(params) as StoredMessage['params'] };
		}
		return null;
	};
}

/** Wraps a text that is kept and displayed unchanged. */
export const legacyMessage = (text: string): StoredMessage => ({
	code: 'legacy',
	params: { text }
});
