import { expect, test } from 'vitest';
import { AppError } from '../errors/appError.ts';
import { createLog } from './log.ts';

test('credentials do not reach the log', () => {
	const lines: string[] = [];
	const log = createLog({ write: (line: string) => lines.push(line) });
	const cause = new Error('connect to http://user:canary-1@127.0.0.1:7771/ failed');
	const error = Object.assign(new Error('no answer', { cause }), {
		code: 'unreachable',
		request: { headers: { authorization: 'Basic canary-2' } }
	});
	log.error({ err: error, password: 'canary-3', request: { cookie: 'canary-4' } }, 'failed');
	log.info({ a: { b: { token: 'canary-5' } } }, 'done');
	const text = lines.join('');
	expect(text).not.toContain('canary');
	expect(text).toContain('unreachable');
	expect(text).toContain('http://***@127.0.0.1:7771/');
	expect(text).toContain('[redacted]');
});

test('what a text holds stays within its line and drives no terminal', () => {
	const lines: string[] = [];
	const log = createLog({ write: (line: string) => lines.push(line) });
	const name = 'x\r\n{"level":50,"msg":"forged"}\u001b[2J\u009b1m\u2028\u202emoc\u007f\u0000';
	log.warn({ name, [name]: 1, err: new Error(name) }, name);
	expect(lines).toHaveLength(1);
	const [line = ''] = lines;
	expect(line.indexOf('\n')).toBe(line.length - 1);
	// eslint-disable-next-line no-control-regex
	expect(line.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
	expect(JSON.parse(line)).toMatchObject({ level: 40, msg: name, name, err: { message: name } });
});

test('credentials in running text do not reach the log, and what is left is JSON', () => {
	const lines: string[] = [];
	const log = createLog({ write: (line: string) => lines.push(line) });
	const said = [
		'Authorization: Basic Y2FuYXJ5OmNhbmFyeQ==',
		'bearer canary-canary-canary',
		'kdk_canarycanarycanarycanary',
		'/join?token=canary-canary-canary-1',
		'komodeck_session=canarycanarycanarycan; a=b',
		'rpcpassword=canary\n',
		'{"password":"canary\\"canary"}',
		'postgres://komodeck:canary@db/x',
		`5${'Canary'.padEnd(50, 'J')}`
	];
	for (const text of said) {
		log.info(text);
		if (!text.includes('\\')) log.info({ text, nested: { deep: [text] } });
		log.error({ err: new Error(text) }, 'failed');
	}
	expect(lines.join('')).not.toMatch(/canary/i);
	expect(lines.join('')).not.toContain('Y2FuYXJ5');
	for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
});

test('the end of a txid is taken for no private key', () => {
	const lines: string[] = [];
	const log = createLog({ write: (line: string) => lines.push(line) });
	const txids = [51, 52].map((length) =>
		`${'78e6'.repeat(4).slice(0, 63 - length)}0`.padEnd(64, '73c2')
	);
	for (const txid of txids) {
		expect(txid).toHaveLength(64);
		log.info({ txid }, `sent ${txid}, ${txid.toUpperCase()}`);
	}
	const text = lines.join('');
	for (const txid of txids) {
		expect(text).toContain(`"txid":"${txid}"`);
		expect(text).toContain(`sent ${txid}, ${txid.toUpperCase()}`);
	}
});

test('a daemon that does not answer is one line without a stack, and a fault of the code keeps its own', () => {
	const lines: string[] = [];
	const log = createLog({ write: (line: string) => lines.push(line) });
	const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
	const err = new AppError('indexer.no-answer', { chain: 'ALPHA', method: 'getblock' }, { cause });
	log.warn({ err }, 'waits');
	log.error({ err: new TypeError('no function') }, 'failed');
	const [offline, fault] = lines.map((line) => JSON.parse(line) as { err: object });
	expect(offline!.err).toStrictEqual({
		type: 'AppError',
		code: 'indexer.no-answer',
		message: 'ALPHA did not answer getblock.',
		cause: { type: 'Error', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' }
	});
	expect(fault!.err).toHaveProperty('stack');
});

test(
	'the longest text of others is logged at once, whatever it repeats',
	{ timeout: 5_000 },
	() => {
		const lines: string[] = [];
		const log = createLog({ write: (line: string) => lines.push(line) });
		const parts = [
			'a',
			'__',
			'a://',
			'5',
			'"',
			'\\"',
			'password ',
			'password: ',
			'bearer ',
			'token='
		];
		for (const part of parts) {
			const text = part.repeat(Math.ceil((256 * 1024) / part.length));
			log.error({ err: new Error(text) }, text);
		}
		expect(lines).toHaveLength(parts.length);
		log.info('see (postgres://ada:canary@db/x)');
		expect(lines.at(-1)).toContain('see (postgres://***@db/x)');
	}
);
