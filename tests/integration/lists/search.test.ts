import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { computing } from '../../support/computing.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { insertRows, type IndexTrx } from '#lib/server/chains/indexer/bulk.ts';
import { insertNames } from '#lib/server/chains/indexer/names.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { seqOf } from '#lib/server/chains/indexer/tables.ts';
import { foldName } from '#lib/server/chains/indexer/fold.ts';
import { behindChains, search, type SearchHit } from '#lib/server/chains/lists/search.ts';
import { distance } from '#lib/server/chains/lists/searchNames.ts';
import { hashRange } from '#lib/server/chains/lists/searchText.ts';
import { shared } from '../../support/shared.ts';
import { indexedChain } from '../../support/indexedChain.ts';

const KEY = '03e6191c70c9c9a28f9fd87089b9488d0e6c02fb629df64979c9cdb6b2b4a68d95';
const ADDRESS = addressOfPubkey(KEY);
const NAMES = [
	'Golden Dragon',
	'Treasury of Komodo',
	'Café Crème',
	'\u202eTreasure\u0000 chest',
	'Token 123456',
	'🦖🦖',
	'deadbeef',
	'Zeitgeist certificates',
	'DEED-17',
	'PHARAOGOLD',
	// The first digits of its own id.
	'030aab'
];
const id = (kind: number, n: number): Uint8Array =>
	Buffer.concat([Buffer.from([kind, n, 0xab]), Buffer.alloc(29, n)]);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const BLOCK = id(1, 1);
const TXID = id(2, 2);

describe('a hash prefix', () => {
	it('is a range of bytes, for any number of digits', () => {
		expect(hex(hashRange('abcdef1').from)).toBe('abcdef1'.padEnd(64, '0'));
		expect(hex(hashRange('abcdef1').to!)).toBe('abcdef2'.padEnd(64, '0'));
		expect(hex(hashRange('00ffffff').to!)).toBe('01'.padEnd(64, '0'));
		expect(hashRange('ffffff').to).toBeNull();
	});
});

it('counts the letters between two words, swapped neighbours as one', () => {
	expect(distance('dragon', 'dragon')).toBe(0);
	expect(distance('dragon', 'dargon')).toBe(1);
	expect(distance('dragon', 'dragn')).toBe(1);
	expect(distance('kitten', 'sitting')).toBe(3);
	expect(distance('', 'abc')).toBe(3);
});

