/** A transaction with more outputs than a page can show at once. */
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { insertRows } from '#lib/server/chains/indexer/bulk.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { seqOf } from '#lib/server/chains/indexer/tables.ts';
import { describeOnSqlite } from '../../support/database.ts';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { addPerson, authOver } from '../../support/members.ts';
import { launchProduct, type Product } from '../../support/product.ts';

const OUTPUTS = 100_000;
const TXID = 'ab'.repeat(32);
const ADDRESS = 'RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2';

describeOnSqlite('a transaction with very many outputs', (database) => {
	let net: Devnet;
	let product: Product;
	beforeAll(async () => {
		net = await startDevnet({ manual: true });
		product = await launchProduct({
			env: {
				KOMODECK_DATA: database.dataDir,
				KOMODO_HOME: net.dir,
				KOMODECK_PUBLIC: '1',
				KOMODECK_REQUESTS: '1000000'
			}
		});
		const index = await openIndex(database.options);
		const chain = await vi.waitFor(
			() =>
				index
					.selectFrom('ix_chains')
					.select('id')
					.where('name', '=', 'ALPHA')
					.where('height', '>', 5n)
					.executeTakeFirstOrThrow(),
			{ timeout: 30_000 }
		);
		const seq = seqOf(3, 9);
		await index.write(async (trx) => {
			await insertRows(
				trx,
				'ix_txs',
				['chain', 'seq', 'txid', 'kind', 'size', 'inputs', 'outputs', 'value', 'fee'],
				[[chain.id, seq, Buffer.from(TXID, 'hex'), 'transfer', 3_400_000, 0, OUTPUTS, OUTPUTS, 1]]
			);
			await insertRows(
				trx,
				'ix_address_txs',
				['chain', 'address', 'seq', 'received', 'sent'],
				[[chain.id, ADDRESS, seq, OUTPUTS, 0]]
			);
			await insertRows(
				trx,
				'ix_outputs',
				['chain', 'seq', 'n', 'value', 'type', 'address'],
				Array.from({ length: OUTPUTS }, (_, n) => [chain.id, seq, n, 1, 'pubkeyhash', ADDRESS])
			);
		});
		await index.close();
	});
	afterAll(async () => {
		await product.stop();
		await net.stop();
	});

	it('is told by the API some at a time, until all are', async () => {
		const read = async (query: string) => {
			const answer = await fetch(`${product.url}/api/v1/chains/ALPHA/tx/${TXID}${query}`);
			const text = await answer.text();
			expect(text.length).toBeLessThan(500_000);
			return { status: answer.status, body: JSON.parse(text) as Told };
		};
		interface Told {
			transaction: { outputs: number };
			outputs: unknown[];
			next: number | null;
			error?: { field: string };
		}
		let told = 0;
		for (let from: number | null = 0; from !== null;) {
			const { body }: { body: Told } = await read(from === 0 ? '' : `?from=${from}`);
			told += body.outputs.length;
			from = body.next;
		}
		expect(told).toBe(OUTPUTS);
		const beyond = await read(`?from=${OUTPUTS}`);
		expect(beyond.body).toMatchObject({ outputs: [], next: null });
		for (const wrong of ['-1', '1e3', '', '99999999']) {
			const { status, body } = await read(`?from=${wrong}`);
			expect([status, body.error?.field]).toEqual([400, 'from']);
		}
	});

	it('is a file that whoever takes it slowly has no longer than their API token', async () => {
		const auth = await authOver(database);
		const account = await addPerson(database, 'viewer');
		const path = `/api/v1/chains/ALPHA/address-utxos.csv?address=${ADDRESS}`;
		/** Its lines; null if the response was cut off. */
		const take = async (meanwhile: (id: string) => Promise<unknown>): Promise<number | null> => {
			const { id, token } = await auth.tokens.create(
				{ account, name: 'slow', role: 'viewer' },
				account
			);
			const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' };
			// A separate connection: one that has received a file before can buffer a whole one.
			const options = { headers, agent: false };
			const answer = await new Promise<IncomingMessage>((resolve, reject) => {
				get(`${product.url}${path}`, options, resolve).on('error', reject);
			});
			expect(answer.statusCode).toBe(200);
			await meanwhile(id);
			let lines = 0;
			try {
				for await (const part of answer.setEncoding('utf8')) {
					lines += String(part).split('\n').length - 1;
				}
			} catch {
				return null;
			}
			return lines;
		};
		const pause = () => sleep(1_200);
		expect(await take(pause)).toBeGreaterThan(OUTPUTS);
		const revoked = await take(async (id) => {
			await auth.tokens.revoke(account.id, id, null);
			await pause();
		});
		expect(revoked).toBeNull();
	});

	it('is no file of which one visitor holds more than eight open', async () => {
		const path = `/api/v1/chains/ALPHA/address-utxos.csv?address=${ADDRESS}`;
		const options = { headers: { 'accept-encoding': 'identity' }, agent: false };
		const open = () =>
			new Promise<IncomingMessage>((resolve, reject) => {
				get(`${product.url}${path}`, options, resolve).on('error', reject);
			});
		const files: IncomingMessage[] = [];
		for (let n = 0; n < 8; n += 1) {
			const file = await open();
			expect(file.statusCode).toBe(200);
			files.push(file);
		}
		const refused = await fetch(`${product.url}${path}`);
		expect(refused.status).toBe(429);
		expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
		expect(await refused.json()).toMatchObject({ error: { code: 'too-many-files' } });
		// A list still opens, and files whose readers go away make room for others.
		expect((await fetch(`${product.url}/api/v1/chains`)).status).toBe(200);
		for (const file of files) file.destroy();
		await vi.waitFor(async () => {
			const again = await open();
			again.destroy();
			expect(again.statusCode).toBe(200);
		});
	});

	it('opens with some of them at a time, and tells of all what they are worth', async () => {
		const page = async (number: number): Promise<string> => {
			const answer = await fetch(`${product.url}/chains/ALPHA/tx/${TXID}?page=${number}`);
			expect(answer.status).toBe(200);
			const text = await answer.text();
			expect(text.length).toBeLessThan(2_000_000);
			return text;
		};
		const [first, last, beyond] = [await page(1), await page(500), await page(1_000)];
		for (const text of [first, last, beyond]) {
			expect(text).toContain(`Outputs (${OUTPUTS})`);
			expect(text).toContain('0.001');
		}
		expect(first).toContain('Page 1 of 500');
		expect(first.match(/data-n="/g)).toHaveLength(200);
		expect(first).toContain('data-n="199"');
		expect(last).toContain('data-n="99999"');
		expect(beyond).toContain('Page 500 of 500');
	});
});
