/** Messages of errors of the method registry. */
import type { JSON_ERRORS, RpcError, RpcErrorParams } from '#lib/rpc/rpcError.ts';

const JSON_WORDS: Readonly<Record<(typeof JSON_ERRORS)[number], string>> = {
	'json.invalid': 'The text is not JSON.',
	'json.too-deep': 'The JSON text is nested too deeply.',
	'json.too-large': 'The JSON text is too large.'
};

/** Renders why a text is not accepted as JSON. */
export const jsonErrorMessage = ({ code }: RpcError<(typeof JSON_ERRORS)[number]>): string =>
	JSON_WORDS[code];

/** Which parameter of a trading node is invalid, and why. */
export type KdfParamMismatch = RpcErrorParams['kdf-params.invalid'];

export const kdfParamMessage = ({ place, fault }: KdfParamMismatch): string =>
	`${place === '' ? 'The parameters' : place}: ${fault}`;
