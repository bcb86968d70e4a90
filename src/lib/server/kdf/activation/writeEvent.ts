import { sql } from 'kysely';
import type { ActivationEvent } from '#lib/messages/activation/events.ts';
import { storedMessage } from '#lib/messages/catalogue.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { KdfTables } from '../tables.ts';

/** Appends an event to an activation. */
export async function writeEvent(
	trx: Executor<KdfTables>,
	activation: string,
	clock: () => number,
	message: ActivationEvent
): Promise<void> {
	// The update serializes writers of one activation, so that each event gets a unique number.
	await trx
		.updateTable('activations')
		.set({ updated_at: BigInt(clock()) })
		.where('id', '=', activation)
		.execute();
	await trx
		.insertInto('activation_events')
		.values((values) => ({
			activation,
			seq: values
				.selectFrom('activation_events as before')
				.select(sql<bigint>`coalesce(max(before.seq), 0) + 1`.as('seq'))
				.where('before.activation', '=', activation),
			time: BigInt(clock()),
			message: storedMessage(message)
		}))
		.execute();
}
