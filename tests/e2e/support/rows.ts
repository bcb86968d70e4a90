/** Rows in states that would take minutes to reach, written through the product's own stores. */
import { randomBytes } from 'node:crypto';
import type { MigrationReason } from '#lib/messages/migration/reasons.ts';
import { createAudit } from '#lib/server/access/audit/audit.ts';
import type { MigrationState } from '#lib/server/cross-chain/migration/states.ts';
import { STEP_IDS, type StepId } from '#lib/server/cross-chain/migration/steps.ts';
import type { MigrationRecord } from '#lib/server/cross-chain/migration/migrationRecord.ts';
import { MigrationStore } from '#lib/server/cross-chain/migration/store.ts';
import { openDatabase, type Db } from '#lib/server/database.ts';
import { locks } from '#lib/server/locks.ts';
import { createStore, REVIEW_MS } from '#lib/server/wallet/transactions/store.ts';
import type { SendState } from '#lib/server/wallet/transactions/tables.ts';

/** The step of a migration in this state; earlier steps are done. */
const REACHED: readonly (readonly [MigrationState, StepId])[] = [
	['burn-unknown', 'burn'],
	['burn-pending', 'burn-confirmed'],
	['burn-confirmed', 'back-notarization'],
	['waiting-back-notarization', 'back-notarization'],
	['import-built', 'completion'],
	['waiting-target-notarization', 'target-notarization'],
	['needs-approval', 'import-sent'],
	['ready-to-import', 'import-sent'],
	['import-unknown', 'import-sent'],
	['import-pending', 'import-confirmed'],
	['stuck', 'import-sent'],
	['discarded', 'burn']
];

const REASONS: Partial<Record<MigrationState, MigrationReason>> = {
	'burn-unknown': { code: 'send.unknown', params: { chain: 'ALPHA' } },
	'waiting-back-notarization': { code: 'back-notarization.awaited', params: { chain: 'ALPHA' } },
	stuck: { code: 'import.refused', params: { chain: 'BETA', response: '64: scriptpubkey' } }
};

const freshId = (): string => randomBytes(32).toString('hex');

/** The database of a running application. */
export const databaseOf = (dataDir: string): Promise<Db> => openDatabase({ dataDir });

/**
 * Stores a copy of a finished migration in each possible state, with the steps of that state. Nothing is due,
 * so that the engine does not change them.
 */
export async function copyMigrations(db: Db, id: string): Promise<Map<MigrationState, string>> {
	const store = new MigrationStore({ locks, db, audit: createAudit(db, new Uint8Array(32)) });
	const model = (await store.load(id))!;
	const events = await store.events(id);
	const copies = new Map<MigrationState, string>();
	for (const [state, reached] of REACHED) {
		const copy = freshId().slice(0, 32);
		await store.insert(
			{ ...model.row, id: copy, burn_txid: freshId(), state, policy: 'ask', due_at: null },
			{ reason: REASONS[state] ?? null, steps: stepsUntil(model, reached), due: null }
		);
		const before = STEP_IDS.slice(0, STEP_IDS.indexOf(reached) + 1);
		for (const { step, message } of events.filter(({ step }) => before.includes(step))) {
			await store.act(copy, [state], { event: { step, message } });
		}
		copies.set(state, copy);
	}
	return copies;
}

function stepsUntil({ steps }: MigrationRecord, reached: StepId) {
	const last = STEP_IDS.indexOf(reached);
	return STEP_IDS.slice(0, last + 1).flatMap((step, place) => {
		const there = steps.get(step);
		if (!there) return [];
		return [
			{
				step,
				evidence: there.evidence,
				started: true as const,
				...(there.hex === null ? {} : { hex: { from: null, to: there.hex } }),
				...(there.txid === null ? {} : { txid: there.txid }),
				...(place < last ? { done: true as const } : {})
			}
		];
	});
}

/** Stores a copy of a built transaction, with different outputs, and moves it to a state. */
export async function copySend(
	db: Db,
	id: string,
	state: SendState | 'too-old',
	response: string | null = null
): Promise<string> {
	const store = createStore(db, locks);
	const model = (await store.get(id))!;
	const inputs = model.review.inputs.map((input) => ({ ...input, txid: freshId() }));
	const now = state === 'too-old' ? Date.now() - 2 * REVIEW_MS : Date.now();
	const copy = await store.add(
		{ ...model, txid: freshId(), review: { ...model.review, inputs } },
		now
	);
	if (state !== 'too-old' && state !== 'reviewed') {
		await store.move(copy, ['reviewed'], {
			state,
			rejection: response === null ? null : { code: 'daemon.refused', params: { response } },
			broadcastAt: now,
			settledAt: now
		});
	}
	return copy;
}
