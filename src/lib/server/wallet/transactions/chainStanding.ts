import type { Asker } from '../../chains/daemon/lookup.ts';

/** Heights of a chain as its daemon says them. */
export interface ChainStanding {
	tip: number;
	/** The highest block that is notarized; 0 when none is. */
	notarized: number;
}

/** Asks a daemon where its chain is. @throws {AppError} `daemon` */
export async function standingOfChain(ask: Asker): Promise<ChainStanding> {
	const { blocks, notarized } = await ask.call('getinfo');
	return { tip: blocks, notarized };
}
