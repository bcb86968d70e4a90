import { expect, test } from 'vitest';
import { demandedAccess } from './demands.ts';

test('a call that can keep the workers of a daemon waiting is for admins', () => {
	expect(demandedAccess('getblocktemplate', [])).toBe('read');
	for (const request of ['null', '{}', '{"mode":"template","capabilities":["workid"]}']) {
		expect(demandedAccess('getblocktemplate', [request]), request).toBe('read');
	}
	for (const request of [
		'{"longpollid":"ab"}',
		' {"longp\\u006fllid":1}',
		'{"longpollid":1,"longpollid":null}',
		'{'
	]) {
		expect(demandedAccess('getblocktemplate', [request]), request).toBe('admin');
	}
});

test('a call that can end a daemon is for admins', () => {
	for (const depth of ['1', '"100"', '1000000']) {
		expect(demandedAccess('getlastsegidstakes', [depth]), depth).toBe('read');
	}
	for (const depth of ['0', '-0', '"0"', '0.0', 'null', '-1']) {
		expect(demandedAccess('getlastsegidstakes', [depth]), depth).toBe('admin');
	}
});

test('any other call requires what its method does', () => {
	expect(demandedAccess('getblock', ['"1"'])).toBe('read');
	expect(demandedAccess('sendtoaddress', [])).toBe('broadcast');
});
