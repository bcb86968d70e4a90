/** Lists whose pages are not all full, and their exports. */
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { seqOf } from '#lib/server/chains/indexer/tables.ts';
import { listPage } from '#lib/server/chains/explorer/listPage.ts';
import { listAnswer } from '#lib/server/api/listAnswer.ts';
import { blocks } from '#lib/server/chains/lists/blocks.ts';
import { exportList } from '#lib/server/chains/lists/exportList.ts';
import { utxos } from '#lib/server/chains/lists/utxos.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { shared } from '../../support/shared.ts';
import { indexedChain } from '../../support/indexedChain.ts';

const ADDRESS = addressOfPubkey(
	`02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`
);
/** More rows than a page goes through. */
const SPENT = 4_500;

describeOnBothDatabases('a long list', (database) => {
	const index = shared(() => openIndex(database.options));

	it('ends in a file, and is whole, where an address has spent all but its oldest output', async () => {
		const chain = indexedChain({ height: SPENT, target_height: SPENT });
		await index.insertInto('ix_chains').values(chain).execute();
		const heights = Array.from({ length: SPENT + 1 }, (_, height) => height);
		const txid = (height: number): Buffer => {
			const bytes = Buffer.alloc(32);
			bytes.writeUInt32BE(height);
			return bytes;
		};
		for (let at = 0; at < heights.length; at += 500) {
			const part = heights.slice(at, at + 500).map((height) => ({
				chain: 1n,
				seq: seqOf(height, 0),
				height
			}));
			await index
				.insertInto('ix_txs')
				.values(
					part.map(({ height, ...of }) => ({
						...of,
						txid: txid(height),
						kind: 'transfer' as const,
						size: 100n,
						inputs: 1n,
						outputs: 1n,
						value: 5n,
						fee: 0n
					}))
				)
				.execute();
			await index
				.insertInto('ix_address_txs')
				.values(
					part.map(({ height: _height, ...of }) => ({
						...of,
						address: ADDRESS,
						received: 5n,
						sent: 5n
					}))
				)
				.execute();
			await index
				.insertInto('ix_outputs')
				.values(
					part.map(({ height, ...of }) => ({
						...of,
						n: 0n,
						value: 5n,
						type: 'pubkeyhash',
						address: ADDRESS,
						token: null,
						holder: null,
						...(height === 0
							? { spent_seq: null, spent_n: null }
							: { spent_seq: seqOf(height + 1, 0), spent_n: 0n })
					}))
				)
				.execute();
		}
		const fileOf = async (form: 'csv' | 'json'): Promise<string> => {
			const url = new URL(
				`http://localhost/api/v1/chains/ALPHA/address-utxos.${form}?address=${ADDRESS}`
			);
			const answer = await listAnswer({
				index,
				chains: ['ALPHA'],
				request: new Request(url),
				url,
				requestId: 'a test',
				file: `address-utxos.${form}`,
				chain: 'ALPHA'
			});
			return answer.text();
		};
		const id = txid(0).toString('hex');
		expect(JSON.parse(await fileOf('json'))).toMatchObject([{ txid: id, height: 0 }]);
		expect((await fileOf('csv')).split('\r\n')).toEqual([
			'txid,vout,height,value,script',
			`${id},0,0,0.00000005,pubkeyhash`,
			''
		]);
	});

	it('leads back over pages on which no output is unspent', async () => {
		const read = (place: Record<string, string> = {}) =>
			listPage(index, utxos, new URLSearchParams({ address: ADDRESS, ...place }), {
				chain: 'ALPHA'
			});
		let page = await read();
		while (page.next !== null) page = await read({ cursor: page.next });
		expect(page.rows).toHaveLength(1);
		page = await read({ before: page.previous! });
		expect(page).toMatchObject({ rows: [], further: true });
		expect(page.previous).not.toBeNull();
		expect(page.next).not.toBeNull();
	});

	it('is whole in a file, as its pages are, where these end early because of long texts', async () => {
		await index
			.insertInto('ix_chains')
			.values(indexedChain({ id: 2, name: 'BETA' }))
			.execute();
		const count = 100;
		const description = '\u0001'.repeat(9_000);
		for (let n = 0; n < count; n += 1) {
			await index
				.insertInto('ix_tokens')
				.values({
					chain: 2n,
					seq: BigInt(n),
					tokenid: Buffer.alloc(32, n),
					name: 'long',
					name_key: 'long',
					description,
					owner: '',
					supply: 1n,
					nft_code: null,
					nft_data: null,
					origin_chain: null,
					origin_tokenid: null,
					created_at: 0n,
					transfers: 0n,
					holders: 1n,
					burned: 0n
				})
				.execute();
		}
		interface Body {
			rows: { tokenid: string; description: string }[];
			next: string | null;
			previous: string | null;
		}
		const ask = async (file: string, query: string): Promise<string> => {
			const url = new URL(`http://localhost/api/v1/chains/BETA/${file}${query}`);
			const answer = await listAnswer({
				index,
				chains: ['BETA'],
				request: new Request(url),
				url,
				requestId: 'a test',
				file,
				chain: 'BETA'
			});
			return answer.text();
		};
		const page = async (query: string): Promise<Body> => {
			const text = await ask('tokens', `?limit=1000&sort=created${query}`);
			expect(text.length).toBeLessThan(1_200_000);
			return JSON.parse(text) as Body;
		};
		const ids = (rows: Body['rows']): string[] => rows.map(({ tokenid }) => tokenid);
		let body = await page('');
		const forward = ids(body.rows);
		while (body.next !== null) {
			body = await page(`&cursor=${body.next}`);
			forward.push(...ids(body.rows));
		}
		const all = Array.from({ length: count }, (_, n) => Buffer.alloc(32, n).toString('hex'));
		expect(forward).toEqual(all);
		const back = ids(body.rows);
		while (body.previous !== null) {
			body = await page(`&before=${body.previous}`);
			back.unshift(...ids(body.rows));
		}
		expect(back).toEqual(all);
		const file = JSON.parse(await ask('tokens.json', '?sort=created')) as Body['rows'];
		expect(ids(file)).toEqual(all);
		expect(file.at(-1)!.description).toBe(description);
	});
});

it('many files at once leave turns to other requests between their chunks', async () => {
	let reads = 0;
	const counted = {
		...blocks,
		read: () => Promise.resolve({ rows: [], next: ++reads < 400 ? 'more' : null, previous: null })
	};
	const query = { chain: 'ALPHA', filter: {}, sort: '-height', limit: 10 };
	const files = Array.from({ length: 20 }, async () => {
		const answer = await exportList(null, counted, query, 'export', null);
		return answer.text();
	});
	let most = 0;
	while (reads < 400) {
		const before = reads;
		await eventLoopTurn();
		most = Math.max(most, reads - before);
	}
	expect(most).toBeLessThanOrEqual(4);
	for (const file of await Promise.all(files)) expect(JSON.parse(file)).toEqual([]);
});
