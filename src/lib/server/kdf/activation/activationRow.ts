/** The stored state of an activation. */
import type { Selectable } from 'kysely';
import type { Failure } from '#lib/messages/errors/activation.ts';
import type { ActivationsTable } from './tables.ts';

/** A row of the table of activations. */
export type ActivationRow = Selectable<ActivationsTable> & {
	/**
	 * The encrypted columns cannot be decrypted: they were changed, or stored under another key. The request
	 * is then empty.
	 */
	unreadable?: true;
};

/** Returns the failure of the last try; null when there was none, and once a task has begun. */
export const lastFailure = ({ failure }: ActivationRow): Failure | null =>
	failure === null ? null : (JSON.parse(failure) as Failure);
