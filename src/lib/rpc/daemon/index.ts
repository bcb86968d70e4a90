/** The registry of chain daemon methods. */
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
/** Native parameters: strings, numbers and JSON. Numbers that are sent as strings are strings here too. */
export type DaemonParams<M extends DaemonMethod> = NativeParams<DaemonMethods[M]['params']>;
/** Native result: amounts are bigint, in satoshi or base units. */
export type DaemonResult<M extends DaemonMethod> = z.output<DaemonMethods[M]['result']>;

/** Returns example parameters that a daemon accepts. */
export const daemonExamples = <M extends DaemonMethod>(method: M): readonly DaemonParams<M>[] =>
	daemonMethods[method].examples as readonly DaemonParams<M>[];

/** True for the name of a registered method; false for names inherited from Object.prototype. */
export function isDaemonMethod(name: string): name is DaemonMethod {
	return Object.hasOwn(daemonMethods, name);
}
