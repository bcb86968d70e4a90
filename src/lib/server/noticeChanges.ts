/** Sources of notices about rows of later folders. */
import { withoutZeros } from '#lib/text/amounts.ts';
import { sql } from 'kysely';
import { formatCoins } from '#lib/chain/amount.ts';
import type { ChangeSource } from './access/notifications/changesJob.ts';
import type { Audience, NoticeEvent } from './access/notifications/noticeEvent.ts';
import type { Db } from './database.ts';

/**
 * Time after which the author is told that a transaction is still unknown; until then it is being looked up.
 * Milliseconds.
 */
const UNKNOWN_AFTER_MS = 120_000;
const isName = (name: string | null): name is string => name !== null;

function migrationChanges(db: Db): ChangeSource {
	return {
		name: 'migrations',
		async changes(since, now, limit) {
			const rows = await db
				.selectFrom('migrations as m')
				.leftJoin('assignments as a', (join) =>
					join.onRef('a.item', '=', 'm.id').on('a.kind', '=', 'migration')
				)
				.select(['m.id', 'm.state', 'm.state_since', 'm.source', 'm.destination'])
				.select(['m.amount', 'm.tokenid', 'm.token_name', 'm.created_by', 'a.holder'])
				.select(['m.destination_daemon as daemon'])
				.where('m.state', 'in', ['done', 'final', 'stuck', 'needs-approval'])
				.where('m.state_since', '>=', BigInt(since))
				.where('m.state_since', '<=', BigInt(now))
				.orderBy('m.state_since')
				.limit(limit)
				.execute();
			return rows.map((row): NoticeEvent => {
				const { id, state, source, destination } = row;
				const isCoins = row.tokenid === null;
				const params = {
					amount: isCoins ? withoutZeros(formatCoins(row.amount)) : '',
					unit: isCoins ? source : (row.token_name ?? row.tokenid?.slice(0, 8) ?? ''),
					source,
					destination
				};
				const own: Audience = {
					members: [row.created_by, row.holder].filter(isName),
					right: 'read'
				};
				const common = { path: `/migrations/${id}`, at: Number(row.state_since) };
				if (state === 'stuck') {
					const at = `migration:${id}:stuck:${row.state_since}`;
					return { ...common, source: at, message: { code: 'migration.stuck', params }, to: [own] };
				}
				if (state === 'needs-approval') {
					return {
						...common,
						source: `migration:${id}:approval:${row.state_since}`,
						message: { code: 'migration.needs-approval', params },
						to: [{ right: 'broadcast', wallet: row.daemon }]
					};
				}
				const done = `migration:${id}:done`;
				return { ...common, source: done, message: { code: 'migration.done', params }, to: [own] };
			});
		}
	};
}

function transactionChanges(db: Db): ChangeSource {
	return {
		name: 'transactions',
		async changes(since, now, limit) {
			const rows = await db
				.selectFrom('transactions as t')
				.leftJoin('assignments as a', (join) =>
					join.onRef('a.item', '=', 't.id').on('a.kind', '=', 'review')
				)
				.select(['t.id', 't.state', 't.chain', 't.created_by', 't.settled_at', 'a.holder'])
				.where('t.state', 'in', ['confirmed', 'rejected'])
				.where('t.settled_at', '>=', BigInt(since))
				.where('t.settled_at', '<=', BigInt(now))
				.orderBy('t.settled_at')
				.limit(limit)
				.execute();
			return rows.map(({ id, state, chain, created_by: author, holder, settled_at: at }) => ({
				source: `transaction:${id}:${state}`,
				message: {
					code: state === 'confirmed' ? 'transaction.confirmed' : 'transaction.rejected',
					params: { chain }
				},
				path: `/transactions/${id}`,
				to: [{ members: [author, holder].filter(isName), right: 'build' }],
				at: Number(at)
			}));
		}
	};
}

