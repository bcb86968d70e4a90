import { parseJson, type JsonValue } from '#lib/rpc/json.ts';
import { JSON_ERRORS, isRpcError } from '#lib/rpc/rpcError.ts';
import { AppError } from '../../platform/errors/appError.ts';

/**
 * Parses JSON that a user typed. The parser's message is dropped, because it may quote the input.
 * @throws {AppError} `console.not-json`, `console.nested-too-deeply`
 */
export function typedJson(text: string, options?: { maxDepth: number }): JsonValue {
	try {
		return parseJson(text, options);
	} catch (error) {
		if (!isRpcError(error, ...JSON_ERRORS)) throw error;
		throw new AppError(
			error.code === 'json.invalid' ? 'console.not-json' : 'console.nested-too-deeply'
		);
	}
}
