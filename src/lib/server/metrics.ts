/** Metrics for monitoring, in Prometheus format. They contain no names of people and no credentials. */
import { METRIC_HELP, metricName } from '#lib/messages/metrics.ts';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Audit } from './access/audit/audit.ts';
import type { RefusalsParts } from './access/audit/refusals.ts';
import type { Gateway } from './chains/daemon/types.ts';
import type { Index } from './chains/indexer/open.ts';
import { allProgress } from './chains/lists/chains.ts';
import type { MigrationSummary } from './cross-chain/migration/summary.ts';
import type { KdfGateway } from './kdf/client/kdfTypes.ts';
import type { DiskSpace } from './platform/disk/diskSpace.ts';
import type { RunnerParts } from './platform/jobs/runner.ts';

export interface Metrics {
	readonly contentType: string;
	/** Counts a response of a page or of the API. */
	answered(route: string | null, status: number): void;
	/** Counts a refusal. */
	refused: NonNullable<RefusalsParts['count']>;
	/** Returns a counter for the steps of a background job. */
	stepped(job: string): NonNullable<RunnerParts['onStep']>;
	/** Returns all metrics with current values. */
	text(): Promise<string>;
}

interface Watched {
	gateway: Gateway;
	nodes: KdfGateway;
	index: Index;
	audit: Pick<Audit, 'knownDifferences'>;
	/** Reads the disk of the data folder; null when the system does not report it. */
	disk: () => Promise<DiskSpace | null>;
	/** Summarizes the states of the migrations. */
	migrations: () => Promise<MigrationSummary>;
}

export function createMetrics({
	gateway,
	nodes,
	index,
	audit,
	migrations,
	disk
}: Watched): Metrics {
	const registry = new Registry();
	const registers = [registry];
	collectDefaultMetrics({ register: registry });
	const answers = new Counter({
		name: metricName('answers_total'),
		help: METRIC_HELP.answers_total,
		labelNames: ['route', 'status'],
		registers
	});
	const refusals = new Counter({
		name: metricName('refusals_total'),
		help: METRIC_HELP.refusals_total,
		labelNames: ['who', 'where', 'why'],
		registers
	});
	const steps = new Counter({
		name: metricName('job_steps_total'),
		help: METRIC_HELP.job_steps_total,
		labelNames: ['job', 'outcome'],
		registers
	});
	const gauge = <L extends string>(name: keyof typeof METRIC_HELP, labelNames: readonly L[]) =>
		new Gauge({ name: metricName(name), help: METRIC_HELP[name], labelNames, registers });
	const up = gauge('upstream_up', ['upstream']);
	const inFlight = gauge('upstream_calls_in_flight', ['upstream']);
	const queued = gauge('upstream_calls_queued', ['upstream']);
	const mismatches = gauge('upstream_misfits', ['upstream']);
	const height = gauge('index_height', ['chain']);
	const target = gauge('index_target_height', ['chain']);
	const reorgs = gauge('index_reorgs', ['chain']);

	const differing = gauge('rows_differing', []);

	const inState = gauge('migrations', ['state']);
	const oldest = gauge('migration_oldest_seconds', ['state']);
	const stopped = gauge('migrations_stopped', []);
	const overdue = gauge('migrations_overdue', []);

	const diskFree = gauge('disk_free_bytes', []);

	async function look(): Promise<void> {
		const space = await disk();
		// NaN when unknown: no value is better than a wrong one.
		diskFree.set(space?.free ?? NaN);
		const summary = await migrations();
		for (const [state, { count, oldestMs }] of summary.states) {
			inState.set({ state }, count);
			oldest.set({ state }, oldestMs / 1000);
		}
		stopped.set(summary.stopped);
		overdue.set(summary.overdue);
		differing.set(audit.knownDifferences().length);
		const upstreams = [
			...gateway.daemons().map(({ id, health }) => ({ id, ...health })),
			...(await nodes.nodes())
		];
		for (const one of upstreams) {
			const labels = { upstream: one.id };
			up.set(labels, one.state === 'up' ? 1 : 0);
			inFlight.set(labels, one.inFlight);
			queued.set(labels, one.queued);
			mismatches.set(labels, one.mismatches);
		}
		for (const [chain, progress] of await allProgress(index)) {
			height.set({ chain }, progress.height);
			target.set({ chain }, progress.target);
			reorgs.set({ chain }, progress.reorgs);
		}
	}

	return {
		contentType: registry.contentType,
		answered: (route, status) => answers.inc({ route: route ?? 'none', status: String(status) }),
		refused: (who, where, why) => refusals.inc({ who, where, why }),
		stepped: (job) => (outcome) => steps.inc({ job, outcome }),
		async text() {
			await look();
			return registry.metrics();
		}
	};
}
