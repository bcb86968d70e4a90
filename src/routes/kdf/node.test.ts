import { expect, test } from 'vitest';
import { callReason, unquotedReason } from '#lib/messages/activation/reasons.ts';
import { explainActivation, stepWords } from './failureWords.ts';
import type { Failure } from '#lib/messages/errors/activation.ts';
import { kdfView, redactedFor } from './node.ts';

const ADDRESS = 'https://eth.team.invalid/v3/canary';
const ABOUT = { node: 'node-1', coin: 'ETH', method: 'task::enable_eth' } as const;
const failures: readonly [string, Failure][] = [
	['known', { kind: 'refused', type: 'Transport', message: `${ADDRESS} is down`, data: ADDRESS }],
	['unknown', { kind: 'refused', type: 'Strange', message: `${ADDRESS} is down`, data: null }],
	['older', { kind: 'refused', type: null, message: `No answer of ${ADDRESS}`, data: null }]
];

test.each(failures)(
	'what the node itself said in a %s failure is for those who activate',
	(_which, failure) => {
		const words = explainActivation(ABOUT, failure);
		expect(JSON.stringify(redactedFor({ activate: true }, words))).toContain(ADDRESS);
		const told = redactedFor({ activate: false }, words);
		expect(JSON.stringify(told)).not.toContain(ADDRESS);
		expect(told.what).not.toBe('');
		const reason = callReason('call.failed', failure);
		expect(unquotedReason(reason)).toBe('The trading node rejected the request.');
	}
);

test('of an error that passes by itself, too', () => {
	const step = { TemporaryError: `${ADDRESS} is down` };
	expect(stepWords(step)).toContain(ADDRESS);
	expect(stepWords(step, false)).toBe('Temporary error');
});

test('pages tell viewers nothing of where a node is', () => {
	const call = {
		since: 0,
		lastGoodAt: null,
		reason: null,
		absences: 0,
		mismatches: 0,
		inFlight: 0
	};
	const stop = { reason: 'wrong', attemptsLeft: 9, since: 0 } as const;
	const what = {
		id: 'node-1',
		dialect: 'kdf',
		state: 'down',
		version: null,
		builtAt: null
	} as const;
	const info = { ...what, ...call, url: ADDRESS, stop, queued: 0 };
	expect(JSON.stringify(kdfView(info))).not.toContain(ADDRESS);
});
