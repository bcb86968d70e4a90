import { expect, test } from 'vitest';
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
