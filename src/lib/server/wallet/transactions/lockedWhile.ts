import { neededWhile } from '../locked-utxos/neededWhile.ts';

/** How long a transaction needs its inputs: until its review ends, or it was refused; and always once it went out. */
export const sendNeeds = neededWhile('transactions', {
	over: ['rejected', 'discarded'],
	whileLocked: ['reviewed']
});
