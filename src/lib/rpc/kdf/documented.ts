/** Forms that documents and older builds show. */
import { z } from 'zod';
import { list, object, text } from '../types.ts';
import { activatedOlder } from './legacyActivation.ts';
import { device, taskError } from './tasks.ts';
import { ticker } from './types.ts';

/** A failed task as the interface document has it. */
export const documentedFailure: z.ZodType = object({
	status: text,
	details: object({ result: taskError })
});

/** Answers of older builds, which are read from a released node, too. */
export const olderForms: Readonly<Record<string, readonly z.ZodType[]>> = {
	version: [object({ result: text })],
	electrum: activatedOlder,
	enable: activatedOlder,
	disable_coin: [object({ result: object({ coin: ticker, cancelled_orders: list(text) }) })]
};

export const documentedKdfForms: Readonly<Record<string, readonly z.ZodType[]>> = {
	...olderForms,
	// One page wraps what the device is once more.
	'task::init_trezor::status': [
		object({ status: z.literal('Ok'), details: object({ result: device }) })
	]
};
