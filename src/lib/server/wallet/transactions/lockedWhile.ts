import { neededWhile } from '../locked-utxos/neededWhile.ts';

/**
 * How long a transaction needs its inputs: until its review ends, or it was refused; and once it went out until its block
 * is final. That lets them go, also where the server stopped before it had.
 */
export const sendNeeds = neededWhile('transactions', {
	over: ['rejected', 'discarded'],
	whileLocked: ['reviewed'],
	final: 'final_at'
});
