import { describe, expect, it } from 'vitest';
import { UpstreamError } from '#lib/server/chains/daemon/types.ts';
import { isRefusal, problemOf } from './problem.ts';

const since = Date.UTC(2026, 10, 21, 12, 3, 0);
const failed = (code: UpstreamError['code'], rpcMessage?: string) =>
	new UpstreamError(code, 'x', { daemon: 'ALPHA', method: 'getinfo', reached: 'no', rpcMessage });

describe('the words for a missing answer', () => {
	it('say since when the chain does not answer, and that older data is shown', () => {
		expect(problemOf('ALPHA', failed('unreachable'), { state: 'down', since }, true)).toEqual({
			code: 'unreachable',
			words: 'ALPHA has been offline since 12:03 UTC. Showing the last known data.'
		});
	});

	it('leave the hour out while the daemon counts as well', () => {
		expect(problemOf('ALPHA', failed('timeout'), { state: 'up', since }, false).words).toBe(
			'ALPHA has not answered in time.'
		);
	});

	it('carry the daemon’s own words while it starts', () => {
		expect(
			problemOf('ALPHA', failed('warming-up', 'Verifying blocks...'), undefined, false).words
		).toBe('ALPHA is still starting (Verifying blocks...).');
	});

	it('say nothing of the inside of another error', () => {
		expect(problemOf('ALPHA', new Error('secret'), undefined, false)).toEqual({
			code: 'failed',
			words: 'This could not be read from ALPHA.'
		});
	});
});

it('tells a refusal from a daemon that gives no answer', () => {
	expect(isRefusal(failed('rpc', 'Block not found'))).toBe(true);
	expect(isRefusal(failed('soft', 'cant find tokenid'))).toBe(true);
	expect(isRefusal(failed('timeout'))).toBe(false);
	expect(isRefusal(new Error('x'))).toBe(false);
});
