/** Forms that only the public documentation shows. The contract check reads them; answers of a node never do. */
import { z } from 'zod';
import { object } from '../types.ts';
import { device } from './tasks.ts';

export const documentedNodeForms: Readonly<Record<string, readonly z.ZodType[]>> = {
	// One page wraps what the device is once more.
	'task::init_trezor::status': [
		object({ status: z.literal('Ok'), details: object({ result: device }) })
	]
};
