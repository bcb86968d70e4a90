/** The words of errors of the method registry. */
import type { JSON_ERRORS, RpcError, RpcErrorParams } from '#lib/rpc/rpcError.ts';

const JSON_WORDS: Readonly<Record<(typeof JSON_ERRORS)[number], string>> = {
	'json.invalid': 'The text is not JSON.',
	'json.too-deep': 'The JSON text is nested too deeply.',
	'json.too-large': 'The JSON text is too large.'
};

/** Why a text cannot be taken as JSON, as a sentence. */
export const jsonErrorMessage = ({ code }: RpcError<(typeof JSON_ERRORS)[number]>): string =>
	JSON_WORDS[code];

/** Which parameter of the trading node does not fit, and how. */
export type KdfParamMismatch = RpcErrorParams['kdf-params.invalid'];

export const kdfParamMessage = ({ place, fault }: KdfParamMismatch): string =>
	`${place === '' ? 'The parameters' : place}: ${fault}`;
