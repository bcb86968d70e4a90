import { describe, expect, test } from 'vitest';
import { bytesToHex } from '#lib/chain/bytes.ts';
import {
	NO_SHIELDED,
	SAPLING_GROUP_ID,
	serializeTransaction,
	txidOf,
	type Transaction
} from '#lib/chain/transaction.ts';
import { MOST_CHARACTERS, readRecoveryFile } from './readRecoveryFile.ts';

const burn: Transaction = {
	overwintered: true,
	version: 4,
	versionGroupId: SAPLING_GROUP_ID,
	vin: [],
	vout: [{ value: 1n, script: new Uint8Array([0x6a]) }],
	locktime: 0,
	expiryHeight: 0,
	valueBalance: 0n,
	shielded: NO_SHIELDED
};
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
		expect(read(genuine)).toEqual({ ok: true, hint: { txid, chain: 'ALPHA', address: ADDRESS } });
	});

	test('with a recipient that is none gives no recipient', () => {
		const address = '<script>alert(1)</script>';
		expect(read({ ...genuine, address })).toMatchObject({ ok: true, hint: { address: '' } });
	});

	test.each<[string, unknown, RegExp]>([
		['no JSON', '{"format":', /not JSON/],
		['too long', ' '.repeat(MOST_CHARACTERS + 1), /at most/],
		['another format', { ...genuine, format: 'other' }, /Not a recovery file/],
		['another version', { ...genuine, version: 2 }, /Not a recovery file/],
		['a list', [genuine], /Not a recovery file/],
		['nothing', 'null', /Not a recovery file/],
		['a member too many', { ...genuine, daemon: 'http://evil' }, /Not a recovery file/],
		[
			'a member that objects have',
			JSON.stringify(genuine).replace('{', '{"__proto__":{},'),
			/Not a recovery file/
		],
		['a member of another type', { ...genuine, ccid: '777' }, /Not a recovery file/],
		['an amount as a number', { ...genuine, amount: 1 }, /Not a recovery file/],
		[
			'a step that is none',
			{ ...genuine, steps: [{ ...step, step: 'constructor' }] },
			/Not a recovery file/
		],
		[
			'more steps than there are',
			{ ...genuine, steps: Array(99).fill(step) },
			/Not a recovery file/
		],
		['an id in capitals', { ...genuine, burnTxid: txid.toUpperCase() }, /Not a recovery file/],
		['a script for an id', { ...genuine, burnTxid: '<script>' }, /Not a recovery file/],
		['no burn yet', { ...genuine, burnTxid: null, steps: [] }, /Nothing was burned/],
		['a chain of elsewhere', { ...genuine, source: 'EVIL' }, /not configured/],
		['one chain twice', { ...genuine, destination: 'ALPHA' }, /not configured/],
		[
			'another transaction’s id at the burn',
			{ ...genuine, steps: [{ ...step, txid: OTHER }], burnTxid: OTHER },
			/contradicts itself/
		],
		['two burns', { ...genuine, burnTxid: OTHER }, /names two burns/],
		[
			'bytes that are no transaction',
			{ ...genuine, steps: [{ ...step, hex: 'ff' }] },
			/contradicts itself/
		]
	])('with %s is refused in a sentence', (_what, file, words) => {
		const result = read(file);
		expect(result).toMatchObject({ ok: false, sentence: expect.stringMatching(words) as string });
	});
});
