/** Pages about a chain whose index starts at a later block, and whose daemon has not synced it for a while. */
import { createServer, type Server } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import { freePort } from '../../support/freePort.ts';
import { startProduct } from '../../support/product.ts';
import { signIn } from '../../support/productClient.ts';
import { shared } from '../../support/shared.ts';
import { smallChain } from '../../support/smallChain.ts';
import { answer } from '../../support/upstream.ts';
import { listening } from '../../support/listening.ts';
import { ALICE } from '../../../src/devnet/ledger/testkit/keys.ts';
import { closeAtOnce } from '../../../src/devnet/loopback.ts';

/** The product may have to be built. */
const WITHIN_MS = 300_000;
const BLOCKS = 40;
const START = 20;
const LONGEST = 3_000_000;

/** Forwards calls to a daemon, whose answers say that it has not synced its chain while `syncing` is set. */
function lagging(target: string): { server: Server; state: { syncing: boolean } } {
	const state = { syncing: false };
	const server = createServer((request, response) => {
		void (async () => {
			let text = '';
			for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
			const authorization = request.headers.authorization ?? '';
			const told = await fetch(target, { method: 'POST', headers: { authorization }, body: text });
			const body = await told.text();
			const changed = body
				.replaceAll(/"longestchain": ?\d+/g, `"longestchain":${LONGEST}`)
				.replaceAll(/"tiptime": ?\d+/g, '"tiptime":1600000000');
			answer(response, state.syncing ? changed : body, told.status);
		})();
	});
	return { server, state };
}

const running = shared(async () => {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-part-'));
	const dataDir = join(folder, 'data');
	const chain = smallChain({ name: 'AMBER', ccid: 101, blocks: BLOCKS }, await freePort());
	await chain.daemon.http.open();
	const { server, state } = lagging(chain.entry.url);
	const port = await listening(server);
	const config = join(folder, 'daemons.json');
	const entry = { ...chain.entry, url: `http://127.0.0.1:${port}` };
	writeFileSync(config, JSON.stringify({ daemons: [entry] }));
	const env = { KOMODECK_INDEX_FROM: `AMBER=${START}` };
	const product = await startProduct({ dataDir, config, env });
	const client = await signIn(product.url);
	const index = await openIndex({ dataDir });
	await vi.waitFor(async () => {
		const rows = await index.selectFrom('ix_chains').select(['state', 'height']).execute();
		expect(rows).toEqual([{ state: 'current', height: BigInt(BLOCKS) }]);
	}, 60_000);
	return {
		client,
		index,
		state,
		async balance(address: string): Promise<bigint> {
			const { user, password } = chain.entry;
			const told = await fetch(chain.entry.url, {
				method: 'POST',
				headers: { authorization: `Basic ${btoa(`${user}:${password}`)}` },
				body: JSON.stringify({ method: 'getaddressbalance', params: [{ addresses: [address] }] })
			});
			const { result } = (await told.json()) as { result: { balance: number } };
			return BigInt(result.balance);
		},
		async stop() {
			await index.close();
			await product.stop();
			await closeAtOnce(server);
			await chain.daemon.http.close();
			rmSync(folder, { recursive: true, force: true });
		}
	};
});

