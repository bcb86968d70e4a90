import { CompiledQuery, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { auditList as list, type AuditFilter } from '#lib/server/access/audit/list.ts';
import { migrationSummary, stoppedMigrations } from '#lib/server/cross-chain/migration/summary.ts';
import type { Db } from '#lib/server/database.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { QueryRecorder } from '../../support/queryRecorder.ts';

const ROWS = 100_000;
const HOUR = 60 * 60 * 1000;
const START = Date.UTC(2026, 0, 1);

/** Every single filter, and usual combinations. */
const at = (hour: number, whole = true) => ({ at: START + hour * HOUR, whole });
const FILTERS: readonly AuditFilter[] = [
	{},
	{ actor: 'person-7' },
	{ actor: 'nobody' },
	{ kind: 'sends' },
	{ kind: 'approvals' },
	{ action: 'send.sent' },
	{ action: 'change.unapproved' },
	{ place: 'CHAIN3' },
	{ place: 'nowhere' },
	{ outcome: 'refused' },
	{ from: at(10), to: at(20) },
	{ actor: 'person-7', from: at(10), to: at(20) },
	{ kind: 'sends', place: 'CHAIN3', outcome: 'done', actor: 'person-7' },
	{ kind: 'sign-in', outcome: 'refused', from: at(0), to: at(1, false) }
];

async function planOf(
	db: Pick<Db, 'dialect' | 'executeQuery'>,
	query: CompiledQuery
): Promise<string> {
	const explain = db.dialect === 'sqlite' ? 'explain query plan' : 'explain';
	const { rows } = await db.executeQuery<Record<string, string>>(
		CompiledQuery.raw(`${explain} ${query.sql}`, [...query.parameters])
	);
	return rows.map((row) => row['detail'] ?? Object.values(row)[0]).join('\n');
}

describeOnBothDatabases(`the list of ${ROWS} acts`, (database) => {
	beforeAll(async () => {
		const { db } = database;
		const counted =
			db.dialect === 'sqlite'
				? sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(ROWS)})`
				: sql`with n(i) as (select generate_series(1, ${sql.lit(ROWS)}))`;
		await sql`${counted} insert into audit_events (seq, time, actor, action, detail, prev_hash, hash, version,
				kind, place, outcome)
			select i, ${sql.lit(START)} + i * 1000, 'person-' || (i % 50), 'send.sent', '{}', '', '', 2,
				case when i % 3 = 0 then 'sign-in' else 'sends' end, 'CHAIN' || (i % 5),
				case when i % 997 = 0 then 'refused' else 'done' end
			from n`.execute(db);
		await sql`analyze`.execute(db);
	});

	test('is read by an index under every filter, in both orders, and page by page', async () => {
		const recorder = new QueryRecorder();
		const recorded = database.db.withPlugin(recorder) as Db;
		const plans: string[] = [];
		let pages = 0;
		for (const filter of FILTERS) {
			for (const sort of list.sorts) {
				let cursor: string | undefined;
				for (let page = 0; page < 3; page += 1) {
					recorder.queries.length = 0;
					const found = await list.read(recorded, {
						filter,
						sort,
						limit: 50,
						...(cursor === undefined ? {} : { cursor })
					});
					for (const { node, queryId } of recorder.queries) {
						const compiled = recorded.getExecutor().compileQuery(node as never, queryId);
						const plan = await planOf(database.db, compiled);
						plans.push(`${JSON.stringify(filter)} ${sort}: ${plan}`);
					}
					pages += 1;
					const times = found.rows.map(({ time }) => time);
					const sorted = times.toSorted((a, b) => (sort === 'time' ? a - b : b - a));
					expect(times).toEqual(sorted);
					if (found.next === null) break;
					cursor = found.next;
				}
			}
		}
		expect(pages).toBeGreaterThan(40);
		expect(plans).toHaveLength(pages);
		const slow = plans.filter((plan) =>
			/SCAN audit_events(?! USING INDEX)|TEMP B-TREE|Seq Scan/.test(plan)
		);
		expect(slow).toEqual([]);
		// A rare action would otherwise be looked for in all events.
		const rare = plans.filter((plan) => plan.includes('change.unapproved'));
		expect(rare.length).toBeGreaterThan(0);
		expect(rare.filter((plan) => !plan.includes('audit_by_action'))).toEqual([]);
	});

	test('stands beside counts of migrations, each one query that reads an index alone', async () => {
		const { db } = database;
		const recorder = new QueryRecorder();
		const recorded = db.withPlugin(recorder) as Db;
		await migrationSummary(recorded, START);
		await stoppedMigrations(recorded);
		expect(recorder.queries).toHaveLength(2);
		for (const { node, queryId } of recorder.queries) {
			const compiled = recorded.getExecutor().compileQuery(node as never, queryId);
			// The table is empty, so PostgreSQL would prefer a sequential scan.
			const plan = await db.transaction().execute(async (trx) => {
				if (db.dialect === 'postgres') await sql`set local enable_seqscan = off`.execute(trx);
				return planOf(Object.assign(trx, { dialect: db.dialect }), compiled);
			});
			expect(plan).toMatch(/migrations_by_(state|standing)/);
			expect(plan).not.toMatch(/Seq Scan|TEMP B-TREE/);
		}
	});

	test('says of each page the same as all rows together', async () => {
		const read = async (limit: number, filter: AuditFilter): Promise<number[]> => {
			const seqs: number[] = [];
			let cursor: string | undefined;
			do {
				const page = await list.read(database.db, {
					filter,
					sort: '-time',
					limit,
					...(cursor === undefined ? {} : { cursor })
				});
				seqs.push(...page.rows.map(({ seq }) => seq));
				cursor = page.next ?? undefined;
			} while (cursor !== undefined);
			return seqs;
		};
		const filter: AuditFilter = { outcome: 'refused', place: 'CHAIN3' };
		const all = await read(1000, filter);
		expect(all).toHaveLength(20);
		expect(await read(7, filter)).toEqual(all);
		const day = { at: START, whole: false };
		expect(await read(1000, { actor: 'person-7', from: day, to: day })).toHaveLength(
			(24 * 3600) / 50
		);
	});
});
