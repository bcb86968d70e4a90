import { sql } from 'kysely';
import { neededWhile } from '../../wallet/locked-utxos/neededWhile.ts';
import { ARRIVED, OVER_REASONS, UNCONFIRMED } from './states.ts';

/** Stored reasons begin with their code. */
const isOver = sql.join(
	OVER_REASONS.map((code) => sql`coalesce(needing.reason, '') like ${`{"code":"${code}"%`}`),
	sql` or `
);

/**
 * How long a migration needs the inputs of its burn: until its draft ends, its import has arrived, or its burn can
 * never be confirmed.
 */
export const migrationNeeds = neededWhile('migrations', {
	over: [...ARRIVED, 'discarded'],
	whileLocked: UNCONFIRMED,
	isOver: sql`needing.state = 'stuck' and (${isOver})`
});
