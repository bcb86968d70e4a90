/** Sources of notices about states of upstreams, of the index and of the audit log. */
import { MINUTE_MS } from '#lib/text/units.ts';
import type { Audit } from './access/audit/audit.ts';
import type { Audience } from './access/notifications/noticeEvent.ts';
import type { Level, LevelSource } from './access/notifications/watchesJob.ts';
import type { Gateway } from './chains/daemon/types.ts';
import { isSilent } from './chains/explorer/indexAge.ts';
import { isUnusable } from './chains/explorer/sidebar.ts';
import type { Index } from './chains/indexer/open.ts';
import { allProgress, type ChainProgress } from './chains/lists/chains.ts';
import { LATE_TIMES, readNotarized, readTimeline } from './chains/lists/notarizationTimeline.ts';

/** Minimum number of notarizations from which a usual interval can be derived. */
const LEAST_NOTARIZATIONS = 5;
const NOTARIZATIONS = 20;
/** Limit of symbols that are watched per chain. */
const MOST_SYMBOLS = 50;
/** Minimum interval between reads of notarizations from the index, in milliseconds. */
const NOTARIZATIONS_EVERY_MS = MINUTE_MS;

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
				const { state } = health;
				const common = { path: `/daemons/${encodeURIComponent(id)}`, to: MEMBERS };
				return {
					key: `daemon:${id}`,
					isBad: isUnusable(state),
					holdMs: MINUTE_MS,
					isOfServer: true,
					bad: {
						...common,
						message: {
							code: 'daemon.offline',
							params: isUnusable(state) ? { ...params, state } : params
						}
					},
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