function unknownTransactions(db: Db): ChangeSource {
	/**
	 * Time since which the transaction is unknown: since it was broadcast, or since it dropped out of a block
	 * or the mempool.
	 */
	const unknownSince = sql<bigint>`case when taken_at is null then broadcast_at else coalesce(settled_at, broadcast_at) end`;
	return {
		name: 'unknown-transactions',
		agesIn: true,
		async changes(since, now, limit) {
			const rows = await db
				.selectFrom('transactions as t')
				.leftJoin('assignments as a', (join) =>
					join.onRef('a.item', '=', 't.id').on('a.kind', '=', 'review')
				)
				.select(['t.id', 't.chain', 't.created_by', 't.settled_at', 'a.holder'])
				.select(unknownSince.as('broadcast_at'))
				.where('t.state', 'in', ['unknown', 'broadcasting'])
				.where(unknownSince, '>=', BigInt(since - UNKNOWN_AFTER_MS))
				.where(unknownSince, '<=', BigInt(now - UNKNOWN_AFTER_MS))
				.orderBy(unknownSince)
				.limit(limit)
				.execute();
			return rows.map(
				({ id, chain, created_by: author, holder, settled_at: lostAt, broadcast_at: at }) => ({
					// A transaction that was found in between and is unknown again causes another notice.
					source: `transaction:${id}:unknown:${lostAt ?? 0n}`,
					message: { code: 'transaction.unknown', params: { chain } },
					path: `/transactions/${id}`,
					to: [{ members: [author, holder].filter(isName), right: 'build' }],
					at: Number(at) + UNKNOWN_AFTER_MS
				})
			);
		}
	};
}

function batchTransferChanges(db: Db): ChangeSource {
	return {
		name: 'batch-transfers',
		async changes(since, now, limit) {
			const rows = await db
				.selectFrom('batch_transfers as b')
				.leftJoin('assignments as a', (join) =>
					join.onRef('a.item', '=', 'b.id').on('a.kind', '=', 'series')
				)
				.select(['b.id', 'b.chain', 'b.tokenid', 'b.created_by', 'b.confirmed_by', 'b.ended_at'])
				.select('a.holder')
				.where('b.state', '=', 'done')
				.where('b.ended_at', '>=', BigInt(since))
				.where('b.ended_at', '<=', BigInt(now))
				.orderBy('b.ended_at')
				.limit(limit)
				.execute();
			return rows.map((row) => ({
				source: `batch-transfer:${row.id}:done`,
				message: { code: 'batch.done', params: {} },
				path: `/chains/${encodeURIComponent(row.chain)}/token/${row.tokenid}/batch-transfer/${row.id}`,
				to: [
					{ members: [row.created_by, row.confirmed_by, row.holder].filter(isName), right: 'build' }
				],
				at: Number(row.ended_at)
			}));
		}
	};
}

function activationChanges(db: Db): ChangeSource {
	return {
		name: 'activations',
		async changes(since, now, limit) {
			const rows = await db
				.selectFrom('activations')
				.select(['id', 'coin', 'node', 'state', 'begun_by', 'updated_at', 'attempt'])
				.where('state', 'in', ['active', 'failed', 'void', 'action'])
				.where('updated_at', '>=', BigInt(since))
				.where('updated_at', '<=', BigInt(now))
				.orderBy('updated_at')
				.limit(limit)
				.execute();
			return rows.map((row) => {
				const { id, coin, node, state } = row;
				const code =
					state === 'action'
						? 'activation.pin'
						: state === 'active'
							? 'activation.active'
							: 'activation.failed';
				return {
					source: `activation:${id}:${state}:${row.attempt}`,
					message: { code, params: { coin, node } } as const,
					path: `/kdf/tasks/${id}`,
					to: [{ members: [row.begun_by], right: 'activate' }],
					at: Number(row.updated_at)
				};
			});
		}
	};
}

/** Returns the sources of notices about rows of later folders. */
export const noticeChanges = (db: Db): ChangeSource[] => [
	migrationChanges(db),
	transactionChanges(db),
	unknownTransactions(db),
	batchTransferChanges(db),
	activationChanges(db)
];
