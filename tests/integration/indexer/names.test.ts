import { expect, it } from 'vitest';
import { describeOnBothDatabases, describeOnPostgres } from '../../support/database.ts';
import {
	deletionsOf,
	insertNames,
	mayBeMisspelt,
	removeNames,
	wordsOf
} from '#lib/server/chains/indexer/names.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { locks } from '#lib/server/locks.ts';
import { shared } from '../../support/shared.ts';

it('takes a name apart into folded words, without marks that cannot be seen', () => {
	expect(wordsOf('  Café\u202e–Crème (Beta) café ')).toEqual(['cafe', 'creme', 'beta']);
	expect(wordsOf('\u202e\u0000')).toEqual([]);
	expect(wordsOf('🦖🦖 dino')).toEqual(['🦖🦖', 'dino']);
});

it('makes words equal that differ by one letter or by two swapped ones', () => {
	const share = (a: string, b: string) =>
		deletionsOf(a).some((key) => deletionsOf(b).includes(key));
	for (const other of ['tresury', 'treassury', 'traasury', 'tresaury', 'treasury']) {
		expect(share('treasury', other)).toBe(true);
	}
	expect(share('treasury', 'library')).toBe(false);
});

describeOnBothDatabases('the words of names', (database) => {
	const index = shared(() => openIndex(database.options));

	const stored = async () => ({
		words: await index.selectFrom('ix_name_words').selectAll().orderBy('word').execute(),
		typos: await index
			.selectFrom('ix_name_typos')
			.selectAll()
			.orderBy('key')
			.orderBy('word')
			.execute()
	});

	it('are as before when tokens are added and taken back', async () => {
		const { dialect } = index;
		const write = (change: typeof insertNames, names: readonly string[], from: bigint) =>
			index.transaction().execute((trx) =>
				change(
					{ trx, dialect },
					names.map((name, at) => ({ chain: 1n, seq: from + BigInt(at), name }))
				)
			);
		await write(insertNames, ['Golden Dragon', 'golden rule', 'Box 12345 of tea'], 10n);
		const before = await stored();
		// Numbers and short words have no misspellings.
		const misspelt = [...new Set(before.typos.map(({ word }) => word))].sort();
		expect(misspelt).toEqual(['dragon', 'golden', 'rule']);
		expect(['12345', 'box', 'größe1'].some(mayBeMisspelt)).toBe(false);
		expect(before.words).toHaveLength(8);
		const more = ['Golden Gate', 'silver dragon', 'silver', '', '\u202e'];
		await write(insertNames, more, 20n);
		expect((await stored()).words).toHaveLength(13);
		await write(removeNames, more, 20n);
		expect(await stored()).toEqual(before);
	});
});

describeOnPostgres('outputs of wallets', (database) => {
	const index = shared(() => openIndex(database.options));

	it('are locked for a draft while the index writes words', async () => {
		const { db } = database;
		await index.transaction().execute(async (trx) => {
			const named = { chain: 1n, seq: 1n, name: 'Golden Dragon' };
			await insertNames({ trx, dialect: index.dialect }, [named]);
			const locking = {
				dialect: db.dialect,
				chain: 'ALPHA',
				holder: { kind: 'send', id: 'd' } as const,
				utxos: [{ txid: 'ab'.repeat(32), vout: 0 }],
				until: 1,
				now: 0
			};
			// A statement waits up to five seconds for a lock.
			await db.transaction().execute((other) => locks.lock(other, locking));
		});
	});
});
