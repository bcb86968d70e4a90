import { expect, it } from 'vitest';
import { concerns, type LiveMessage } from './liveRules.ts';

const block: LiveMessage = { type: 'block', chain: 'ALPHA' };
const notarization: LiveMessage = { type: 'notarization', chain: 'KMD', symbol: 'ALPHA' };
const step: LiveMessage = { type: 'migration', id: 'a1' };
const told = (route: string | null, params: Record<string, string> = {}) =>
	[block, notarization, step, { type: 'reset' } as const].map((message) =>
		concerns({ route, params }, message)
	);

it('tells a page of a chain what happens on the chain and about it', () => {
	expect(told('/chains/[chain]/blocks', { chain: 'ALPHA' })).toEqual([true, true, false, true]);
	expect(told('/chains/[chain]', { chain: 'KMD' })).toEqual([false, true, false, true]);
	expect(told('/chains/[chain]', { chain: 'BETA' })).toEqual([false, false, false, true]);
});

it('tells the overview and lists of all chains everything', () => {
	expect(told('/')).toEqual([true, true, true, true]);
	expect(told('/burns')).toEqual([true, true, false, true]);
	expect(told('/transactions/[id]', { id: 'x' })).toEqual([true, true, false, true]);
	expect(told('/wallets/[id]', { id: 'x' })).toEqual([true, true, false, true]);
	expect(told('/wallets/[id]/send', { id: 'x' })).toEqual([false, false, false, false]);
});

it('tells a migration of its own steps, and their list of all', () => {
	expect(told('/migrations')).toEqual([false, false, true, true]);
	expect(told('/migrations/[id]', { id: 'a1' })).toEqual([false, false, true, true]);
	expect(told('/migrations/[id]', { id: 'b2' })).toEqual([false, false, false, true]);
});

it('tells the backup room of what is published, and leaves an approval that is under way alone', () => {
	const published: LiveMessage = { type: 'published' };
	const hears = (route: string): boolean => concerns({ route, params: { txid: 'ab' } }, published);
	expect([hears('/notary-approvals'), hears('/notary-approvals/[txid]')]).toEqual([true, true]);
	for (const other of [
		'/notary-approvals/[txid]/approve',
		'/',
		'/chains/[chain]',
		'/migrations',
		'/kdf'
	]) {
		expect(hears(other), other).toBe(false);
	}
	expect(told('/notary-approvals')).toEqual([false, false, false, true]);
});

it('tells an activation of its own steps, the list of coins of all, and nobody else', () => {
	const moved = { type: 'activation', id: 'a1' } as const;
	const hears = (route: string, params: Record<string, string> = {}): boolean[] =>
		[moved, { type: 'reset' } as const, block, step].map((message) =>
			concerns({ route, params }, message)
		);
	expect(hears('/kdf')).toEqual([true, true, false, false]);
	expect(hears('/kdf/tasks/[id]', { id: 'a1' })).toEqual([true, true, false, false]);
	expect(hears('/kdf/tasks/[id]', { id: 'b2' })).toEqual([false, true, false, false]);
	for (const form of ['/kdf/[coin]', '/kdf/sign', '/kdf/servers', '/kdf/verify']) {
		expect(hears(form)).toEqual([false, false, false, false]);
	}
	for (const other of ['/', '/chains/[chain]', '/burns', '/migrations', '/notary-approvals']) {
		expect(concerns({ route: other, params: {} }, moved)).toBe(false);
	}
});

it('leaves forms alone', () => {
	for (const route of [
		...[
			'/chains/[chain]/token/[tokenid]/transfer',
			'/chains/[chain]/tokens/new',
			'/migrations/new'
		],
		...['/chains/[chain]/self-import', '/login', '/account', '/decode', null]
	]) {
		expect(told(route, { chain: 'ALPHA' })).toEqual([false, false, false, false]);
	}
});

it('tells pages that list what waits for members when that is another number', () => {
	const team: LiveMessage = { type: 'team' };
	const hears = (route: string): boolean => concerns({ route, params: { id: 'x' } }, team);
	expect(
		[
			...['/', '/transactions', '/approvals', '/approvals/[id]'],
			...['/admin/members', '/admin/policies']
		].map(hears)
	).not.toContain(false);
	expect(
		['/migrations', '/admin/members/[id]', '/account', '/wallets/[id]/send'].map(hears)
	).not.toContain(true);
});

it('tells pages that show daemons when one goes away, and no form', () => {
	const frame: LiveMessage = { type: 'frame' };
	const hears = (route: string): boolean => concerns({ route, params: { chain: 'BETA' } }, frame);
	expect(['/', '/daemons', '/daemons/[id]', '/chains/[chain]'].map(hears)).not.toContain(false);
	expect(['/chains/[chain]/tokens/new', '/account', '/migrations/new'].map(hears)).not.toContain(
		true
	);
});
