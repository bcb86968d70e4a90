import { describe, expect, test } from 'vitest';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { readBuildRefusal, readCompletionRefusal, readSendRefusal } from './refusals.ts';
import { AppError } from '../../platform/errors/appError.ts';

const said = (method: DaemonMethod, rpcMessage: string, rpcCode = -1) =>
	new AppError('daemon.rpc-error', {
		daemon: 'BETA',
		method,
		delivery: 'delivered',
		rpcCode,
		rpcMessage
	});
const lost = (delivery: 'not-sent' | 'unknown') =>
	new AppError('daemon.timeout', { daemon: 'BETA', method: 'm', delivery });

describe('what a refusal means', () => {
	test.each([
		['backnotarisation not yet confirmed', 'wait'],
		['tx still in mempool', 'back-to-burn'],
		['Failed merkle block->MoM', 'final'],
		["Couldn't parse payouts", 'final'],
		['Incorrect notary approval txid', 'final'],
		['Cannot unmarshal rawproof for coins', 'final'],
		['Incorrect eval code in opreturn', 'final'],
		['Could not load tokenbase tx', 'passing'],
		['Internal error', 'passing'],
		['Out of memory', 'passing'],
		['', 'passing']
	])('building the import: %s', (response, verdict) => {
		expect(readBuildRefusal(said('migrate_createimporttransaction', response))).toEqual({
			verdict,
			response
		});
	});

	test.each([
		['Cannot find notarisation for target inclusive of source', 'wait'],
		['Notarisation not found', 'no-notarization'],
		['No MoMs found', 'wait'],
		["Couldn't find MoM within MoMoM set", 'next-offset'],
		["Couldn't parse importTx", 'final'],
		['Must be called on KMD', 'passing']
	])('completing it on KMD: %s', (response, verdict) => {
		expect(readCompletionRefusal(said('migrate_completeimporttransaction', response)).verdict).toBe(
			verdict
		);
	});

	test.each([
		[-26, '0: invalid-coin-import', 'wait'],
		[-26, '18: import tombstone exists', 'claimed'],
		[-26, '64: scriptpubkey', 'final'],
		[-26, '16: mempool conflict', 'conflict'],
		[-26, '18: bad-txns-inputs-spent', 'spent'],
		[-26, '16: tx-overwinter-expired', 'spent'],
		[-26, '16: bad-txns-premature-spend-of-coinbase', 'passing'],
		[-26, '64: non-final', 'passing'],
		[-26, '66: mempool full', 'passing'],
		[-26, '66: insufficient priority', 'passing'],
		[-25, 'Missing inputs', 'passing'],
		[-25, '', 'passing'],
		[-10, 'Komodo is downloading blocks...', 'passing'],
		[-27, 'transaction already in block chain', 'already'],
		[-22, 'TX decode failed', 'final'],
		// A proxy may answer so after the daemon has accepted the call.
		[-32603, 'upstream timed out', 'passing']
	])('sending: %i %s', (code, words, verdict) => {
		expect(readSendRefusal(said('sendrawtransaction', words, code)).verdict).toBe(verdict);
	});

	test('a send whose answer got lost may have happened; one that never left did not', () => {
		expect(readSendRefusal(lost('unknown')).verdict).toBe('unknown');
		expect(readSendRefusal(lost('not-sent')).verdict).toBe('unreachable');
	});

	test('a send that is refused without words is no sentence of ours', () => {
		expect(readSendRefusal(said('sendrawtransaction', '', -25))).toEqual({
			verdict: 'passing',
			response: ''
		});
	});

	test('a builder whose answer got lost changed nothing', () => {
		expect(readBuildRefusal(lost('unknown')).verdict).toBe('unreachable');
	});

	test('an error of our own is not taken for a refusal', () => {
		expect(() => readSendRefusal(new TypeError('mine'))).toThrow(TypeError);
	});
});
