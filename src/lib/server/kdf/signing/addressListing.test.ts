import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { KdfResult } from '#lib/rpc/kdf/index.ts';
import { COUNTED_NOTHING, listAddress, type Unlisted } from './addressListing.ts';
import { callFailed } from '../calls/failure.ts';
import type { KdfPort } from '../calls/kdfPort.ts';

beforeEach(() => {
	vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
});
afterEach(() => {
	vi.useRealTimers();
});

const ASKED: Unlisted = {
	path: "m/44'/141'/3'/0/0",
	account: 3,
	chain: 'External',
	more: 1,
	isNewAccount: true
};
const IN_PROGRESS = { status: 'InProgress', details: 'RequestingAccountBalance' };
const MADE = { status: 'Ok', details: {} };

/** A node that creates an account as scripted, and lists its first address. */
function nodeWith(status: () => object, cancel: () => Promise<unknown>) {
	const calls: string[] = [];
	const answers: Record<string, () => unknown> = {
		'task::create_new_account::init': () => ({ task_id: 1 }),
		'task::create_new_account::status': status,
		'task::create_new_account::cancel': cancel,
		get_new_address: () => ({
			new_address: { address: 'R', derivation_path: ASKED.path, chain: 'External', balance: {} }
		})
	};
	const nodes: KdfPort = {
		call: (_node, method) => {
			calls.push(method);
			return Promise.resolve(answers[method]!() as KdfResult<typeof method>);
		}
	};
	return {
		calls,
		/** Returns the error of the listing after more than a minute; null when the address is listed. */
		async list(): Promise<unknown> {
			const listed = listAddress(nodes, 'n', 'KMD', ASKED, COUNTED_NOTHING).then(
				() => null,
				(error: unknown) => error
			);
			await vi.advanceTimersByTimeAsync(70_000);
			return listed;
		}
	};
}

it('waits half a minute for an account that the node creates with slow servers', async () => {
	const ready = performance.now() + 30_000;
	const { list, calls } = nodeWith(
		() => (performance.now() < ready ? IN_PROGRESS : MADE),
		() => Promise.reject(new Error('it is cancelled'))
	);
	expect(await list()).toBeNull();
	expect(calls.at(-1)).toBe('get_new_address');
});

it('cancels the creation of an account after a minute, and says that its end is not known', async () => {
	const { list, calls } = nodeWith(
		() => IN_PROGRESS,
		() => Promise.resolve('success')
	);
	expect(await list()).toMatchObject({ params: { failure: { kind: 'unsure' } } });
	expect(calls.at(-1)).toBe('task::create_new_account::cancel');
});

it('goes on with an account that was created before it could be cancelled', async () => {
	const failure = { kind: 'refused', type: 'TaskFinished', message: '', data: 1 } as const;
	let isOver = false;
	const { list, calls } = nodeWith(
		() => (isOver ? MADE : IN_PROGRESS),
		() => {
			isOver = true;
			return Promise.reject(callFailed(failure));
		}
	);
	expect(await list()).toBeNull();
	expect(calls.slice(-2)).toEqual(['task::create_new_account::status', 'get_new_address']);
});
