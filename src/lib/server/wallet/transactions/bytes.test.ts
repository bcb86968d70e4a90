import { expect, test } from 'vitest';
import { VISITOR } from '../../access/identity/identity.ts';
import type { Role } from '../../access/identity/roles.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { mayReadBytes, statusOfBytes, type SignedBytes } from './bytes.ts';
import type { SendState } from './tables.ts';
import { bySession } from '../../../../../tests/support/members.ts';

const STATUS: Record<SendState, string> = {
	'needs-approval': 'unconfirmed',
	reviewed: 'unconfirmed',
	discarded: 'unconfirmed',
	broadcasting: 'confirmed',
	unknown: 'confirmed',
	rejected: 'confirmed',
	broadcast: 'public',
	confirmed: 'public'
};

test('bytes are public when the network has them, and unconfirmed before anybody confirmed them', () => {
	for (const [state, status] of Object.entries(STATUS)) {
		expect(statusOfBytes({ state: state as SendState }), state).toBe(status);
	}
});

test('what follows is confirmed with the transaction before it', () => {
	expect(statusOfBytes({ state: 'reviewed' }, { state: 'reviewed' })).toBe('unconfirmed');
	expect(statusOfBytes({ state: 'reviewed' }, { state: 'unknown' })).toBe('unconfirmed');
	expect(statusOfBytes({ state: 'reviewed' }, { state: 'confirmed' })).toBe('confirmed');
	expect(statusOfBytes({ state: 'discarded' }, { state: 'confirmed' })).toBe('unconfirmed');
});

const bytes = (status: SignedBytes['status']): SignedBytes => ({
	status,
	chain: 'ALPHA',
	daemon: 'ALPHA',
	access: 'broadcast'
});
const reader = (role: Role) => {
	const account = { id: 'a', name: 'olga', role };
	return { account, identity: bySession(account) };
};
const rights = (foreign: AppError<'wallet.not-granted'> | null, limited: boolean) => ({
	walletRefusal: () => Promise.resolve(foreign),
	isLimited: () => Promise.resolve(limited)
});

test('only those who may send confirmed bytes read them', async () => {
	const all = rights(null, false);
	expect(await mayReadBytes(all, reader('operator'), bytes('confirmed'))).toBe(true);
	expect(await mayReadBytes(all, reader('viewer'), bytes('confirmed'))).toBe(false);
	const visitor = { account: null, identity: VISITOR };
	expect(await mayReadBytes(all, visitor, bytes('confirmed'))).toBe(false);
	const approval = { ...bytes('confirmed'), access: 'notary' } as const;
	expect(await mayReadBytes(all, reader('operator'), approval)).toBe(false);
	expect(await mayReadBytes(rights(null, true), reader('admin'), bytes('confirmed'))).toBe(false);
	const foreign = rights(new AppError('wallet.not-granted', { daemon: 'ALPHA' }), false);
	expect(await mayReadBytes(foreign, reader('admin'), bytes('confirmed'))).toBe(false);
});

test('unconfirmed bytes are read by nobody and public ones by everybody', async () => {
	const all = rights(null, false);
	expect(await mayReadBytes(all, reader('admin'), bytes('unconfirmed'))).toBe(false);
	const none = rights(new AppError('wallet.not-granted', { daemon: 'ALPHA' }), true);
	expect(await mayReadBytes(none, reader('viewer'), bytes('public'))).toBe(true);
});
