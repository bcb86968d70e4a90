import { encodeResult } from '#lib/rpc/codec.ts';
import type { DaemonMethod, DaemonResult } from '#lib/rpc/daemon/index.ts';
import { stringifyJson } from '#lib/rpc/json.ts';
import { asWritten } from '#lib/rpc/tolerant.ts';

/** Returns a daemon's answer as formatted JSON, with every number in the digits that the daemon wrote. */
export function daemonJson<M extends DaemonMethod>(method: M, result: DaemonResult<M>): string {
	return indent(stringifyJson(asWritten(result) ?? encodeResult(method, result)));
}

/** Formats JSON text. `JSON.parse` would lose digits, so this works on the text. */
function indent(json: string): string {
	let depth = 0;
	const line = () => `\n${'  '.repeat(depth)}`;
	// Matches strings, empty brackets and structural characters; everything else is copied.
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
