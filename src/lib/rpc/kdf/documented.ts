/** Forms of results that only documentation or older builds show. */
import { z } from 'zod';
import { list, object, text } from '../types.ts';
import { activatedOlder } from './legacyActivation.ts';
import { device, taskError } from './tasks.ts';
import { ticker } from './types.ts';

/** A failed task in the form of the interface document. */
export const documentedFailure: z.ZodType = object({
	status: text,
	details: object({ result: taskError })
});

/** Results of older builds, which are also accepted from a released node. */
export const olderForms: Readonly<Record<string, readonly z.ZodType[]>> = {
	version: [object({ result: text })],
	electrum: activatedOlder,
	enable: activatedOlder,
	disable_coin: [object({ result: object({ coin: ticker, cancelled_orders: list(text) }) })]
};

export const documentedKdfForms: Readonly<Record<string, readonly z.ZodType[]>> = {
	...olderForms,
	// One documentation page has an extra object around the device.
	'task::init_trezor::status': [
		object({ status: z.literal('Ok'), details: object({ result: device }) })
	]
};
