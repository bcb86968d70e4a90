/** Migration of coins and tokens between chains: the interface for pages and commands. */
import type { Audit } from '../../access/audit/audit.ts';
import type { Rights } from '../../access/rights/rights.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import type { Index } from '../../chains/indexer/open.ts';
import { createIndexReader } from '../../chains/health/indexMemory.ts';
import { bindTo } from '../../platform/bind.ts';
import type { FinalityRule } from '../../platform/config/finality.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Outcome, RunnerParts } from '../../platform/jobs/runner.ts';
import type { Locks } from '../../wallet/locked-utxos/locks.ts';
import type { CrossChainTables } from '../tables.ts';
import type { Check } from './check.ts';
import { createEngine } from './engine.ts';
import type { MigrationRecord, MigrationRow } from './migrationRecord.ts';
import type { RecheckApprovals } from './observations/looking.ts';
import { BEFORE_BURN } from './states.ts';
import { MigrationStore } from './store.ts';
import { stoppedMigrations } from './summary.ts';
import { migrationsInProgress } from './inProgress.ts';
import { discard } from './use-cases/discard.ts';
import { approveStep } from './use-cases/approve.ts';
import { confirm } from './use-cases/confirm.ts';
import { confirmApproved } from './use-cases/confirmApproved.ts';
import type { MigrationDependencies } from './use-cases/dependencies.ts';
import { draft } from './use-cases/draft.ts';
import { draftCustom } from './use-cases/draftCustom.ts';
import { checkFor } from './use-cases/guards.ts';
import { openByBurn } from './use-cases/openByBurn.ts';
import { publish } from './use-cases/publish.ts';
import { retry, retryAll } from './use-cases/retry.ts';
import { retryApproved } from './use-cases/retryApproved.ts';
import { requestOf } from './use-cases/storedRequest.ts';
import { view } from './use-cases/view.ts';
import { withdraw } from './use-cases/withdraw.ts';

export interface MigrationsOptions {
	db: Database<CrossChainTables>;
	locks: Locks;
	gateway: Gateway;
	audit: Audit;
	/** Access to wallets, and spending limits. */
	rights: Rights;
	/** Approval requests for burns. */
	approvals: MigrationDependencies['approvals'];
	/** Looks up the approvals of a published burn. */
	recheckApprovals: RecheckApprovals;
	/** When a block is final, by chain; the usual rule for other chains. */
	finality?: ReadonlyMap<string, FinalityRule>;
	/** Used to notice imports that someone else sent. */
	index?: Index;
	/** Whether fungible tokens may be migrated from here. */
	fungibleTokens: boolean;
	/** Unix milliseconds. */
	clock?: () => number;
	leaseMs?: number;
	onError?: (error: unknown) => void;
	/** Called with the outcome of each step of the engine. */
	onStep?: RunnerParts['onStep'];
	news?: RunnerParts['news'];
	/** Called after each write that is on disk: `n` counts from 1. */
	onStored?: (n: number) => void;
}

/** Creates the use cases and the engine; each use case is documented in its own file. */
export function createMigrations(options: MigrationsOptions) {
	const { db, gateway, audit, rights, approvals } = options;
	const { recheckApprovals, finality, index, leaseMs, onError, onStep, news } = options;
	const store = new MigrationStore(options);
	const worker = createEngine({
		gateway,
		store,
		recheckApprovals,
		rights,
		finality,
		index,
		leaseMs,
		onError,
		onStep,
		news
	});
	const deps: MigrationDependencies = {
		db,
		store,
		gateway,
		audit,
		rights,
		approvals,
		indexesOf: createIndexReader(gateway),
		fungibleTokens: options.fungibleTokens,
		wake: () => worker.wake()
	};
	const bound = bindTo(deps);
	return {
		draft: bound(draft),
		draftCustom: bound(draftCustom),
		confirm: bound(confirm),
		confirmApproved: bound(confirmApproved),
		approveStep: bound(approveStep),
		discard: bound(discard),
		retry: bound(retry),
		retryAll: bound(retryAll),
		retryApproved: bound(retryApproved),
		publish: bound(publish),
		withdraw: bound(withdraw),
		openByBurn: bound(openByBurn),
		get: bound(view),
		/**
		 * Returns the creator of a migration, and what ends the lock of its UTXOs: its expiry, the decision of
		 * other members, or the block of its burn; null when there is no such migration.
		 */
		async builder(id: string): Promise<{ by: string; ends: 'time' | 'approval' | 'block' } | null> {
			const row = (await store.load(id))?.row;
			if (!row) return null;
			const { created_by: by, state } = row;
			if (state === 'burn-needs-approval') return { by, ends: 'approval' };
			return { by, ends: BEFORE_BURN.includes(state) ? 'time' : 'block' };
		},
		/** Runs the checks of a stored migration again, for a member who could send its burn. */
		checksOf: async (
			row: MigrationRow,
			steps: MigrationRecord['steps'],
			person: string
		): Promise<Check[]> => (await checkFor(deps, person, requestOf({ row, steps }), row)).checks,
		/** Number of stopped migrations that need a person. */
		stopped: (): Promise<number> => stoppedMigrations(db),
		/** Migrations that are neither final nor discarded, newest change first. */
		inProgress: (size: number) => migrationsInProgress(db, size),
		/** Makes the engine check a migration now. */
		async wake(id: string): Promise<void> {
			await store.makeDue(id);
			worker.wake();
		},
		/** Moves one migration as far as possible; for commands and tests without a worker. */
		advance: (id: string): Promise<Outcome> => worker.advance(id),
		start: (): void => worker.start(),
		stop: (): Promise<void> => worker.stop()
	};
}

export type Migrations = ReturnType<typeof createMigrations>;
