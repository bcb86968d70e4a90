import type { JsonValue } from '#lib/rpc/json.ts';
import { NodeError } from '../error.ts';
import type { NodeRules } from '../rules.ts';
import { TransportError } from '../utxoClient.ts';

export const PLATFORM = 'platform_coin_with_tokens';

export const at = (path: string, trace: string): { path: string; trace: string } => ({
	path,
	trace
});

export const FROM_PLATFORM = at(PLATFORM, `${PLATFORM}:471]`);

export const payload = (text: string): NodeError =>
	new NodeError(400, 'InvalidPayload', text, text, FROM_PLATFORM);

/** Errors of the release that the interface document has by other names. */
export function asDocumented(cause: unknown, ticker: string): unknown {
	if (!(cause instanceof NodeError)) return cause;
	const { type, message: error } = cause;
	switch (type) {
		case 'InvalidPayload':
		case 'AtLeastOneNodeRequired':
			return new NodeError(
				500,
				'PlatformCoinCreationError',
				`Error on platform coin ${ticker} creation: ${error}`,
				{ ticker, error },
				cause.origin
			);
		case 'WalletConnectError':
		case 'UnexpectedDeviceActivationPolicy':
			return new NodeError(
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

export const internalOf = (rules: NodeRules, text: string): NodeError =>
	rules.seedForms
		? new NodeError(500, 'InternalError', `Internal error: ${text}`, text, FROM_PLATFORM)
		: new NodeError(500, 'Internal', text, text, FROM_PLATFORM);

export const transportError = (cause: unknown): unknown =>
	cause instanceof TransportError
		? new NodeError(502, 'Transport', cause.message, cause.message, FROM_PLATFORM)
		: cause;

export const tokenError = (
	status: number,
	type: string,
	text: string,
	data: JsonValue
): NodeError =>
	new NodeError(status, type, text, data, at('prelude', `${PLATFORM}:320] prelude:79]`));

export const customToken = (data: JsonValue): NodeError =>
	new NodeError(500, 'CustomTokenError', `Custom token error: ${JSON.stringify(data)}`, data);
