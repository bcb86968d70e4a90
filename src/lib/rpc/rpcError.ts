/** What cannot be read or written by the registry, as a code with what its words are made of. */

type None = Readonly<Record<string, never>>;

/** What the words of each code are made of. Values of calls and answers are never in it. */
export interface RpcErrorParams {
	/** A text that cannot be taken as JSON. */
	'json.invalid': None;
	'json.too-deep': None;
	'json.too-large': None;
	/** A failure that came as a result with HTTP 200; the daemon's text, which may be empty. */
	'in-band-error': { readonly text: string };
	/** An answer that is not what the method gives: the place, and what is the matter there. */
	'validation-mismatch': { readonly method: string; readonly place: string };
	/** Too few or too many parameters of a daemon's method; `takes`: how few or how many it can have. */
	'params.too-few': { readonly takes: number; readonly given: number };
	'params.too-many': { readonly takes: number; readonly given: number };
	/** `index` counts from 0. */
	'params.missing': { readonly index: number };
	'params.invalid': {
		readonly index: number;
		readonly name: string;
		readonly expected: 'txid' | 'text' | 'number' | 'integer' | 'boolean';
	};
	/**
	 * Parameters that a method of the trading node does not take. `place`: member names from the top, with dots;
	 * empty for the parameters themselves. `fault`: what the schema says.
	 */
	'kdf-params.invalid': { readonly place: string; readonly fault: string };
}

type RpcErrorCode = keyof RpcErrorParams;

/** The one error of the registry. Its words are in `lib/messages`; `message` is code and params, for logs. */
export class RpcError<Code extends RpcErrorCode = RpcErrorCode> extends Error {
	override readonly name = 'RpcError';
	readonly code: Code;
	readonly #find: () => RpcErrorParams[Code];
	#params: RpcErrorParams[Code] | undefined;

	/** @param params or how to find them, where that takes long and most are never asked for */
	constructor(
		code: Code,
		params: RpcErrorParams[Code] | (() => RpcErrorParams[Code]),
		cause?: unknown
	) {
		super(code, cause === undefined ? undefined : { cause });
		this.code = code;
		this.#find = typeof params === 'function' ? params : () => params;
		Object.defineProperty(this, 'message', {
			get: () => `${code} ${JSON.stringify(this.params)}`
		});
	}

	get params(): RpcErrorParams[Code] {
		return (this.#params ??= this.#find());
	}
}

/** Whether something is an error of the registry: of any code, or of one of these. */
export function isRpcError<Code extends RpcErrorCode = RpcErrorCode>(
	error: unknown,
	...codes: readonly Code[]
): error is RpcError<Code> {
	if (!(error instanceof RpcError)) return false;
	return codes.length === 0 || (codes as readonly RpcErrorCode[]).includes(error.code);
}

/** The codes of a text that cannot be taken as JSON. */
export const JSON_ERRORS = ['json.invalid', 'json.too-deep', 'json.too-large'] as const;
