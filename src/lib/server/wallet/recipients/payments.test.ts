import { expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import type { AddressBook } from '../address-book/addressBook.ts';
import { readPayments, type TypedPayments } from './payments.ts';

const BOB = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';
const CAROL = 'R9vME8mUyeranLhysQr1Yzpqj5taHW4Ubu';
const KEY = '030a502c64f237114abd8842c98fbfbbf55f33be4a5dff443ca1ea020432960944';

/** An address book that knows one address, one key and one token. */
const book: Pick<AddressBook, 'byLabel'> = {
	byLabel: (label) => {
		const kind = { Bob: 'address', Key: 'pubkey', Gold: 'token' }[label];
		const value = label === 'Bob' ? BOB : KEY;
		return Promise.resolve(
			kind === undefined
				? null
				: ({ kind, value, label } as Awaited<ReturnType<AddressBook['byLabel']>>)
		);
	}
};
const form = (more: Partial<TypedPayments> = {}): TypedPayments => ({
	recipient: BOB,
	amount: '1.5',
	more: '',
	rate: '',
	...more
});
const errorsOf = async (more: Partial<TypedPayments>): Promise<string[]> => {
	const read = await readPayments(book, form(more));
	return read.ok ? [] : Object.keys(read.errors);
};

test('recipients are addresses, public keys and labels, the further ones one on each line', async () => {
	const read = await readPayments(
		book,
		form({ recipient: 'Bob', more: `${CAROL} 0.25\nKey, max` })
	);
	expect(read).toEqual({
		ok: true,
		rate: 10_000n,
		payments: [
			{ address: BOB, amount: 150_000_000n },
			{ address: CAROL, amount: 25_000_000n },
			{ address: addressOfPubkey(KEY), amount: null }
		]
	});
});

test('a fee rate is taken within what nodes relay and no daemon calls absurd', async () => {
	expect(await readPayments(book, form({ rate: '0.000001' }))).toMatchObject({ rate: 100n });
	for (const rate of ['0', '0.00000099', '0.01000001', 'much']) {
		expect(await errorsOf({ rate }), rate).toEqual(['rate']);
	}
});

test('each wrong line is named with all that is wrong on it, the first ten at once', async () => {
	const lines = [
		'nobody,1',
		`${CAROL} 1`,
		'no one,1,000',
		...Array.from({ length: 10 }, () => 'x,y')
	];
	const read = await readPayments(book, form({ more: lines.join('\n') }));
	const said = (read.ok ? '' : read.errors.more!).split('\n');
	expect(said.map((line) => /^Line \d+/.exec(line)?.[0])).toEqual([
		...[1, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((line) => `Line ${line}`),
		undefined
	]);
	expect(said[0]).not.toMatch(/amount/i);
	expect(said[1]).toMatch(/address book.*amount/is);
	expect(said.at(-1)).toBe('2 more lines with errors.');
});

test.each([
	[{ recipient: '' }, ['recipient']],
	[{ recipient: 'Gold' }, ['recipient']],
	[{ recipient: 'Nobody' }, ['recipient']],
	[{ recipient: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' }, ['recipient']],
	[{ amount: '' }, ['amount']],
	[{ amount: '0' }, ['amount']],
	[{ amount: '0.00000999' }, ['amount']],
	[{ amount: '1,5' }, ['amount']],
	[{ recipient: 'x', amount: 'y' }, ['recipient', 'amount']],
	[{ more: CAROL }, ['more']],
	[{ more: `${CAROL} 1,000.5` }, ['more']],
	[{ more: `${BOB} 1` }, ['more']],
	[{ amount: 'max', more: `${CAROL} max` }, ['more']],
	[{ more: Array.from({ length: 100 }, () => `${CAROL} 1`).join('\n') }, ['more']]
])('the form %j is refused at the field that is wrong', async (more, fields) => {
	expect(await errorsOf(more)).toEqual(fields);
});
