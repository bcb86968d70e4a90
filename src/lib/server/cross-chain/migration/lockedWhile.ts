import { neededWhile } from '../../wallet/locked-utxos/neededWhile.ts';
import { ARRIVED, UNCONFIRMED } from './states.ts';

/** How long a migration needs the inputs of its burn: until its draft ends, or its import has arrived. */
export const migrationNeeds = neededWhile('migrations', {
	over: [...ARRIVED, 'discarded'],
	whileLocked: UNCONFIRMED
});
