import { expect, test } from 'vitest';
import { balancesOf, heldByDraft, statusOfUtxos } from './balances.ts';
import type { WalletUtxo } from './readWallet.ts';
import { utxoPage, utxoQuery, utxosCsv } from './utxoList.ts';

const utxo = (vout: number, amount: bigint, more: Partial<WalletUtxo> = {}): WalletUtxo => ({
	txid: 'ab'.repeat(32),
	vout,
	amount,
	address: 'R',
	confirmations: 5,
	generated: false,
	interest: null,
	spendable: true,
	...more
});
const held = (vout: number, id: string, until: number) => ({
	txid: 'ab'.repeat(32),
	vout,
	holder: { kind: 'send' as const, id },
	until
});

const rows = statusOfUtxos(
	[
		utxo(0, 10n),
		utxo(1, 20n),
		utxo(2, 40n),
		utxo(3, 80n, { confirmations: 0 }),
		utxo(4, 160n, { spendable: false })
	],
	[held(1, 'a', 2_000), held(2, 'b', 1_000)]
);

test('each part of a balance counts what it says and nothing twice', () => {
	expect(balancesOf(rows)).toEqual({ confirmed: 70n, available: 10n, locked: 60n, pending: 80n });
});

test('the drafts that keep outputs are told with the one that ends first at the top', () => {
	expect(heldByDraft(rows)).toEqual([
		{ holder: { kind: 'send', id: 'b' }, until: 1_000, count: 1, amount: 40n },
		{ holder: { kind: 'send', id: 'a' }, until: 2_000, count: 1, amount: 20n }
	]);
});

test('the list is filtered and sorted by the address of its page, and nonsense there shows all of it', () => {
	const asked = (query: string) =>
		utxoPage(rows, utxoQuery(new URLSearchParams(query)), '/f', 2).rows.map(({ vout }) => vout);
	expect(asked('')).toEqual([4, 3]);
	expect(asked('cursor=2')).toEqual([2, 1]);
	expect(asked('cursor=99')).toEqual([4, 3]);
	expect(asked('cursor=-1&sort=x&state=y')).toEqual([4, 3]);
	expect(asked('state=locked&sort=amount')).toEqual([1, 2]);
});

test('the file says of each output where it stands and until when it is locked', () => {
	const [head, , second] = utxosCsv(rows).split('\r\n');
	expect(head).toBe('txid,vout,amount,address,confirmations,state,locked until');
	expect(second).toBe(`${'ab'.repeat(32)},1,0.00000020,R,5,locked,1970-01-01T00:00:02.000Z`);
});