describeOnBothDatabases('a search in the index', (database) => {
	const within = (write: (trx: IndexTrx) => Promise<void>) =>
		index.transaction().execute((trx) => write({ trx, dialect: index.dialect }));

	async function addChain(chain: bigint, name: string, state: string): Promise<void> {
		await index
			.insertInto('ix_chains')
			.values(indexedChain({ id: chain, name, height: 100, target_height: 100, state }))
			.execute();
	}

	const addTokens = (trx: IndexTrx, chain: bigint, names: readonly string[], from: number) =>
		insertRows(
			trx,
			'ix_tokens',
			[
				...['chain', 'seq', 'tokenid', 'name', 'name_key', 'description', 'owner', 'supply'],
				...['created_at', 'transfers', 'holders', 'burned']
			],
			names.map((name, at) => [
				...[chain, seqOf(from, at), from === 1 ? id(3, at) : randomBytes(32)],
				...[name.replaceAll('\0', ''), foldName(name), '', KEY, 5, 0, 0, 1, 0]
			])
		).then(() =>
			insertNames(
				trx,
				names.map((name, at) => ({ chain, seq: seqOf(from, at), name }))
			)
		);

	const index = shared(() => openIndex(database.options));
	beforeAll(async () => {
		await addChain(1n, 'ALPHA', 'current');
		await addChain(2n, 'BETA', 'behind');
		await within(async (trx) => {
			await insertRows(
				trx,
				'ix_blocks',
				['chain', 'height', 'hash', 'time', 'size', 'txs'],
				[
					[1, 7, BLOCK, 1, 1, 1],
					[2, 7, id(1, 2), 1, 1, 1]
				]
			);
			await insertRows(
				trx,
				'ix_txs',
				['chain', 'seq', 'txid', 'kind', 'size', 'inputs', 'outputs', 'value'],
				[
					[1, seqOf(7, 0), TXID, 'burn', 1, 1, 1, 1],
					[2, seqOf(9, 0), TXID, 'transfer', 1, 1, 1, 1]
				]
			);
			await addTokens(trx, 1n, NAMES, 1);
			await insertRows(
				trx,
				'ix_addresses',
				['chain', 'address', 'balance', 'received', 'txs'],
				[
					[1, ADDRESS, 1, 1, 3],
					[2, ADDRESS, 0, 1, 1]
				]
			);
			await insertRows(
				trx,
				'ix_holders',
				['chain', 'token', 'holder', 'units'],
				[
					[1, seqOf(1, 0), KEY, 5],
					[1, seqOf(1, 1), KEY, 0]
				]
			);
		});
	});

	const find = async (text: string): Promise<SearchHit[]> =>
		(await search(index, text, { limit: 10, configured: ['ALPHA', 'BETA'] })).hits;
	const words = async (text: string) => (await find(text)).map((hit) => hit.words);

	it.each([
		['deed17', 'DEED-17'],
		['deed 17', 'DEED-17'],
		['goldendragon', 'Golden Dragon'],
		['PHARAO-GOLD', 'PHARAOGOLD'],
		['pharoagold', 'PHARAOGOLD'],
		['FARAOGOLD', 'PHARAOGOLD']
	])('finds a token by other separators, a typing error or by ear: %s', async (text, name) => {
		expect(await words(text)).toContain(`Token “${name}”`);
	});

	it('finds no token by a number that is another one', async () => {
		expect(await words('deed18')).not.toContain('Token “DEED-17”');
	});

	it('finds a height on each chain that has reached it', async () => {
		expect(await find(' 7 ')).toEqual([
			expect.objectContaining({ chain: 'ALPHA', href: '/chains/ALPHA/block/7', exact: true }),
			expect.objectContaining({ chain: 'BETA', href: '/chains/BETA/block/7' })
		]);
		expect(await find('8')).toEqual([]);
	});

	it('finds the same hash on all chains', async () => {
		expect(await find(hex(TXID).toUpperCase())).toEqual([
			expect.objectContaining({ chain: 'ALPHA', what: 'transaction', note: 'burn, block 7' }),
			expect.objectContaining({ chain: 'BETA', what: 'transaction', note: 'transfer, block 9' })
		]);
		expect(await words(hex(BLOCK))).toEqual(['Block 7']);
		expect(await words(hex(id(3, 1)))).toEqual(['Token “Treasury of Komodo”']);
	});

	it('finds the transaction of an output as lists of UTXOs write it, and a hash written with 0x', async () => {
		const whole = await find(hex(TXID));
		for (const text of [`${hex(TXID)}:0`, `0x${hex(TXID)}`]) {
			expect(await find(text)).toEqual(whole);
		}
	});

	it('finds hashes by six or more of their first digits', async () => {
		expect(await find(hex(BLOCK).slice(0, 6))).toEqual([
			expect.objectContaining({ href: `/chains/ALPHA/block/${hex(BLOCK)}`, exact: false })
		]);
		expect(await find(hex(TXID).slice(0, 63))).toHaveLength(2);
		expect(await find(hex(BLOCK).slice(0, 5))).toEqual([]);
	});

	it('finds an address, whole or by its beginning, on each chain where it has a history', async () => {
		for (const text of [ADDRESS, ADDRESS.slice(0, 8)]) {
			expect((await find(text)).map(({ chain, note }) => [chain, note])).toEqual([
				['ALPHA', '3 transactions'],
				['BETA', '1 transaction']
			]);
		}
	});

	it('finds the address of a pubkey and the tokens that it holds now', async () => {
		expect((await find(KEY)).map(({ what, note }) => [what, note])).toEqual([
			['pubkey', '3 transactions'],
			['pubkey', '1 transaction'],
			['token', 'the key holds 5 base units']
		]);
	});

	it('finds a chain by the beginning of its name, whatever its case', async () => {
		expect(await words('alp')).toEqual(['Chain ALPHA']);
		expect((await find('beta'))[0]).toMatchObject({ href: '/chains/BETA', exact: true });
	});

	it('finds tokens by a name, by any word of it and by the beginning of a word', async () => {
		for (const text of ['golden dragon', 'Golden', 'dragon', 'drag', 'dragon golden']) {
			expect(await words(text)).toEqual(['Token “Golden Dragon”']);
			expect((await find(text))[0]?.exact).toBe(text === 'golden dragon');
		}
		expect(await words('cafe')).toEqual(['Token “Café Crème”']);
		expect(await words('🦖')).toEqual(['Token “🦖🦖”']);
		// Hex digits may be the start of a hash, and a name.
		expect(await words('deadbeef')).toEqual(['Token “deadbeef”']);
		expect(await words('030aab')).toEqual(['Token “030aab”']);
	});

	it('finds tokens by a name with typing errors, and says that it is not the same', async () => {
		for (const text of ['goldn', 'dragonn', 'drgaon', 'golden drahon', 'glden drgon']) {
			const hits = await find(text);
			expect(hits.map((hit) => hit.words)).toEqual(['Token “Golden Dragon”']);
			expect(hits[0]?.exact).toBe(false);
		}
		expect(await words('cretificates')).toEqual(['Token “Zeitgeist certificates”']);
		expect(await words('golden house')).toEqual([]);
		// Numbers are not checked for typing errors.
		expect(await words('token 123457')).toEqual([]);
	});

	it('answers texts that name nothing, however long or strange', async () => {
		for (const text of [
			'',
			'   ',
			'%',
			"'; drop table ix_tokens; --",
			'\u0000',
			'\u202e',
			'R',
			'0x'
		]) {
			expect(await find(text)).toEqual([]);
		}
		const took = await computing(async () => {
			expect(await find('golden '.repeat(1_500))).toEqual(await find('golden '.repeat(28)));
			expect(await find('x'.repeat(10_000))).toEqual([]);
		});
		expect(took).toBeLessThan(1_000);
	});

	it('fills its places with what is on chains that are still configured', async () => {
		const prefix = hex(TXID).slice(0, 8);
		for (const text of ['7', hex(TXID), prefix, ADDRESS, ADDRESS.slice(0, 8), KEY]) {
			const { hits } = await search(index, text, { limit: 1, configured: ['BETA'] });
			expect([text, hits.map(({ chain }) => chain)]).toEqual([text, ['BETA']]);
		}
		expect((await search(index, 'golden', { limit: 10, configured: ['BETA'] })).hits).toEqual([]);
		expect((await search(index, '7', { limit: 10, configured: [] })).hits).toEqual([]);
	});

	it('says of which chains the index lacks something', async () => {
		expect(await behindChains(index, ['ALPHA', 'BETA', 'GAMMA'])).toEqual(['BETA', 'GAMMA']);
	});

	it('reads few rows for a word that very many tokens share', async () => {
		const many = Array.from({ length: 20_000 }, (_, at) => `Common coin ${at}`);
		await within((trx) => addTokens(trx, 2n, many, 3));
		const took = await computing(async () => {
			expect(await words('common co')).toHaveLength(10);
			expect(await words('coin 19999')).toEqual(['Token “Common coin 19999”']);
			expect(await words('commn coin')).toHaveLength(10);
			expect(await words('comon coni 777')).toContain('Token “Common coin 777”');
		});
		expect(took).toBeLessThan(1_500);
		// After all others, on a chain that is configured while theirs no longer is.
		await within((trx) => addTokens(trx, 1n, ['Common coin of ours', 'Commnos'], 4));
		for (const [text, name] of [
			['common co', 'Common coin of ours'],
			['comon coin', 'Common coin of ours'],
			['commoncoin', 'Common coin of ours']
		]) {
			const { hits } = await search(index, text!, { limit: 10, configured: ['ALPHA'] });
			expect(hits.map((hit) => hit.words)).toContain(`Token “${name}”`);
		}
	});
});
