/**
 * Moves one migration as far as it currently can go. Each action is stored in the database before it is executed,
 * so the process may be killed at any point: the next worker looks up what happened.
 */
import type { DaemonParams } from '#lib/rpc/daemon/index.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { Rights } from '../../access/rights/rights.ts';
import { daemonClientOf } from '../../chains/daemon/daemonClient.ts';
import type { Index } from '../../chains/indexer/open.ts';
import { importOfBurn } from '../../chains/lists/importOfBurn.ts';
import { USUAL_FINALITY, type FinalityRule } from '../../platform/config/finality.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { Runner, type Held, type RunnerParts } from '../../platform/jobs/runner.ts';
import {
	transition,
	evidenceDamaged,
	needsNoLook,
	type Decision,
	type StepEvent
} from './transition.ts';
import { mayLeave } from './decisions/policy.ts';
import { build } from './buildImport.ts';
import { blockedSender } from './observations/burn.ts';
import { observe } from './observe.ts';
import type { Looking } from './observations/looking.ts';
import { readSendRefusal, type Refusal } from './refusals.ts';
import { pauseAfter } from './steps.ts';
import type { Patch } from './patch.ts';
import type { MigrationRecord } from './migrationRecord.ts';
import type { MigrationStore } from './store.ts';

/** Migrations that one server moves at the same time, not counting those that wait long for an answer. */
const MAX_CONCURRENCY = 4;
/** Limit that no migration reaches: more would be an endless loop, which is a bug. */
const MOST_MOVES = 64;
/** Shutdown does not wait longer for migrations: the next worker looks up what happened. */
const TIMEOUT_MS = 2_000;
/** Milliseconds for which a migration of another release is left to that release's servers. */
const LEFT_TO_OTHERS_MS = 10_000;

interface EngineOptions
	extends
		Pick<RunnerParts, 'leaseMs' | 'onError' | 'onStep' | 'news'>,
		Pick<Looking, 'recheckApprovals'> {
	gateway: Gateway;
	store: MigrationStore;
	/** Whether a member may still send what they confirmed. */
	rights: Pick<Rights, 'sendRefusal'>;
	/** When a block is final, by chain. */
	finality?: ReadonlyMap<string, FinalityRule> | undefined;
	/** Used to notice others' imports; without it they are only noticed before an import is sent from here. */
	index?: Index | undefined;
}

/** The daemon accepted the transaction but does not list it yet: it is looked up again later. */
function notShown({ row }: MigrationRecord, now: number): Patch {
	const burn = row.state === 'burn-unknown';
	const chain = burn ? row.source : row.destination;
	const due = now + pauseAfter(burn ? 'burn' : 'import-sent', now - Number(row.state_since));
	return { reason: { code: 'send.not-shown', params: { chain } }, due };
}

/** Creates the engine, which moves migrations that are due. Any number of servers may run one on a database. */
export function createEngine({
	gateway,
	store,
	recheckApprovals,
	rights,
	finality,
	index,
	...options
}: EngineOptions): Runner {
	const looking: Looking = {
		gateway,
		recheckApprovals,
		sendRefusal: (...asked) => rights.sendRefusal(...asked),
		ruleOf: (chain) => finality?.get(chain) ?? USUAL_FINALITY,
		async indexedImport(chain, burnTxid) {
			try {
				return index ? await importOfBurn(index, chain, burnTxid) : null;
			} catch (error) {
				// The index is optional: without it migrations continue.
				options.onError?.(error);
				return null;
			}
		}
	};

	async function walk(held: Held): Promise<void> {
		let event: StepEvent | null = null;
		const sent = new Set<Decision['next']>();
		for (let move = 0; move < MOST_MOVES; move++) {
			// When the server stops, or the lease was lost, the next worker goes on. Failures from then on are not
			// stored: the server's own end causes some.
			if (held.signal.aborted) return;
			const migration = await store.load(held.id);
			if (
				!migration ||
				migration.row.fencing_token !== held.fencingToken ||
				migration.row.due_at === null
			)
				return;
			if (migration.ofAnotherRelease) {
				await store.write(held, { due: store.now + LEFT_TO_OTHERS_MS });
				return;
			}
			if (migration.damaged !== undefined) {
				await store.write(held, evidenceDamaged(migration, migration.damaged, store.now).patch);
				return;
			}
			if (!event) {
				event = await observe(looking, migration);
				if (held.signal.aborted) return;
				if (!event && !needsNoLook(migration.row)) {
					// The engine has nothing to do in this state: still due, it would be picked up again without end.
					await store.write(held, { due: null });
					return;
				}
			}
			const decision: Decision = transition(migration, event, store.now);
			if (sent.has(decision.next)) {
				// The daemon accepted the bytes but does not list them: sending again at once would not help.
				await store.write(held, {
					...decision.patch,
					...notShown(migration, store.now)
				});
				return;
			}
			await store.write(held, decision.patch);
			const before: StepEvent | null = event;
			event = null;
			if (decision.next === 'rest') return;
			if (decision.next === 'build') {
				const approvals = before?.about === 'burn-stands' ? before.approvals : null;
				const { source_daemon } = migration.row;
				event = await build(daemonClientOf(gateway, source_daemon), migration, approvals);
			} else if (decision.next !== 'again') {
				sent.add(decision.next);
				event = await send(held, migration, decision.next);
			}
		}
		throw new AppError('engine.endless', { id: held.id });
	}

	/** Returns whether members still have the rights by which the transaction is sent. */
	async function isStillRight(migration: MigrationRecord, burn: boolean): Promise<boolean> {
		if (burn) return (await blockedSender(looking, migration)) === null;
		const now = await store.load(migration.row.id);
		return now !== null && mayLeave(now);
	}

	/**
	 * Sends exactly the stored bytes, once; null when they were kept: while they were queued, the
	 * right to send them was lost, or the server stopped.
	 */
	async function send(
		held: Held,
		migration: MigrationRecord,
		what: 'send-burn' | 'send-import'
	): Promise<StepEvent | null> {
		const { row, steps } = migration;
		const burn = what === 'send-burn';
		const daemon = burn ? row.source_daemon : row.destination_daemon;
		const hex = steps.get(burn ? 'burn' : 'import-sent')?.hex;
		if (!hex) throw new AppError('engine.no-bytes', { id: row.id });
		// A worker that has lost its lease leaves the sending to the next one.
		await held.keep();
		let refusal: Refusal | null = null;
		const beforeSend = async (): Promise<void> => {
			const isRight = await isStillRight(migration, burn);
			if (!isRight || held.signal.aborted) throw new AppError('queue.kept');
		};
		try {
			// The fee of a burn made from selected UTXOs may exceed the daemon's limit.
			const params: DaemonParams<'sendrawtransaction'> =
				burn && steps.has('compose') ? [hex, true] : [hex];
			const options = { priority: 'background', beforeSend } as const;
			await gateway.call(daemon, 'sendrawtransaction', params, options);
		} catch (error) {
			if (isAppError(error, 'queue.kept')) return null;
			refusal = readSendRefusal(error);
		}
		return { about: burn ? 'burn-sent' : 'import-sent', refusal };
	}

	return new Runner({
		...options,
		leases: store.leases,
		maxConcurrency: MAX_CONCURRENCY,
		timeoutMs: TIMEOUT_MS,
		step: walk
	});
}
