import { expect, test } from 'vitest';
import { keptBehind, formReplay, withFormReplay } from './formReplay.ts';

const HERE = 'http://localhost:3000';

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
	expect(formReplay(new URL('/chains/KMD/tokens/new?/review', HERE), form(...fields))).toEqual({
		action: '/chains/KMD/tokens/new?/review',
		fields
	});
});

test('neither secrets nor files nor too much go back into a page', () => {
	const at = new URL('/account?/password', HERE);
	for (const name of ['password', 'current', 'repeat', 'pin', 'p.passphrase', 'p.privkey']) {
		expect(formReplay(at, form(['name', 'ada'], [name, 'x'])), name).toBe(null);
	}
	expect(formReplay(at, form(['file', new Blob(['x'])]))).toBe(null);
	expect(formReplay(at, form(['text', 'x'.repeat(200_000)]))).toBe(null);
	expect(formReplay(at, form())?.fields).toEqual([]);
});

test('a form is sent to this server and nowhere else', () => {
	expect(formReplay(new URL('//evil.example/x', HERE), form(['a', 'b']))?.action).toBe('/x');
	const odd = new URL(HERE);
	odd.pathname = '//evil.example/x';
	expect(formReplay(odd, form(['a', 'b']))).toBe(null);
});

test('a form is there while its page is made, for who has the key', async () => {
	const kept = { action: '/x', fields: [['a', 'b']] } as const;
	let key = '';
	await withFormReplay(kept, async (own) => {
		key = own;
		expect(keptBehind(own)).toBe(kept);
		expect(keptBehind(null)).toBe(null);
		return Promise.resolve();
	});
	expect(keptBehind(key)).toBe(null);
});
