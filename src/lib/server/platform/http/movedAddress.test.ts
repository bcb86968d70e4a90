import { expect, test } from 'vitest';
import { movedAddress, MOVED_ADDRESSES, movedChainPage } from './movedAddress.ts';

const isChain = (name: string): boolean => ['ALPHA', 'book', 'A B', 'chain'].includes(name);
const moved = (path: string): string | null => movedAddress(path, isChain);

test('every row of the table leads from the address of before to the one of now', () => {
	const filled = (address: string): string => address.replaceAll(/\[(\w+)\]/g, '$1');
	for (const [before, now] of MOVED_ADDRESSES) expect(moved(filled(before))).toBe(filled(now));
});

test.each([
	['/ALPHA', '/chains/ALPHA'],
	['/ALPHA/tx/ab', '/chains/ALPHA/tx/ab'],
	['/ALPHA/merge', '/chains/ALPHA/consolidate'],
	['/ALPHA/token/ab/transfer', '/chains/ALPHA/token/ab/transfer'],
	['/ALPHA/token/ab/transfer/many/7', '/chains/ALPHA/token/ab/batch-transfer/7'],
	['/A%20B/blocks', '/chains/A%20B/blocks'],
	['/backup/ab/approve', '/notary-approvals/ab/approve'],
	['/api/backup.json', '/api/notary-approvals.json'],
	['/api/v1/crossings.csv', '/api/v1/transfers.csv'],
	['/trading/tasks/1/addresses.csv', '/kdf/tasks/1/addresses.csv'],
	['/migrations/7/capsule.json', '/migrations/7/recovery.json'],
	['/sends/', '/transactions/']
])('%s moved to %s', (before, now) => {
	expect(moved(before)).toBe(now);
});

test.each([
	['/chains', '/'],
	['/chains/', '/'],
	['/admin', '/admin/members'],
	['/chains/ALPHA/block', '/chains/ALPHA/blocks'],
	['/chains/A%20B/tx/', '/chains/A%20B/transactions'],
	['/chains/ALPHA/token', '/chains/ALPHA/tokens'],
	['/chains/ALPHA/address', '/chains/ALPHA/addresses'],
	['/kdf/tasks', '/kdf']
])('%s, cut short, leads to %s', (short, list) => {
	expect(moved(short)).toBe(list);
});

test('a page of the application keeps its address where a chain has the same name', () => {
	expect(moved('/book')).toBe('/address-book');
	expect(moved('/book/7')).toBe('/address-book/7');
});

test.each([
	'/',
	'/chains/ALPHA/blocks',
	'/chains/ALPHA/block/7',
	'/chains/block',
	'/admin/audit',
	'/alpha',
	'/NOSUCH/blocks',
	'/%ff/blocks',
	'/bookings',
	'/migrations/new',
	'/migrations/opened',
	'/transactions/7',
	'//ALPHA',
	'//evil.example/ALPHA',
	'/\\evil.example'
])('%s has not moved', (path) => {
	expect(moved(path)).toBeNull();
});

test('no path leads to another host', () => {
	for (const path of ['/ALPHA//evil.example', '/ALPHA/\\evil.example', '/sends//evil.example']) {
		const to = new URL(moved(path)!, 'http://here.invalid');
		expect(to.host).toBe('here.invalid');
	}
});

test('a page of a chain is found again by whoever may read, when the chain is configured', () => {
	const chains = ['ALPHA'];
	expect(movedChainPage('/ALPHA/blocks', chains, true)).toEqual({ to: '/chains/ALPHA/blocks' });
	expect(movedChainPage('/NOSUCH/blocks', chains, true)).toBeNull();
});

test('whoever may not read gets one answer for the names of all chains, configured or not', () => {
	for (const path of ['/ALPHA/blocks', '/NOSUCH/blocks', '/NOSUCH']) {
		expect(movedChainPage(path, ['ALPHA'], false)).toBe('sign-in');
	}
});
