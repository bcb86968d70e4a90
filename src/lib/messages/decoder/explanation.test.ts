import { expect, test } from 'vitest';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { explainHex } from '#lib/chain/explain.ts';
import { buildImport, parseImport } from '#lib/chain/importProof.ts';
import recorded from '#lib/chain/testdata/recorded.json' with { type: 'json' };
import vectors from '#lib/chain/testdata/vectors.json' with { type: 'json' };
import { parseTransaction, serializeTransaction } from '#lib/chain/transaction.ts';
import { explanationShown, type ShownPart } from './explanation.ts';

function shown(hex: string, ticker: string | null = null): ShownPart {
	const found = explainHex(hex);
	if ('code' in found) throw new Error(found.code);
	return explanationShown(found, ticker);
}

const parts = (part: ShownPart): ShownPart[] => [part, ...(part.children ?? []).flatMap(parts)];

test('every part of what was recorded has a name, and all of its words are filled in', () => {
	const all = [...recorded.transactions, ...recorded.blocks].map(({ hex }) => hex);
	for (const hex of [...all, ...recorded.proofs, ...recorded.payouts]) {
		for (const { label, value = '', meaning = '' } of parts(shown(hex))) {
			expect(label).toMatch(/^\S/);
			for (const text of [label, value, meaning]) {
				expect(text).not.toMatch(/undefined|\[object|NaN/);
			}
			expect(meaning).toMatch(/^$|[.C]$/);
		}
	}
});

test('what a transaction is for is said in one sentence', () => {
	const parsed = parseImport(parseTransaction(vectors.importComplete))!;
	const payouts = parsed.payouts.map((output) => ({ ...output, value: output.value + 1n }));
	const forged = buildImport(parsed.burnTx, payouts, parsed.proof);
	expect(
		[
			vectors.burn,
			vectors.importComplete,
			bytesToHex(serializeTransaction(forged)),
			vectors.selfImport,
			vectors.tokenCreation
		].map((hex) => shown(hex).meaning)
	).toEqual([
		'Burns 7.7701 CFEKHOUND for import on CFEKDRAGON (CCid 533). The import fee of 0.0001 CFEKHOUND is included.',
		'Imports 7.77 CFEKHOUND on CFEKDRAGON, proven through notarizations.',
		'Imports 7.77000001 CFEKHOUND on CFEKDRAGON, proven through notarizations. Its payouts are not those that the burn names: no chain accepts it.',
		'A self-import of 100\u202f000 coins.',
		'Creates the token TOK. The ID of this transaction is its token ID.'
	]);
});

test('coins have the ticker of their chain where it is known', () => {
	const [, , , change] = parts(shown(vectors.tokenCreation, 'TOKCHAIN')).filter(({ label }) =>
		/^Output \d/.test(label)
	);
	expect(change?.value).toMatch(/TOKCHAIN|^data$/);
	expect(shown(vectors.payouts, 'BETA').value).toBe('7.77000000 BETA');
});
