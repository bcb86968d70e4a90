import { describe, expect, test } from 'vitest';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { serializeTransaction, transparent, txidOf } from '#lib/chain/transaction.ts';
import { MOST_CHARACTERS, readRecoveryFile } from './readRecoveryFile.ts';

const burn = transparent({ vin: [], vout: [{ value: 1n, script: new Uint8Array([0x6a]) }] });
const hex = bytesToHex(serializeTransaction(burn));
const txid = txidOf(burn);
const ADDRESS = 'RXL3YXG2ceaB6C5hfJcN4fvmLH2C34knhA';
const OTHER = 'ab'.repeat(32);

const step = { step: 'burn', hex, txid, evidence: { height: 7 }, startedAt: 1, doneAt: 2 };
const genuine = {
	format: 'komodeck-migration',
	version: 1,
	id: 'c0ffee',
	route: 'notarized',
	source: 'ALPHA',
	destination: 'BETA',
	ccid: 777,
	address: ADDRESS,
	tokenid: null,
	amount: '1.00000000',
	payouts: '00',
	burnTxid: txid,
	policy: 'automatic',
	state: 'burn-pending',
	createdAt: 1,
	steps: [step]
};
const read = (file: unknown) =>
	readRecoveryFile(typeof file === 'string' ? file : JSON.stringify(file), ['ALPHA', 'BETA']);

describe('a recovery file', () => {
	test('says where to look and nothing more', () => {
		expect(read(genuine)).toEqual({
			ok: true,
			hint: { txid, chain: 'ALPHA', address: ADDRESS, payouts: '00' }
		});
	});

	test('with a recipient that is none gives no recipient', () => {
		const address = '<script>alert(1)</script>';
		expect(read({ ...genuine, address })).toMatchObject({ ok: true, hint: { address: '' } });
	});

	test.each<[string, unknown, string]>([
		['no JSON', '{"format":', 'not-json'],
		['too long', ' '.repeat(MOST_CHARACTERS + 1), 'too-long'],
		['another format', { ...genuine, format: 'other' }, 'not-a-file'],
		['another version', { ...genuine, version: 2 }, 'not-a-file'],
		['a list', [genuine], 'not-a-file'],
		['nothing', 'null', 'not-a-file'],
		['a member too many', { ...genuine, daemon: 'http://evil' }, 'not-a-file'],
		[
			'a member that objects have',
			JSON.stringify(genuine).replace('{', '{"__proto__":{},'),
			'not-a-file'
		],
		['a member of another type', { ...genuine, ccid: '777' }, 'not-a-file'],
		['an amount as a number', { ...genuine, amount: 1 }, 'not-a-file'],
		[
			'a step that is none',
			{ ...genuine, steps: [{ ...step, step: 'constructor' }] },
			'not-a-file'
		],
		['more steps than there are', { ...genuine, steps: Array(99).fill(step) }, 'not-a-file'],
		['an id in capitals', { ...genuine, burnTxid: txid.toUpperCase() }, 'not-a-file'],
		['a script for an id', { ...genuine, burnTxid: '<script>' }, 'not-a-file'],
		['no burn yet', { ...genuine, burnTxid: null, steps: [] }, 'not-burned'],
		['a chain of elsewhere', { ...genuine, source: 'EVIL' }, 'other-chains'],
		['one chain twice', { ...genuine, destination: 'ALPHA' }, 'other-chains'],
		[
			'another transaction’s id at the burn',
			{ ...genuine, steps: [{ ...step, txid: OTHER }], burnTxid: OTHER },
			'other-bytes'
		],
		['two burns', { ...genuine, burnTxid: OTHER }, 'two-burns'],
		[
			'bytes that are no transaction',
			{ ...genuine, steps: [{ ...step, hex: 'ff' }] },
			'other-bytes'
		]
	])('with %s is refused', (_what, file, code) => {
		const result = read(file);
		expect(result).toMatchObject({ ok: false, fault: { code } });
	});
});
