import type { DaemonClient } from '../../chains/daemon/types.ts';

/** Heights of a chain as its daemon reports them. */
export interface ChainStatus {
	tip: number;
	/** The highest block that is notarized; 0 when none is. */
	notarized: number;
}

/** Reads the heights of a chain from its daemon. @throws {AppError} `daemon` */
export async function statusOfChain(client: DaemonClient): Promise<ChainStatus> {
	const { blocks, notarized } = await client.call('getinfo');
	return { tip: blocks, notarized };
}
