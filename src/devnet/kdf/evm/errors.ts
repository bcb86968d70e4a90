import type { JsonValue } from '#lib/rpc/json.ts';
import { KdfError } from '../error.ts';
import type { KdfRules } from '../rules.ts';
import { TransportError } from '../utxoClient.ts';

export const PLATFORM = 'platform_coin_with_tokens';

export const at = (path: string, trace: string): { path: string; trace: string } => ({
	path,
	trace
});

export const FROM_PLATFORM = at(PLATFORM, `${PLATFORM}:471]`);

export const payload = (text: string): KdfError =>
	new KdfError(400, 'InvalidPayload', text, text, FROM_PLATFORM);

/** Converts an error of the release to the name that the interface document uses. */
export function asDocumented(cause: unknown, ticker: string): unknown {
	if (!(cause instanceof KdfError)) return cause;
	const { type, message: error } = cause;
	switch (type) {
		case 'InvalidPayload':
		case 'AtLeastOneNodeRequired':
			return new KdfError(
				500,
				'PlatformCoinCreationError',
				`Error on platform coin ${ticker} creation: ${error}`,
				{ ticker, error },
				cause.origin
			);
		case 'WalletConnectError':
		case 'UnexpectedDeviceActivationPolicy':
			return new KdfError(
				500,
				'PrivKeyNotAllowed',
				`Private key is not allowed: ${error}`,
				error,
				cause.origin
			);
		default:
			return cause;
	}
}

export const internalOf = (rules: KdfRules, text: string): KdfError =>
	rules.seedForms
		? new KdfError(500, 'InternalError', `Internal error: ${text}`, text, FROM_PLATFORM)
		: new KdfError(500, 'Internal', text, text, FROM_PLATFORM);

export const transportError = (cause: unknown): unknown =>
	cause instanceof TransportError
		? new KdfError(502, 'Transport', cause.message, cause.message, FROM_PLATFORM)
		: cause;

export const tokenError = (status: number, type: string, text: string, data: JsonValue): KdfError =>
	new KdfError(status, type, text, data, at('prelude', `${PLATFORM}:320] prelude:79]`));

export const customToken = (data: JsonValue): KdfError =>
	new KdfError(500, 'CustomTokenError', `Custom token error: ${JSON.stringify(data)}`, data);
