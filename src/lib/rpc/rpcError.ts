/** Errors of decoding and encoding with the registry, as a code with the parameters of its message. */

type None = Readonly<Record<string, never>>;

/** Parameters of the message of each code. They never contain values of calls or responses. */
export interface RpcErrorParams {
	/** The text is not acceptable JSON. */
	'json.invalid': None;
	'json.too-deep': None;
	'json.too-large': None;
	/** A failure reported in a result with HTTP 200; the daemon's text, which may be empty. */
	'in-band-error': { readonly text: string };
	/** The response does not match the method's schema: the place, and what is wrong there. */
	'validation-mismatch': { readonly method: string; readonly place: string };
	/** Wrong number of parameters of a daemon method; `takes`: the minimum or maximum. */
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
	 * The trading node's method does not accept these parameters. `place`: member names from the top, joined
	 * by dots; empty for the parameters as a whole. `fault`: message of the schema.
	 */
	'kdf-params.invalid': { readonly place: string; readonly fault: string };
}

type RpcErrorCode = keyof RpcErrorParams;

/**
 * The only error class of the registry. Texts for users are in `lib/messages`; `message` (code and params) is
 * for logs.
 */
export class RpcError<Code extends RpcErrorCode = RpcErrorCode> extends Error {
	override readonly name = 'RpcError';
	readonly code: Code;
	readonly #find: () => RpcErrorParams[Code];
	#params: RpcErrorParams[Code] | undefined;

	/** @param params the parameters, or a function that computes them on first use when that is slow */
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

/** Tells whether a value is an `RpcError`, optionally with one of these codes. */
export function isRpcError<Code extends RpcErrorCode = RpcErrorCode>(
	error: unknown,
	...codes: readonly Code[]
): error is RpcError<Code> {
	if (!(error instanceof RpcError)) return false;
	return codes.length === 0 || (codes as readonly RpcErrorCode[]).includes(error.code);
}

/** Codes for a text that is not acceptable JSON. */
export const JSON_ERRORS = ['json.invalid', 'json.too-deep', 'json.too-large'] as const;