/** A page without its tags, with single spaces. */
async function shown(path: string): Promise<{ status: number; words: string }> {
	const { status, text } = await running.client.text(path);
	return { status, words: text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ') };
}

test(
	'what an index adds up that starts later is not shown as the whole',
	{ timeout: WITHIN_MS },
	async () => {
		const { address } = ALICE;
		const { text } = await running.client.text(`/chains/AMBER/address/${address}`);
		const bare = text.replaceAll(/<[^>]*>|\s/g, '');
		expect(bare).toContain(formatCoins(await running.balance(address)));
		expect(bare).toContain(`Indexedsinceblock${START}`);
		expect((await shown('/chains/AMBER/addresses')).words).toContain(
			`Indexed since block ${START}`
		);
		const api = await running.client.text(`/api/v1/chains/AMBER/addresses/${address}`);
		expect(JSON.parse(api.text)).toMatchObject({ since: START });
		const history = (await shown('/wallets/AMBER/history')).words;
		expect(history).toContain('Newest transactions');
		expect(history).not.toContain('Balance after');
		expect((await shown(`/chains/AMBER/address/${address}?tab=tokens`)).words).toContain(
			'Tokens on AMBER are not known'
		);
	}
);

test(
	'an item of an index that is behind says so, and does not say that it is not notarized',
	{ timeout: WITHIN_MS },
	async () => {
		const { client, index } = running;
		const { transactions } = JSON.parse(
			(await client.text(`/api/v1/chains/AMBER/blocks/${BLOCKS}`)).text
		) as { transactions: { txid: string }[] };
		expect((await shown(`/chains/AMBER/block/${BLOCKS}`)).words).toContain('Not notarized yet');
		// The indexer notes the state again every few seconds.
		const behind = async (path: string): Promise<string> => {
			await index
				.updateTable('ix_chains')
				.set({ state: 'behind', target_height: BigInt(LONGEST), looked_at: BigInt(Date.now()) })
				.execute();
			return (await shown(path)).words;
		};
		await vi.waitFor(async () => {
			const block = await behind(`/chains/AMBER/block/${BLOCKS}`);
			expect(block).toContain('Indexing AMBER: 0 %');
			expect(block).not.toContain('Not notarized yet');
			expect(block).toContain('Next block');
		}, 20_000);
		await vi.waitFor(async () => {
			const transaction = await behind(`/chains/AMBER/tx/${transactions[0]!.txid}`);
			expect(transaction).toContain('Indexing AMBER: 0 %');
		}, 20_000);
		await vi.waitFor(async () => {
			const absent = await behind(`/chains/AMBER/tx/${'ee'.repeat(32)}`);
			expect(absent).toContain('blocks of AMBER.');
		}, 20_000);
		await vi.waitFor(
			async () => expect(await behind('/chains/AMBER/blocks')).toContain('Unknown'),
			20_000
		);
	}
);

test(
	'what a daemon does not know that has not synced its chain is not said to be absent',
	{ timeout: WITHIN_MS },
	async () => {
		const { state } = running;
		const absent = 'ee'.repeat(32);
		const transaction = `/chains/AMBER/tx/${absent}`;
		const pages = [
			`/chains/AMBER/block/${BLOCKS + 1_000}`,
			`/chains/AMBER/block/${absent}`,
			`/chains/AMBER/token/${absent}`
		];
		const [byHeight, byHash] = [`/search?q=${BLOCKS + 1_000}`, `/search?q=${absent}`];
		const imports = `/chains/AMBER/imports?block=${BLOCKS + 1_000}`;
		const syncing = 'blocks of its chain and is still reading the others';
		await vi.waitFor(async () => {
			for (const path of pages) expect((await shown(path)).status, path).toBe(404);
			// The daemon may have no transaction index, and that of this chain begins later.
			expect((await shown(transaction)).words).toContain('The index of AMBER begins at block');
			expect((await shown(imports)).words).toContain('AMBER has no such block');
			for (const path of [byHeight, byHash]) {
				expect((await shown(path)).words, path).not.toContain('Some results may be missing');
			}
		}, 20_000);
		state.syncing = true;
		try {
			for (const path of [transaction, ...pages]) {
				const { status, words } = await shown(path);
				expect([path, status, words]).toEqual([path, 200, expect.stringContaining(syncing)]);
			}
			const { words } = await shown(imports);
			expect(words).toContain(syncing);
			expect(words).not.toContain('has no such block');
			for (const path of [byHeight, byHash]) {
				const found = (await shown(path)).words;
				expect(found, path).toContain(syncing);
				expect(found, path).toContain('Some results may be missing');
			}
			expect((await shown(`/chains/AMBER/block/${BLOCKS}`)).status).toBe(200);
		} finally {
			state.syncing = false;
		}
	}
);
