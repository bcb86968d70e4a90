import type { DaemonClient } from '../../chains/daemon/lookup.ts';

/** Heights of a chain as its daemon says them. */
export interface ChainStatus {
	tip: number;
	/** The highest block that is notarized; 0 when none is. */
	notarized: number;
}

/** Asks a daemon where its chain is. @throws {AppError} `daemon` */
export async function statusOfChain(client: DaemonClient): Promise<ChainStatus> {
	const { blocks, notarized } = await client.call('getinfo');
	return { tip: blocks, notarized };
}
