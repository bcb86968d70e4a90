import { daemonClientOf } from '../../../chains/daemon/daemonClient.ts';
import { buildFailure, readBurn } from '../buildBurn.ts';
import type { BurnReview } from '../burnReview.ts';
import { BEFORE_BURN } from '../states.ts';
import type { EventRow, MigrationRecord } from '../migrationRecord.ts';
import type { MigrationDependencies } from './dependencies.ts';
import { requestOf } from './storedRequest.ts';

/** A migration as its page shows it. */
export interface MigrationView extends MigrationRecord {
	events: EventRow[];
	/** The burn, reviewed again from its bytes; null after confirmation, or when its inputs are unavailable. */
	burn: BurnReview | null;
}

/** Returns one migration with its events; null when there is none. */
export async function view(deps: MigrationDependencies, id: string): Promise<MigrationView | null> {
	const { store } = deps;
	const migration = await store.load(id);
	if (!migration) return null;
	return { ...migration, events: await store.events(id), burn: await burnOf(deps, migration) };
}

async function burnOf(
	deps: MigrationDependencies,
	migration: MigrationRecord
): Promise<BurnReview | null> {
	const { gateway } = deps;
	const { row, steps } = migration;
	const hex = steps.get('burn')?.hex;
	if (!hex || !BEFORE_BURN.includes(row.state) || row.pubkey === null) return null;
	try {
		const client = daemonClientOf(gateway, row.source_daemon);
		const route = { ccid: Number(row.ccid), pubkey: row.pubkey };
		return await readBurn(client, { hex, payouts: row.payouts ?? '' }, requestOf(migration), route);
	} catch (error) {
		buildFailure(error);
		return null;
	}
}
