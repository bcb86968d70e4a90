/** Reads sentences that releases before stored codes wrote into columns which hold messages now. */

export interface StoredMessage {
	code: string;
	params: Readonly<Record<string, unknown>>;
}

/**
 * A code with the sentence that it was. `{name}` is a text, `{name:n}` a whole number, `{*}` what explained a
 * daemon's response.
 */
export type StoredSentence = readonly [code: string, sentence: string];

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The sentence as a pattern, with the names of what it holds. */
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

/** A function that finds the first sentence which a stored text is; null when it is none of them. */
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

/** A text that is kept and shown as it was. */
export const legacyMessage = (text: string): StoredMessage => ({
	code: 'legacy',
	params: { text }
});
