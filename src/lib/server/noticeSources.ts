/** Sources of notices apart from the audit log: rows of later folders, and states of upstreams. */
import { withoutZeros } from '#lib/text/amounts.ts';
import { sql } from 'kysely';
import { formatCoins } from '#lib/chain/amount.ts';
import { MINUTE_MS } from '#lib/text/units.ts';
import type { Audit } from './access/audit/audit.ts';
import type { ChangeSource } from './access/notifications/changesJob.ts';
import type { Audience, NoticeEvent } from './access/notifications/noticeEvent.ts';
import type { Level, LevelSource } from './access/notifications/watchesJob.ts';
import type { Gateway } from './chains/daemon/types.ts';
import { isSilent } from './chains/explorer/indexAge.ts';
import { isUnusable } from './chains/explorer/sidebar.ts';
import type { Index } from './chains/indexer/open.ts';
import { allProgress, type ChainProgress } from './chains/lists/chains.ts';
import { LATE_TIMES, readNotarized, readTimeline } from './chains/lists/notarizationTimeline.ts';
import type { Db } from './database.ts';

/**
 * Time after which the author is told that a transaction is still unknown; until then it is being looked up.
 * Milliseconds.
 */
const UNKNOWN_AFTER_MS = 120_000;
/** Minimum number of notarizations from which a usual interval can be derived. */
const LEAST_NOTARIZATIONS = 5;
const NOTARIZATIONS = 20;
/** Limit of symbols that are watched per chain. */
const MOST_SYMBOLS = 50;
/** Minimum interval between reads of notarizations from the index, in milliseconds. */
const NOTARIZATIONS_EVERY_MS = MINUTE_MS;

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

export const noticeChanges = (db: Db): ChangeSource[] => [
	migrationChanges(db),
	transactionChanges(db),
	unknownTransactions(db),
	batchTransferChanges(db),
	activationChanges(db)
];

/** All members who may see the pages of daemons and chains. */
const MEMBERS: readonly Audience[] = [{ right: 'read' }];
const ADMINS: readonly Audience[] = [{ right: 'admin' }];

function daemonLevels(gateway: Pick<Gateway, 'daemons'>): LevelSource {
	return async () =>
		gateway
			.daemons()
			.filter(({ health }) => health.state !== 'unknown')
			.map(({ id, chain, health }): Level => {
				const params = { daemon: id, chain };
				const common = { path: `/daemons/${encodeURIComponent(id)}`, to: MEMBERS };
				return {
					key: `daemon:${id}`,
					isBad: isUnusable(health.state),
					holdMs: MINUTE_MS,
					isOfServer: true,
					bad: { ...common, message: { code: 'daemon.offline', params } },
					good: { ...common, message: { code: 'daemon.online', params } }
				};
			});
}

/** Returns the chains that the indexer follows now; the stored state of the others may be outdated. */
async function followed(index: Index, now: number): Promise<ChainProgress[]> {
	const chains = [...(await allProgress(index)).values()];
	return chains.filter((chain) => chain.state !== 'waiting' && !isSilent(chain, now));
}

function indexLevels(index: Index, clock: () => number): LevelSource {
	return async () =>
		(await followed(index, clock())).map(({ name: chain, state, height, target }): Level => {
			const common = { path: `/chains/${encodeURIComponent(chain)}`, to: MEMBERS };
			const blocks = Math.max(0, target - height);
			return {
				key: `index:${chain}`,
				isBad: state === 'behind',
				holdMs: 10 * MINUTE_MS,
				bad: { ...common, message: { code: 'index.behind', params: { chain, blocks } } },
				good: { ...common, message: { code: 'index.current', params: { chain } } }
			};
		});
}

function notarizationLevels(index: Index, clock: () => number): LevelSource {
	let kept: Level[] = [];
	let readAt = -Infinity;

	async function read(): Promise<Level[]> {
		const levels: Level[] = [];
		for (const { id, name: chain, state } of await followed(index, clock())) {
			// While the index is behind, a notarization that it lacks is not late.
			if (state !== 'current') continue;
			for (const symbol of (await readNotarized(index, id)).slice(0, MOST_SYMBOLS)) {
				const { points, medianGap } = await readTimeline(index, id, symbol, NOTARIZATIONS);
				const last = points.at(-1);
				if (last === undefined || medianGap === null || points.length < LEAST_NOTARIZATIONS)
					continue;
				const common = {
					path: `/chains/${encodeURIComponent(chain)}/notarizations?of=${encodeURIComponent(symbol)}`,
					to: MEMBERS
				};
				const params = { symbol, chain };
				levels.push({
					key: `notarization:${chain}:${symbol}`,
					isBad: clock() / 1000 - last.time > LATE_TIMES * Math.max(medianGap, 60),
					holdMs: 5 * MINUTE_MS,
					bad: { ...common, message: { code: 'notarization.late', params } },
					good: { ...common, message: { code: 'notarization.resumed', params } }
				});
			}
		}
		return levels;
	}

	return async () => {
		if (performance.now() - readAt >= NOTARIZATIONS_EVERY_MS) {
			kept = await read();
			readAt = performance.now();
		}
		return kept;
	};
}

function auditLevels(audit: Pick<Audit, 'status'>): LevelSource {
	return async () => {
		const { check, rows: checked } = await audit.status();
		const common = { path: '/admin/audit', to: ADMINS };
		const good = { ...common, message: { code: 'audit.whole', params: {} } } as const;
		const rows: Level | null = checked && {
			key: 'audit:rows',
			isBad: checked.differences.length > 0,
			holdMs: 0,
			foundAt: checked.at,
			bad: { ...common, message: { code: 'audit.differences', params: {} } },
			good
		};
		const log: Level | null = check && {
			key: 'audit:log',
			isBad: !check.verdict.ok,
			holdMs: 0,
			foundAt: check.at,
			bad: { ...common, message: { code: 'audit.broken', params: {} } },
			good
		};
		return [rows, log].filter((level) => level !== null);
	};
}

interface Watched {
	gateway: Pick<Gateway, 'daemons'>;
	index: Index;
	audit: Pick<Audit, 'status'>;
	/** Unix milliseconds. */
	clock?: () => number;
}

export const noticeLevels = ({
	gateway,
	index,
	audit,
	clock = Date.now
}: Watched): LevelSource[] => [
	daemonLevels(gateway),
	indexLevels(index, clock),
	notarizationLevels(index, clock),
	auditLevels(audit)
];
