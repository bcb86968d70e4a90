import { DATABASE_ERROR_KINDS } from '../database.ts';
import { describe, expect, test } from 'vitest';
import { LIMIT_KIND_WORDS } from '../limitKinds.ts';
import { walletDaemon } from './walletDaemon.ts';
import { ERRORS } from './index.ts';

/** Works as any param: a text, a number and a list in one, so that each message can be rendered. */
const anyParam: unknown = new Proxy(['3'], {
	get: (list, name) =>
		name in list
			? (Reflect.get(list, name) as unknown)
			: (Reflect.get(Object('3'), name) as unknown)
});
const anyParams: object = new Proxy({}, { get: () => anyParam, has: () => true });

const BLOCK_MISMATCHES = [
	{ place: '', misses: 'json' },
	{ place: 'tx.0.vout', misses: 'value' }
];
const KINDS = Object.keys(LIMIT_KIND_WORDS).map((kind) => ({ kind }));

/** A safety control, and errors of a trading node, as params of other errors. */
const CONTROLS = [
	{ control: { code: 'safety.sends-frozen', params: { by: 'ada', reason: '' } } },
	{ control: { code: 'safety.reads-only', params: {} } }
];
const SAID = { rpcMessage: '16: dust', status: 500 };

/** A failed call, as a param. */
const CALL = {
	code: 'daemon.timeout',
	params: { daemon: 'ALPHA', method: 'getinfo', delivery: 'unknown' }
};

/** Params that have one of a few fixed values. */
const CHOSEN: Readonly<Record<string, readonly object[]>> = {
	'approval.closed': ['used', 'rejected', 'expired', 'voided'].map((state) => ({ state })),
	'change.closed': ['done', 'rejected', 'expired', 'voided', 'withdrawn'].map((state) => ({
		state
	})),
	'account.name-invalid': ['actor', 'title', 'characters', 'scripts'].map((reason) => ({ reason })),
	'backup.database-failed': DATABASE_ERROR_KINDS.map((kind) => ({ kind })),
	'address-book.value-missing': ['pubkey', 'address', 'token', 'chain'].map((kind) => ({ kind })),
	'database.newer': [{ index: null }],
	'daemon.syncing': [{ tip: 72 }, { tip: 0 }],
	'daemon.warming-up': [SAID, { rpcMessage: undefined }],
	'daemon.rpc-error': [SAID, { rpcMessage: '' }],
	'daemon.in-band-error': [SAID],
	'daemon.unauthorized': [
		{ status: 403 },
		{ login: null },
		{ login: { code: 'credentials.cookie-empty', params: { file: '.cookie' } } }
	],
	'daemon.validation-mismatch': [
		...['not-json', 'no-object', 'no-result', 'no-error-code'].map((fault) => ({
			fault: { kind: 'envelope', fault }
		})),
		{ fault: { kind: 'result', place: 'name is missing' } },
		{ fault: { kind: 'transaction', txid: '00' } },
		...['status', 'form'].map((kind) => ({ fault: { kind } }))
	],
	'daemon.wrong-chain': [
		{ difference: null },
		{ difference: { what: 'chain', found: 'BETA', configured: 'ALPHA' } },
		{ difference: { what: 'ccid', found: null, configured: 101 } },
		{ difference: { what: 'pubkey', found: null } },
		{ difference: { what: 'pubkey', found: '02' } }
	],
	'indexer.unreachable': [{ call: CALL }],
	'indexer.too-much': [{ call: CALL }],
	'indexer.refused': [{ chain: 'ALPHA', method: 'getblock', said: ' \n' }],
	'limit.daemon-failed': [{ call: CALL }],
	'indexer.no-room': [{ free: 1, reserve: 2 }],
	'indexer.block-unusable': BLOCK_MISMATCHES.map((why) => ({ why })),
	'indexer.block-mismatch': BLOCK_MISMATCHES,
	'daemon.safety-control': CONTROLS,
	'kdf.safety-control': CONTROLS,
	'console.parameter-invalid': [
		...[
			'hex',
			'hash',
			'pubkey',
			'address',
			'whole',
			'coins',
			'height-or-hash',
			'boolean',
			'other'
		].map((code) => ({ code })),
		{ code: 'too-long', maxBytes: 32 },
		{ code: 'out-of-range', min: 0, max: 4 },
		{ code: 'out-of-range' }
	],
	'console.hex-unreadable': [{ fault: { code: 'hash', params: {} } }],
	'console.not-a-transaction': [{ found: { code: 'block' } }],
	'console.mismatch': [
		{ place: '', fault: 'Required' },
		{ place: '0.url', fault: 'expected text' }
	],
	'kdf.invalid-params': [{ mismatch: { place: 'coin', fault: 'Required' } }],
	'kdf.rpc-error': ['', 'No such coin'].map((message) => ({ refusal: { message } })),
	'kdf.password-refused': [
		...['banned', 'missing', 'wrong'].map((reason) => ({ stop: { reason, attemptsLeft: null } })),
		{ stop: { reason: 'wrong', attemptsLeft: 1 } }
	],
	'activation.call-failed': [
		{ failure: { kind: 'away', message: '' } },
		{ failure: { kind: 'refused', message: 'No such coin' } },
		...CONTROLS.map((control) => ({
			failure: { kind: 'switched-off', message: '', ...control }
		}))
	],
	'activation.answer-not-taken': [
		...[
			'away',
			'password-replaced',
			'password-unreadable',
			'unsure',
			'password',
			'misfit',
			'task-unknown',
			'device-closed',
			'node-refused'
		].map((why) => ({ why })),
		{ why: 'switched-off', control: null },
		...CONTROLS.map((control) => ({ why: 'switched-off', ...control }))
	],
	'limit.count-reached': KINDS,
	'limit.amount-exceeded': KINDS,
	'limit.amount-unknown': KINDS,
	'signature.faulty': [...['unsigned', 'incomplete', 'unreadable', 'not-all', 'not-good']].map(
		(fault) => ({ fault })
	),
	'egress.target-invalid': [
		...['host', 'port', 'with-scheme', 'without-port', 'with-login', 'missing']
	].map((reason) => ({ reason })),
	'egress.broken': [
		...['not-electrum', 'no-version', 'no-tip', 'broke-off', 'ended'],
		...['no-whole-answer', 'no-websockets']
	].map((how) => ({ how })),
	'usage.form': [
		...[
			'migration',
			'restore',
			'backup',
			'audit',
			'audit-word',
			'user-list',
			'user-invite',
			'user-wallets'
		],
		...['installation', 'token', 'kdf']
	].map((form) => ({ form })),
	'usage.option': ['audit-form', 'older-than', 'expires', 'user', 'wallets'].map((option) => ({
		option
	})),
	'review.unreadable': [
		...['burn', 'composed-transaction', 'funded-burn', 'import', 'payouts']
	].map((what) => ({ what })),
	'backup.damaged': ['end', 'rows', 'row', 'value'].map((what) => ({ what })),
	'database.standby-unused': ['no-standby', 'other-database', 'behind', 'ahead'].map((why) => ({
		why
	})),
	'database.unusable': [
		...[
			'locked',
			'canceled',
			'full',
			'gone',
			'replaced',
			'damaged',
			'read-only',
			'server-read-only',
			'index-damaged'
		]
	].map((why) => ({ why })),
	'work.denied': [
		{ why: { code: 'wallet.not-granted', params: { daemon: 'ALPHA' } }, certain: 'not-sent' }
	],
	'self-import.not-possible': [
		{ code: 'other-mode', params: { chain: 'ALPHA', mode: 'BEAM' } },
		{ code: 'other-mode-answered', params: { chain: 'ALPHA' } },
		{ code: 'no-imports', params: { chain: 'ALPHA' } },
		{ code: 'other-wallet', params: { daemon: 'a', chain: 'A', pubkey: '02', issuer: '03' } },
		{ code: 'too-few-coins', params: { daemon: 'a', chain: 'A', balance: '1', needed: '2' } },
		{ code: 'no-wallet', params: { chain: 'ALPHA' } },
		{ code: 'method-unknown', params: { daemon: 'ALPHA' } },
		{ code: 'no-output', params: {} }
	].map((obstacle) => ({ obstacle })),
	'transaction.payload-too-large': [true, false].map((every) => ({ every })),
	'transaction.not-built': ['send-unknown', 'not-sent', 'discard-unknown'].map((certain) => ({
		certain,
		why: CALL
	})),
	...Object.fromEntries(
		Object.keys(walletDaemon).map((code) => [
			code,
			[null, 'not-sent'].map((certain) => ({ certain, why: CALL }))
		])
	),
	'assignment.successor-unfit': ['same', 'disabled', 'role', 'wallet'].map((reason) => ({
		reason,
		work: { code: 'batch-transfer', params: { chain: 'ALPHA' } }
	}))
};

