import { decodeParams, encodeParams, wantsText, type Dialect } from '#lib/rpc/codec.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { isJsonNumber, parseJson, stringifyJson } from '#lib/rpc/json.ts';

/**
 * Converts a caller's parameters to the daemon's dialect: a number becomes a string of the same digits where the
 * daemon expects text, and vice versa. Digits are never computed with, and everything else stays the caller's own
 * text, for the daemon to judge.
 *
 * @param params the JSON text of each parameter
 * @returns the JSON text of the parameter array
 */
export function encodeDialect(
	method: DaemonMethod,
	params: readonly string[],
	dialect: Dialect
): string {
	const asWritten = `[${params.join(',')}]`;
	const isSpelled = (text: string, index: number): boolean => {
		const isText = wantsText(method, index, dialect);
		return isText === null || isText === text.startsWith('"');
	};
	if (params.every(isSpelled)) return asWritten;
	let wanted: readonly string[];
	try {
		const wire = parseJson(asWritten) as unknown[];
		const spelled = encodeParams(method, decodeParams(method, wire), dialect) as unknown[];
		wanted = spelled.map((value) => stringifyJson(value));
	} catch {
		// The parameters do not fit the registry: the daemon's own refusal is the better answer.
		return asWritten;
	}
	const texts = params.map((text, index) => {
		const other = wanted[index];
		if (other === undefined) return text;
		if (isJsonNumber(text) && other.startsWith('"')) return `"${text}"`;
		if (text.startsWith('"') && isJsonNumber(other)) {
			const inside = JSON.parse(text) as string;
			return isJsonNumber(inside) ? inside : text;
		}
		return text;
	});
	return `[${texts.join(',')}]`;
}
