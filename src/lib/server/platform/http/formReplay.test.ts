import { expect, test } from 'vitest';
import { replayFormOf, formReplay, withFormReplay } from './formReplay.ts';

const HERE = 'http://localhost:3000';
const none = (): boolean => false;

function form(...fields: [string, string | Blob][]): FormData {
	const data = new FormData();
	for (const [name, value] of fields) data.append(name, value);
	return data;
}

test('a form is kept whole, in its order, with line ends and names that stand there twice', () => {
	const fields: [string, string][] = [
		['recipient', 'one\r\ntwo'],
		['amount', '1,5'],
		['recipient', '']
	];
	const at = new URL('/chains/KMD/tokens/new?/review', HERE);
	expect(formReplay(at, form(...fields), none)).toEqual({
		action: '/chains/KMD/tokens/new?/review',
		fields
	});
});

test('neither secrets nor files nor too much go back into a page', () => {
	const at = new URL('/account?/password', HERE);
	const secrets = ['password', 'confirm-password', 'current', 'repeat', 'pin', 'p.passphrase'];
	secrets.push('p.privkey', 'p.privatekeys', 'private_key', 'seed_phrase', 'p.user_action');
	for (const name of secrets) {
		expect(formReplay(at, form(['name', 'ada'], [name, 'x']), none), name).toBe(null);
		expect(formReplay(at, form(['name', 'ada'], [name, '']), none), name).not.toBe(null);
	}
	expect(formReplay(at, form(['file', new Blob(['x'])]), none)).toBe(null);
	expect(formReplay(at, form(['text', 'x'.repeat(200_000)]), none)).toBe(null);
	expect(formReplay(at, form(), none)?.fields).toEqual([]);
});

test('a field whose page says that it may contain a secret does not go back into a page', () => {
	const at = new URL('/console/importprivkey', HERE);
	const isKey = (name: string): boolean => name === 'p.key';
	expect(formReplay(at, form(['p.key', 'x']), isKey)).toBe(null);
	expect(formReplay(at, form(['p.key', ''], ['p.label', 'x']), isKey)?.fields).toHaveLength(2);
});

test('a form is kept although a field has a secret in the middle of its name', () => {
	const at = new URL('/kdf/servers?/add', HERE);
	const names = ['private', 'p.priv_key_policy', 'confirmations:WIFI', 'confirmations:SEED'];
	for (const name of names) {
		expect(formReplay(at, form([name, 'x']), none)?.fields, name).toEqual([[name, 'x']]);
	}
});

test('a form is sent to this server and nowhere else', () => {
	expect(formReplay(new URL('//evil.example/x', HERE), form(['a', 'b']), none)?.action).toBe('/x');
	const odd = new URL(HERE);
	odd.pathname = '//evil.example/x';
	expect(formReplay(odd, form(['a', 'b']), none)).toBe(null);
});

test('a form is there while its page is made, for who has the key', async () => {
	const kept = { action: '/x', fields: [['a', 'b']] } as const;
	let key = '';
	await withFormReplay(kept, async (own) => {
		key = own;
		expect(replayFormOf(own)).toBe(kept);
		expect(replayFormOf(null)).toBe(null);
		return Promise.resolve();
	});
	expect(replayFormOf(key)).toBe(null);
});
