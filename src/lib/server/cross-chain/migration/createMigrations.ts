/** Carrying coins and tokens from chain to chain: what pages and commands use. */
import type { Audit } from '../../access/audit/audit.ts';
import type { Rights } from '../../access/policy/limits/rights.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import { createIndexReader } from '../../chains/health/indexMemory.ts';
import type { FinalityRule } from '../../platform/config/finality.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Outcome, RunnerParts } from '../../platform/jobs/runner.ts';
import type { Locks } from '../../wallet/locked-utxos/locks.ts';
import { createBook } from '../notary-approvals/book.ts';
import type { CrossChainTables } from '../tables.ts';
import type { Check } from './check.ts';
import { createEngine } from './engine.ts';
import { MigrationStore, type ListFilter, type Loaded, type MigrationRow } from './store.ts';
import { stoppedMigrations } from './summary.ts';
import { abandon } from './use-cases/abandon.ts';
import { approveStep } from './use-cases/approve.ts';
import { confirm } from './use-cases/confirm.ts';
import type { MigrationDependencies } from './use-cases/dependencies.ts';
import { draft } from './use-cases/draft.ts';
import { draftCustom } from './use-cases/draftCustom.ts';
import { checkFor } from './use-cases/guards.ts';
import { openByBurn } from './use-cases/openByBurn.ts';
import { publish } from './use-cases/publish.ts';
import { retry, retryAll } from './use-cases/retry.ts';
import { requestOf } from './use-cases/storedRequest.ts';
import { view } from './use-cases/view.ts';
import { withdraw } from './use-cases/withdraw.ts';

export interface MigrationsOptions {
	db: Database<CrossChainTables>;
	locks: Locks;
	gateway: Gateway;
	audit: Audit;
	/** Whose wallet it is, and how much of the day is left. */
	rights: Rights;
	/** When a block is final, by chain; the usual rule for a chain that is not named. */
	finality?: ReadonlyMap<string, FinalityRule>;
	/** Unix milliseconds. */
	clock?: () => number;
	leaseMs?: number;
	onError?: (error: unknown) => void;
	/** Hears how each move ended. */
	onStep?: RunnerParts['onStep'];
	/** Called after each write that is on disk: `n` counts from 1. */
	onStored?: (n: number) => void;
}

/** A use case that has been given what it works with. */
type Bound<UseCase> = UseCase extends (
	deps: MigrationDependencies,
	...asked: infer Asked
) => infer Answer
	? (...asked: Asked) => Answer
	: never;

/** Each use case says in its own file what it does. */
export interface Migrations {
	draft: Bound<typeof draft>;
	draftCustom: Bound<typeof draftCustom>;
	confirm: Bound<typeof confirm>;
	approveStep: Bound<typeof approveStep>;
	abandon: Bound<typeof abandon>;
	retry: Bound<typeof retry>;
	retryAll: Bound<typeof retryAll>;
	publish: Bound<typeof publish>;
	withdraw: Bound<typeof withdraw>;
	openByBurn: Bound<typeof openByBurn>;
	get: Bound<typeof view>;
	list(filter?: ListFilter): Promise<MigrationRow[]>;
	/** The checks of a stored migration as they stand now, for somebody who could send its burn. */
	checksOf(row: MigrationRow, steps: Loaded['steps'], person: string): Promise<Check[]>;
	/** How many stopped and need a person. */
	stopped(): Promise<number>;
	/** Looks at a migration now. */
	poke(id: string): Promise<void>;
	/** Moves one migration as far as it goes; for commands and tests without a worker. */
	advance(id: string): Promise<Outcome>;
	start(): void;
	stop(): Promise<void>;
}

/** Puts the use cases, the engine and its worker together. */
export function createMigrations(options: MigrationsOptions): Migrations {
	const { db, gateway, audit, rights, clock, finality, leaseMs, onError, onStep } = options;
	const store = new MigrationStore(options);
	const book = createBook({ db, gateway, clock });
	const worker = createEngine({ gateway, store, book, finality, leaseMs, onError, onStep });
	const deps: MigrationDependencies = {
		db,
		store,
		gateway,
		audit,
		rights,
		indexesOf: createIndexReader(gateway),
		wake: () => worker.poke()
	};
	const bound =
		<Asked extends unknown[], Answer>(
			useCase: (deps: MigrationDependencies, ...asked: Asked) => Answer
		) =>
		(...asked: Asked): Answer =>
			useCase(deps, ...asked);
	return {
		draft: bound(draft),
		draftCustom: bound(draftCustom),
		confirm: bound(confirm),
		approveStep: bound(approveStep),
		abandon: bound(abandon),
		retry: bound(retry),
		retryAll: bound(retryAll),
		publish: bound(publish),
		withdraw: bound(withdraw),
		openByBurn: bound(openByBurn),
		get: bound(view),
		list: (filter) => store.list(filter),
		checksOf: async (row, steps, person) =>
			(await checkFor(deps, person, requestOf({ row, steps }))).checks,
		stopped: () => stoppedMigrations(db),
		async poke(id) {
			await store.makeDue(id);
			worker.poke();
		},
		advance: (id) => worker.advance(id),
		start: () => worker.start(),
		stop: () => worker.stop()
	};
}
