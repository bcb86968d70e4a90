import { neededWhile } from '../locked-utxos/neededWhile.ts';

/**
 * Condition under which a transaction needs its inputs: until its review expires or it is rejected, and once it
 * was sent until its block is final. It ends the locks even if the server stopped before it could delete them.
 */
export const sendNeeds = neededWhile('transactions', {
	over: ['rejected', 'discarded'],
	whileLocked: ['reviewed'],
	final: 'final_at'
});
