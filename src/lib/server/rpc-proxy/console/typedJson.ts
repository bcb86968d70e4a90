import { JsonError, parseJson, type JsonValue } from '#lib/rpc/json.ts';
import { AppError } from '../../platform/errors/appError.ts';

/**
 * JSON that somebody typed. What the parser says is not repeated: it may quote what was typed.
 * @throws {AppError} `console.not-json`, `console.nested-too-deeply`
 */
export function typedJson(text: string, options?: { maxDepth: number }): JsonValue {
	try {
		return parseJson(text, options);
	} catch (error) {
		if (!(error instanceof JsonError)) throw error;
		throw new AppError(
			error.code === 'not-json' ? 'console.not-json' : 'console.nested-too-deeply'
		);
	}
}
