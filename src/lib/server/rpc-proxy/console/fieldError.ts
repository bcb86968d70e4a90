import { JsonError, parseJson, type JsonValue } from '#lib/rpc/json.ts';

/** What is wrong with one field, as a sentence. */
export class FieldError extends Error {
	override readonly name = 'FieldError';
}

/**
 * JSON that somebody typed. What the parser says is not repeated: it may quote what was typed.
 * @throws {FieldError}
 */
export function typedJson(text: string, options?: { maxDepth: number }): JsonValue {
	try {
		return parseJson(text, options);
	} catch (error) {
		if (!(error instanceof JsonError)) throw error;
		throw new FieldError(
			error.code === 'not-json'
				? 'This is not JSON. Names and texts need double quotes.'
				: 'This is nested too deeply.'
		);
	}
}