/** Params of a code; any value for those without fixed ones. */
const paramsOf = (code: string): object[] =>
	(CHOSEN[code] ?? [{}]).map(
		(chosen) =>
			new Proxy(chosen, {
				get: (own, name) => Reflect.get(name in own ? own : anyParams, name) as unknown
			})
	);

describe.each(Object.entries(ERRORS))('the error %s', (code, { status, message }) => {
	test('has a code of area and words', () => {
		expect(code).toMatch(/^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/);
	});

	test('has a status that says a failure', () => {
		expect(Number.isInteger(status) && status >= 400 && status <= 599).toBe(true);
	});

	test('is a whole sentence with all its params', () => {
		for (const params of paramsOf(code)) {
			// A message that is only its param renders the param itself.
			const text = String((message as (given: object) => unknown)(params));
			expect(text).toMatch(/\S/);
			expect(text).not.toMatch(/undefined|null|NaN|\[object/);
		}
	});
});

test('a text of a daemon cannot reverse the sentence that quotes it', () => {
	const call = { daemon: 'ALPHA', method: 'getinfo', delivery: 'delivered' } as const;
	const foreign = 'x\u202ey';
	const difference = { what: 'chain', found: foreign, configured: 'ALPHA' } as const;
	const fault = { kind: 'result', place: `Unrecognized key: "${foreign}"` } as const;
	const sentences = [
		ERRORS['daemon.rpc-error'].message({ ...call, rpcMessage: foreign }),
		ERRORS['daemon.warming-up'].message({ ...call, rpcMessage: foreign }),
		ERRORS['daemon.wrong-chain'].message({ ...call, difference }),
		ERRORS['daemon.validation-mismatch'].message({ ...call, fault })
	];
	for (const sentence of sentences) {
		expect(sentence).toContain('x‹U+202E›y');
		expect(sentence).not.toContain('\u202e');
	}
});
