/** Pages about all chains while the index lacks blocks: they deny nothing that may be in those. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { addFlows } from '#lib/server/chains/indexer/totals.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { seqOf } from '#lib/server/chains/indexer/tables.ts';
import { freePort } from '../../support/freePort.ts';
import { startProduct } from '../../support/product.ts';
import { signIn } from '../../support/productClient.ts';
import { shared } from '../../support/shared.ts';
import { smallChain } from '../../support/smallChain.ts';

/** The product may have to be built. */
const WITHIN_MS = 300_000;
const CCID = 101;
/** Few enough that nothing has been sent yet. */
const BLOCKS = 3;
const FAR = 3_000_000n;

/** Two chains that can exchange coins; the daemon of the second is not started yet. */
const running = shared(async () => {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-incomplete-'));
	const dataDir = join(folder, 'data');
	const amber = smallChain({ name: 'AMBER', ccid: CCID, blocks: BLOCKS }, await freePort());
	const jade = smallChain({ name: 'JADE', ccid: CCID, blocks: BLOCKS }, await freePort());
	await amber.daemon.http.open();
	const config = join(folder, 'daemons.json');
	writeFileSync(config, JSON.stringify({ daemons: [amber.entry, jade.entry] }));
	const product = await startProduct({ dataDir, config });
	const client = await signIn(product.url);
	const index = await openIndex({ dataDir });
	const current = (names: string[]): Promise<void> =>
		vi.waitFor(async () => {
			const rows = await index
				.selectFrom('ix_chains')
				.select(['name', 'state', 'height'])
				.execute();
			const all = { state: 'current', height: BigInt(BLOCKS) };
			expect(rows).toEqual(expect.arrayContaining(names.map((name) => ({ name, ...all }))));
		}, 60_000);
	return {
		client,
		index,
		jade,
		current,
		async stop() {
			await index.close();
			await product.stop();
			await amber.daemon.http.close();
			await jade.daemon.http.close();
			rmSync(folder, { recursive: true, force: true });
		}
	};
});

/** A page without its tags, with single spaces. */
async function shown(path: string): Promise<string> {
	const { text } = await running.client.text(path);
	return text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

/** What pages deny, and what they say instead while blocks are missing. */
const DENIALS = [
	['/', 'No activity yet', 'No activity indexed yet'],
	['/transfers', 'No transfers yet', 'No transfers indexed yet'],
	['/chains/AMBER/transfers?way=in', 'No transfers yet', 'No transfers indexed yet'],
	[
		'/transfers?state=done',
		'No transfers match these filters',
		'No indexed transfers match these filters'
	],
	['/reconciliation', 'No cross-chain burns yet', 'No cross-chain burns indexed yet'],
	['/search?q=unheard', 'Check the spelling', 'in blocks that are not indexed yet']
] as const;

/** Expects that pages deny nothing, and name the chain whose blocks are missing. */
async function expectNoDenials(notice: string): Promise<void> {
	for (const [path, denied, instead] of DENIALS) {
		const words = await shown(path);
		// The overview shows each chain anyway.
		if (path !== '/') expect(words, path).toContain(notice);
		expect(words, path).toContain(instead);
		expect(words, path).not.toContain(denied);
	}
}

/** Reads while the index of both chains is behind. The indexer notes the state again every few seconds. */
const whenBehind = (read: () => Promise<void>): Promise<void> =>
	vi.waitFor(async () => {
		await running.index
			.updateTable('ix_chains')
			.set({ state: 'behind', target_height: FAR, looked_at: BigInt(Date.now()) })
			.execute();
		await read();
	}, 30_000);

describe('the index', { timeout: WITHIN_MS }, () => {
	test('that has not seen a chain is no reason to deny anything', async () => {
		await running.current(['AMBER']);
		await expectNoDenials('JADE is not indexed yet');
	});

	test('that has all blocks is one', async () => {
		await running.jade.daemon.http.open();
		await running.current(['AMBER', 'JADE']);
		// The health of a daemon that was away is asked a little later than its blocks.
		await vi.waitFor(async () => {
			for (const [path, denied, instead] of DENIALS) {
				const words = await shown(path);
				expect(words, path).toContain(denied);
				expect(words, path).not.toContain(instead);
			}
		}, 60_000);
		const tokens = await shown('/migrations/new/token?source=AMBER');
		expect(tokens).toContain('The wallet of AMBER holds no tokens.');
	});

	test('that is behind is none, and the token of a migration can be named', async () => {
		await whenBehind(() => expectNoDenials('Indexing JADE: 0 %'));
		await whenBehind(async () => {
			const path = '/migrations/new/token?source=AMBER';
			const words = await shown(path);
			expect(words).toContain('Indexing AMBER: 0 %');
			expect(words).not.toContain('holds no tokens');
			expect((await running.client.text(path)).text).toMatch(/<input[^>]* name="tokenid"/);
		});
	});

	test('without KMD says nothing about notarizations', async () => {
		const words = await shown('/routes');
		expect(words).toContain('0 of 2 routes available, 2 unknown.');
		expect(words).toContain('Notarizations are unknown: the index lacks blocks of KMD.');
		expect(words).toContain('Notarization unknown');
		for (const denied of ['Never', 'Not notarized', '0 of 7', 'was not notarized']) {
			expect(words).not.toContain(denied);
		}
	});
});

test('imports without an indexed burn are not counted as open burns', async () => {
	const { index } = running;
	const way = { source: 'AMBER', target: 'JADE', ccid: CCID };
	const flow = (burned: bigint, burns: bigint, imported: bigint, imports: bigint): Promise<void> =>
		index
			.transaction()
			.execute((trx) =>
				addFlows({ trx, dialect: index.dialect }, [{ ...way, burned, burns, imported, imports }])
			);
	await flow(0n, 0n, 5_000n, 2n);
	const excess = await shown('/reconciliation');
	expect(excess).toContain('2 imports without an indexed burn');
	expect((await running.client.text('/reconciliation')).text).not.toContain('from=AMBER');
	const { id } = await index
		.selectFrom('ix_chains')
		.select('id')
		.where('name', '=', 'AMBER')
		.executeTakeFirstOrThrow();
	for (const at of [1, 2]) {
		await index
			.insertInto('ix_burns')
			.values({
				chain: id,
				seq: seqOf(at, 1),
				txid: Buffer.alloc(32, at),
				time: BigInt(Math.floor(Date.now() / 1000)),
				target: way.target,
				target_ccid: BigInt(CCID),
				value: 2_500n,
				tokenid: null,
				units: 0n,
				payouts_hash: Buffer.alloc(32, at)
			})
			.execute();
	}
	await flow(5_000n, 2n, 0n, 0n);
	const { text } = await running.client.text('/reconciliation');
	expect(text).toMatch(/href="\/transfers\?from=AMBER[^"]*"[^>]*>2 burns</);
	expect(text).toContain('2 imports without an indexed burn');
});
