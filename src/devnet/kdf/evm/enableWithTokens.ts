import type { JsonValue } from '#lib/rpc/json.ts';
import type { KdfContext, V2Method } from '../context.ts';
import { KdfError } from '../error.ts';
import { activate } from './activate.ts';
import { asDocumented, FROM_PLATFORM } from './errors.ts';
import { refuseActive } from './platform.ts';
import { evmRequest, type EvmRequest } from './request.ts';

export const enableWithTokens: V2Method = async (context, params) => {
	const request = evmRequest(context.rules)(params);
	try {
		return await enablePlatform(context, request);
	} catch (cause) {
		throw context.rules.seedForms ? asDocumented(cause, request.ticker) : cause;
	}
};

function enablePlatform(context: KdfContext, request: EvmRequest): Promise<JsonValue> {
	if (request.priv_key_policy === 'device') {
		throw new KdfError(
			400,
			'UnexpectedDeviceActivationPolicy',
			'Hardware policy must be activated within task manager',
			undefined,
			FROM_PLATFORM
		);
	}
	const { ticker } = request;
	refuseActive(context, ticker);
	return activate(context, request);
}
