import { describe, expect, test } from 'vitest';
import type { KdfMethod, KdfResult } from '#lib/rpc/kdf/index.ts';
import { readStatus } from './taskStatus.ts';

const read = (status: unknown) => readStatus(status as KdfResult<KdfMethod>);

describe('the status of a task', () => {
	test('names the coin of its result, if the result names one', () => {
		const details = { ticker: 'KMD', current_block: 7 };
		expect(read({ status: 'Ok', details })).toEqual({ kind: 'ok', result: details, ticker: 'KMD' });
		for (const other of [{ ticker: 7 }, {}, null]) {
			expect(read({ status: 'Ok', details: other })).toEqual({
				kind: 'ok',
				result: other,
				ticker: null
			});
		}
	});

	test('holds the refusal of the node with the place in its code, empty where the node names none', () => {
		const details = { error: 'no server answers', error_type: 'Internal' };
		const failure = { kind: 'refused', type: 'Internal', message: 'no server answers' };
		expect(read({ status: 'Error', details })).toEqual({
			kind: 'error',
			failure: { ...failure, data: null, place: { path: '', trace: '' } }
		});
		const more = { error_data: { id: 1 }, error_path: 'lp_coins', error_trace: 'lp_coins:7' };
		expect(read({ status: 'Error', details: { ...details, ...more } })).toEqual({
			kind: 'error',
			failure: { ...failure, data: { id: 1 }, place: { path: 'lp_coins', trace: 'lp_coins:7' } }
		});
	});

	test('is progress, unless the task waits for its member', () => {
		const details = 'WaitingForTrezorToConnect';
		expect(read({ status: 'InProgress', details })).toEqual({ kind: 'progress', step: details });
		expect(read({ status: 'UserActionRequired', details: 'EnterTrezorPin' })).toEqual({
			kind: 'action',
			step: 'EnterTrezorPin'
		});
	});
});
