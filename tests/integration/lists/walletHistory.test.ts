/** The history of a wallet's address with its balances, on pages and in files. */
import { CompiledQuery, sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import { openIndex, type Index } from '#lib/server/chains/indexer/open.ts';
import { seqOf } from '#lib/server/chains/indexer/tables.ts';
import { exportList } from '#lib/server/chains/lists/exportList.ts';
import { listQuery } from '#lib/server/chains/lists/listQuery.ts';
import { walletHistory } from '#lib/server/chains/lists/walletHistory.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { indexedChain } from '../../support/indexedChain.ts';
import { QueryRecorder } from '../../support/queryRecorder.ts';
import { shared } from '../../support/shared.ts';

const ADDRESS = addressOfPubkey(
	`02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`
);
/** Transactions of the address: several chunks of an export. */
const ROWS = 5_500;

interface Made {
	height: number;
	kind: 'transfer' | 'burn';
	received: bigint;
	sent: bigint;
	balance: bigint;
}

/** Every third transaction spends, every seventh is a burn. */
function madeHistory(): Made[] {
	let balance = 0n;
	return Array.from({ length: ROWS }, (_, at) => {
		const height = at + 1;
		const received = BigInt(1_000 + height);
		const sent = height % 3 === 0 ? 1_500n + BigInt(height) : 0n;
		balance += received - sent;
		return { height, kind: height % 7 === 0 ? 'burn' : 'transfer', received, sent, balance };
	});
}

describeOnBothDatabases('the history of a wallet', (database) => {
	const index = shared(() => openIndex(database.options));
	const history = madeHistory();
	const newest = history.toReversed();

	beforeAll(async () => {
		const height = ROWS + 1;
		await index.insertInto('ix_chains').values(indexedChain({ height })).execute();
		for (let at = 0; at < history.length; at += 500) {
			const part = history.slice(at, at + 500);
			const hashes = part.map(({ height }) => {
				const bytes = Buffer.alloc(32);
				bytes.writeUInt32BE(height);
				return bytes;
			});
			await index
				.insertInto('ix_blocks')
				.values(
					part.map(({ height }, n) => ({
						chain: 1n,
						height: BigInt(height),
						hash: hashes[n]!,
						time: BigInt(1_700_000_000 + height * 60),
						size: 1_000n,
						txs: 1n
					}))
				)
				.execute();
			await index
				.insertInto('ix_txs')
				.values(
					part.map(({ height, kind }, n) => ({
						chain: 1n,
						seq: seqOf(height, 0),
						txid: hashes[n]!,
						kind,
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
					part.map(({ height, received, sent }) => ({
						chain: 1n,
						address: ADDRESS,
						seq: seqOf(height, 0),
						received,
						sent
					}))
				)
				.execute();
		}
		await index
			.insertInto('ix_addresses')
			.values({
				chain: 1n,
				address: ADDRESS,
				balance: history.at(-1)!.balance,
				received: history.reduce((sum, { received }) => sum + received, 0n),
				received_high: 0n,
				txs: BigInt(ROWS)
			})
			.execute();
	});

	const queryOf = (given: Record<string, string>) =>
		listQuery(
			walletHistory,
			'ALPHA',
			new URLSearchParams({ address: ADDRESS, limit: '70', ...given })
		);

	async function fileOf(source: Index, given: Record<string, string>): Promise<unknown[]> {
		const answer = await exportList(source, walletHistory, queryOf(given), 'export', null);
		return (await answer.json()) as unknown[];
	}

	describe.each([
		['all transactions', {}, () => true],
		['those of a kind', { kind: 'burn' }, ({ kind }: Made) => kind === 'burn'],
		['incoming ones', { direction: 'in' }, ({ received, sent }: Made) => received >= sent],
		[
			'outgoing burns',
			{ kind: 'burn', direction: 'out' },
			({ kind, received, sent }: Made) => kind === 'burn' && received < sent
		]
	] as const)('of %s', (_which, given, isListed) => {
		const expected = () =>
			newest.filter(isListed).map(({ height, received, sent, balance }) => ({
				height,
				change: formatCoins(received - sent),
				balance: formatCoins(balance)
			}));

		it('shows in a file the balance after each transaction', async () => {
			const lines = (await fileOf(index, given)).map((line) => {
				const { height, change, balance } = line as Record<string, unknown>;
				return { height, change, balance };
			});
			expect(lines).toEqual(expected());
		});

		it('shows the same balances page by page, forward and backward', async () => {
			const wanted = expected().slice(0, 210);
			const shown: unknown[] = [];
			const lineOf = ({
				seq,
				received,
				sent,
				balance
			}: Parameters<typeof walletHistory.wire>[0]) => ({
				height: Number(seq / seqOf(1, 0)),
				change: formatCoins(received - sent),
				balance: balance === null ? null : formatCoins(balance)
			});
			let page = await walletHistory.read(index, queryOf(given));
			shown.push(...page.rows.map(lineOf));
			for (let n = 1; n < 3; n++) {
				page = await walletHistory.read(index, queryOf({ ...given, cursor: page.next! }));
				shown.push(...page.rows.map(lineOf));
			}
			expect(shown).toEqual(wanted);
			page = await walletHistory.read(index, queryOf({ ...given, before: page.previous! }));
			expect(page.rows.map(lineOf)).toEqual(wanted.slice(70, 140));
		});
	});

	it('reads each transaction a constant number of times for a file', async () => {
		// Only PostgreSQL tells how many rows a query read.
		if (index.dialect === 'sqlite') return;
		await sql`analyze`.execute(index);
		for (const given of [{}, { direction: 'in' }] as Record<string, string>[]) {
			const recorder = new QueryRecorder();
			await fileOf(index.withPlugin(recorder) as unknown as Index, given);
			let read = 0;
			for (const { node, queryId } of recorder.queries) {
				const asked = index.getExecutor().compileQuery(node, queryId);
				if (!asked.sql.includes('ix_address_txs')) continue;
				const explain = `explain (analyze, format json) ${asked.sql}`;
				const { rows } = await index.transaction().execute(async (trx) => {
					// A table this small would be read whole each time, and sorted.
					for (const setting of ['enable_seqscan', 'enable_sort', 'enable_bitmapscan']) {
						await sql.raw(`set local ${setting} = off`).execute(trx);
					}
					return trx.executeQuery<{ 'QUERY PLAN': unknown }>(
						CompiledQuery.raw(explain, [...asked.parameters])
					);
				});
				read += rowsOfHistory(rows[0]!['QUERY PLAN']);
			}
			expect(read).toBeGreaterThanOrEqual(ROWS);
			expect(read).toBeLessThan(3 * ROWS);
		}
	});
});

/** Adds up how many rows of the history the steps of a query's plan read. */
function rowsOfHistory(plan: unknown): number {
	if (Array.isArray(plan)) return plan.reduce<number>((sum, one) => sum + rowsOfHistory(one), 0);
	if (typeof plan !== 'object' || plan === null) return 0;
	const step = plan as Record<string, unknown>;
	const own =
		step['Relation Name'] === 'ix_address_txs'
			? (Number(step['Actual Rows']) + Number(step['Rows Removed by Filter'] ?? 0)) *
				Number(step['Actual Loops'])
			: 0;
	return Object.values(step).reduce<number>((sum, part) => sum + rowsOfHistory(part), own);
}
