/** Every method of a chain daemon that Komodeck knows. */
import type { z } from 'zod';
import type { NativeParams } from '../types.ts';
import { addressMethods } from './addresses.ts';
import { blockMethods } from './blocks.ts';
import { migrationMethods } from './migration.ts';
import { networkMethods } from './network.ts';
import { notarizationMethods } from './notarization.ts';
import { tokenMethods } from './tokens.ts';
import { transactionMethods } from './transactions.ts';
import { walletMethods } from './wallet.ts';

export const daemonMethods = {
	...tokenMethods,
	...migrationMethods,
	...notarizationMethods,
	...transactionMethods,
	...blockMethods,
	...addressMethods,
	...walletMethods,
	...networkMethods
} as const;

export type DaemonMethods = typeof daemonMethods;
export type DaemonMethod = keyof DaemonMethods;
/** Native parameters: text, numbers and JSON; numbers that travel as text are text. */
export type DaemonParams<M extends DaemonMethod> = NativeParams<DaemonMethods[M]['params']>;
/** Native result: amounts are bigint satoshi or units. */
export type DaemonResult<M extends DaemonMethod> = z.output<DaemonMethods[M]['result']>;

/** Parameters of calls that work. */
export const daemonExamples = <M extends DaemonMethod>(method: M): readonly DaemonParams<M>[] =>
	daemonMethods[method].examples as readonly DaemonParams<M>[];

/** True for the name of a known method; names of Object.prototype are none. */
export function isDaemonMethod(name: string): name is DaemonMethod {
	return Object.hasOwn(daemonMethods, name);
}
