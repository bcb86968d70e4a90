import { daemonError, type DaemonError } from './daemonError.ts';
import type { DaemonClient } from './types.ts';

/**
 * Returns the error of a daemon that lacks blocks which the question is about.
 * @param blocks height that the daemon has
 * @param tip height that it needs
 */
export const syncing = (
	{ daemon }: Pick<DaemonClient, 'daemon'>,
	method: string,
	blocks: number,
	tip: number
): DaemonError =>
	daemonError('daemon.syncing', { daemon, method }, { delivery: 'delivered', blocks, tip });
