import { describe, expect, it } from 'vitest';
import { proofNoteMessage } from '#lib/messages/proofNotes.ts';
import { isRefusal, problemOf, saysNone } from './problem.ts';
import { daemonError } from '../daemon/daemonError.ts';

const since = Date.UTC(2026, 10, 21, 12, 3, 0);
const failed = (
	code:
		| 'daemon.unreachable'
		| 'daemon.timeout'
		| 'daemon.warming-up'
		| 'daemon.rpc-error'
		| 'daemon.in-band-error',
	rpcMessage?: string
) =>
	daemonError(code, { daemon: 'ALPHA', method: 'getinfo' }, { delivery: 'not-sent', rpcMessage });

describe('the words for a missing answer', () => {
	it('say since when the chain does not answer, and that older data is shown', () => {
		expect(
			problemOf('ALPHA', failed('daemon.unreachable'), { state: 'down', since }, true)
		).toEqual({
			code: 'daemon.unreachable',
			words: 'ALPHA has been offline since 12:03 UTC. Showing the last known data.'
		});
	});

	it('leave the hour out while the daemon counts as well', () => {
		expect(problemOf('ALPHA', failed('daemon.timeout'), { state: 'up', since }, false).words).toBe(
			'ALPHA has not answered in time.'
		);
	});

	it('carry the daemon’s own words while it starts', () => {
		expect(
			problemOf('ALPHA', failed('daemon.warming-up', 'Verifying blocks...'), undefined, false).words
		).toBe('ALPHA is still starting (Verifying blocks...).');
	});

	it('say nothing of how this installation is set up', () => {
		const place = { daemon: 'ALPHA', method: 'getinfo' };
		for (const error of [
			daemonError('daemon.wrong-chain', place, {
				delivery: 'not-sent',
				difference: { what: 'pubkey', found: `02${'ab'.repeat(32)}` }
			}),
			daemonError('daemon.unauthorized', place, {
				delivery: 'not-sent',
				login: { code: 'credentials.file-unreadable', params: { file: '/etc/ALPHA.conf' } }
			})
		]) {
			const words = 'ALPHA does not fit the configuration here. An admin has to correct that.';
			expect(problemOf('ALPHA', error, undefined, false).words).toBe(words);
			const subject = { code: 'height', chain: 'ALPHA' } as const;
			const note = { code: 'unavailable', subject, error: error.coded } as const;
			expect(proofNoteMessage(note)).toBe(`Height of ALPHA: ${words}`);
		}
	});

	it('say nothing of the inside of another error', () => {
		expect(problemOf('ALPHA', new Error('secret'), undefined, false)).toEqual({
			code: 'failed',
			words: 'This could not be read from ALPHA.'
		});
	});
});

it.each([
	['getrawtransaction', -5, 'No information available about transaction', true],
	['getblock', -8, 'No block is that high', true],
	['getrawtransaction', -32_601, 'Method not found', false],
	['getrawtransaction', -32_603, 'The disk is gone', false],
	['getrawtransaction', -1, 'std::bad_alloc', false],
	['getrawtransaction', -1, 'JSON value is not a string as expected', false],
	['getrawtransaction', -1, 'No information available about transaction', true],
	['getblock', -1, 'Work queue depth exceeded', false],
	['getaddressbalance', -5, 'No information available for address', false]
] as const)('takes the answer of %s with %i "%s" for "there is none": %s', (...told) => {
	const [method, rpcCode, rpcMessage, isNone] = told;
	const facts = { delivery: 'delivered', rpcCode, rpcMessage } as const;
	const error = daemonError('daemon.rpc-error', { daemon: 'ALPHA', method }, facts);
	expect(saysNone(error)).toBe(isNone);
});

it('tells a refusal from a daemon that gives no answer', () => {
	expect(isRefusal(failed('daemon.rpc-error', 'Block not found'))).toBe(true);
	expect(isRefusal(failed('daemon.in-band-error', 'cant find tokenid'))).toBe(true);
	expect(isRefusal(failed('daemon.timeout'))).toBe(false);
	expect(isRefusal(new Error('x'))).toBe(false);
});
