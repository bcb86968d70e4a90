import type { JsonValue } from '#lib/rpc/json.ts';
import { int } from '../../rpc/coins.ts';
import type { KdfContext, V2Method } from '../context.ts';
import { pinIsRight } from '../deviceSteps.ts';
import type { KdfError } from '../error.ts';
import { ActionTimeout, type TaskHandle } from '../tasks.ts';
import { activate } from './activate.ts';
import { internalOf } from './errors.ts';
import { refuseActive } from './platform.ts';
import { evmRequest } from './request.ts';

/** Performs the steps on the hardware wallet that are needed to derive its addresses. */
async function withDevice(context: KdfContext, handle: TaskHandle): Promise<void> {
	const { device, rules } = context;
	const fail = (text: string): KdfError => internalOf(rules, text);
	if (!context.deviceReady || !device.isPlugged) {
		throw fail('Hardware Wallet context is not initialized');
	}
	try {
		if (!(await pinIsRight(context, handle, 300))) throw fail('InvalidPin');
	} catch (cause) {
		throw cause instanceof ActionTimeout ? fail(cause.message) : cause;
	}
}

export const initTask: V2Method = (context, params) => {
	const request = evmRequest(context.rules)(params);
	const { ticker } = request;
	refuseActive(context, ticker);
	const run = async (handle: TaskHandle): Promise<JsonValue> => {
		await handle.step('ActivatingCoin');
		return activate(context, request, async () => {
			if (request.priv_key_policy === 'device') await withDevice(context, handle);
			await handle.step('ActivatingCoin');
		});
	};
	const { client_id: client } = request;
	const id = context.tasks.start('enable_eth', ticker, 'ActivatingCoin', run, { client });
	return { task_id: int(id) };
};
