import type { DaemonClient } from '#lib/server/chains/daemon/types.ts';
import { AppError } from '../../../platform/errors/appError.ts';

/** Errors of a daemon that is not the one that the migration began with. */
export const WRONG_DAEMON = ['engine.wrong-chain', 'engine.no-sapling'] as const;

/** Checks that a daemon runs the chain in the record, with Sapling active. @throws {AppError} {@link WRONG_DAEMON} */
export async function checkDaemon(
	client: DaemonClient,
	chain: string,
	ccid: number | null
): Promise<{ blocks: number; notarized: number }> {
	const info = await client.identity();
	if (info.name !== chain || (ccid !== null && info.CCid !== ccid)) {
		const params = { chain, daemon: client.daemon, name: info.name, ccid: info.CCid ?? null };
		throw new AppError('engine.wrong-chain', params);
	}
	// Before Sapling, a chain rebuilds transactions in a format that the others refuse.
	if (info.sapling < 0 || info.sapling > info.blocks) {
		throw new AppError('engine.no-sapling', { chain });
	}
	return { blocks: info.blocks, notarized: info.notarized };
}
