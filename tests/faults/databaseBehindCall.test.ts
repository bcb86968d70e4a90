/**
 * A database that becomes unavailable between a daemon's response and the record of it: the transaction was
 * sent, and the caller is told so.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { describeOnPostgres, setReadOnly } from '../support/database.ts';
import { startProduct, type Product } from '../support/product.ts';
import { signIn, type ProductClient } from '../support/productClient.ts';
import { answer, echo, rpcLine, ScriptedUpstream } from '../support/upstream.ts';

const TXID = 'ab'.repeat(32);
const PAYMENT = '"RPgzYEmEF7Q4Dr1CtUqJ9tEADQ7xpTuWnS",1';

describeOnPostgres('a payment that a daemon has made when the database goes', (database) => {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-behind-'));
	const daemon = new ScriptedUpstream();
	let product: Product;
	let client: ProductClient;
	const set = (isReadOnly: boolean): Promise<void> => setReadOnly(database.db, isReadOnly);

	/** Makes the database writable again, and waits until the server has noticed. */
	async function isBack(): Promise<void> {
		await set(false);
		await vi.waitFor(
			async () => expect(await (await fetch(`${product.url}/readyz`)).text()).toBe('ready\n'),
			{ timeout: 20_000, interval: 100 }
		);
	}

	beforeAll(async () => {
		await daemon.start();
		daemon.on('sendtoaddress', async (request, response) => {
			await set(true);
			answer(response, rpcLine(`"${TXID}"`, echo(request)));
		});
		// The server sends batches too.
		daemon.on('batch', async (request, response) => {
			if (!request.text.includes('"sendtoaddress"')) return answer(response, '', 500);
			await set(true);
			answer(response, `[${rpcLine(`"${TXID}"`, echo(request)).trim()}]\n`);
		});
		const config = join(folder, 'komodeck.json');
		const one = { chain: 'ALPHA', url: daemon.url.slice(0, -1), user: 'u', password: 'p' };
		writeFileSync(config, JSON.stringify({ daemons: [one] }));
		const { dataDir, url } = database.options;
		product = await startProduct({ dataDir, databaseUrl: url, config });
		client = await signIn(product.url);
	});
	beforeEach(() => void (daemon.seen.length = 0));
	afterEach(isBack);
	afterAll(async () => {
		await product.stop();
		await daemon.stop();
		rmSync(folder, { recursive: true, force: true });
	});

	const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
		fetch(`${product.url}/api/rpc/ALPHA`, {
			method: 'POST',
			headers: { authorization: `Bearer ${client.token}`, ...headers },
			body
		});
	const call = `{"method":"sendtoaddress","params":[${PAYMENT}],"id":7}`;
	/** Number of events that record the send. */
	const recorded = async (): Promise<number> =>
		(
			await database.db
				.selectFrom('audit_events')
				.select('seq')
				.where('action', '=', 'send.sent')
				.where('target', '=', TXID)
				.execute()
		).length;
	const recordedOnceMore = (before: number): Promise<void> =>
		vi.waitFor(async () => expect(await recorded()).toBe(before + 1), { timeout: 20_000 });

	test('is answered, to a single call and to a batch, and goes on record later', async () => {
		for (const body of [call, `[${call}]`]) {
			const before = await recorded();
			const said = await post(body);
			expect([said.status, await said.text()]).toEqual([200, expect.stringContaining(TXID)]);
			await isBack();
			await recordedOnceMore(before);
		}
	});

	test('is answered to a call with a key, and not made again with it', async () => {
		const before = await recorded();
		const key = { 'idempotency-key': 'payment-of-today' };
		const said = await post(call, key);
		expect([said.status, await said.text()]).toEqual([200, expect.stringContaining(TXID)]);
		await isBack();
		await recordedOnceMore(before);
		const again = await post(call, key);
		expect([again.status, await again.text()]).toEqual([200, expect.stringContaining(TXID)]);
		expect(daemon.count('sendtoaddress')).toBe(1);
	});

	test('is shown in the console', async () => {
		const before = await recorded();
		const submit = async (confirmed: string): Promise<string> => {
			const said = await fetch(`${product.url}/console/sendtoaddress`, {
				method: 'POST',
				headers: {
					origin: product.url,
					cookie: client.cookie,
					accept: 'application/json',
					'x-sveltekit-action': 'true'
				},
				body: new URLSearchParams({
					daemon: 'ALPHA',
					way: 'written',
					written: `[${PAYMENT}]`,
					confirmed,
					'idempotency-key': `form-${crypto.randomUUID()}`
				})
			});
			return said.text();
		};
		const asked = await submit('');
		const [mark = ''] = /[\w-]{43}/.exec(asked) ?? [];
		expect(await submit(mark), asked).toContain(TXID);
		await isBack();
		await recordedOnceMore(before);
	});
});
