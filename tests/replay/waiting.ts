/** Waits for what others do, with blocks made in between where somebody makes them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Miner } from './miner.ts';

export interface Waiting {
	miner: Miner;
	/** Milliseconds after which nothing is waited for any longer. */
	timeout: number;
}

/** Looks until something is there; null when it did not come in time. */
export async function waitFor<T>(
	{ miner, timeout }: Waiting,
	look: () => Promise<T | null>
): Promise<T | null> {
	const end = Date.now() + timeout;
	for (;;) {
		const found = await look();
		if (found !== null) return found;
		if (Date.now() >= end) return null;
		await miner.round();
		await pause(miner.pause);
	}
}
