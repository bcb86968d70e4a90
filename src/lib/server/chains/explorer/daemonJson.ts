import { encodeResult } from '#lib/rpc/codec.ts';
import type { DaemonMethod, DaemonResult } from '#lib/rpc/daemon/index.ts';
import { stringifyJson } from '#lib/rpc/json.ts';
import { asWritten } from '#lib/rpc/tolerant.ts';

/** A daemon's answer as JSON for reading: every number in the digits that the daemon wrote. */
export function daemonJson<M extends DaemonMethod>(method: M, result: DaemonResult<M>): string {
	return indent(stringifyJson(asWritten(result) ?? encodeResult(method, result)));
}

/** Puts JSON text on lines. `JSON.parse` would lose digits, so the text itself is walked. */
function indent(json: string): string {
	let depth = 0;
	const line = () => `\n${'  '.repeat(depth)}`;
	// A string, an empty bracket pair, or one sign of structure; all else stays as it is.
	return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|\[\]|\{\}|[[\]{},:]/g, (token) => {
		switch (token) {
			case '{':
			case '[':
				depth++;
				return token + line();
			case '}':
			case ']':
				depth--;
				return line() + token;
			case ',':
				return token + line();
			case ':':
				return ': ';
			default:
				return token;
		}
	});
}
