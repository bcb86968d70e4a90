/** Waits for external events, and mines blocks in between if possible. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Miner } from './miner.ts';

export interface Waiting {
	miner: Miner;
	/** Milliseconds after which waiting stops. */
	timeout: number;
}

/** Polls until there is a result; null on timeout. */
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
