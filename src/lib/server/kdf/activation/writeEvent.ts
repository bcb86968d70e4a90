import { sql } from 'kysely';
import type { ActivationEvent } from '#lib/messages/activation/events.ts';
import { storedMessage } from '#lib/messages/catalogue.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { KdfTables } from '../tables.ts';

/** Writes an event of an activation, as the next of it. */
export async function writeEvent(
	trx: Executor<KdfTables>,
	activation: string,
	clock: () => number,
	message: ActivationEvent
): Promise<void> {
	// Writers of one activation pass one after the other, so that each event has a number of its own.
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
