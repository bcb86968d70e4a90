/**
 * Open requests that wait for members, counted for every page and open browser. Nothing is shown while the
 * database does not respond.
 */
import { createRowCache, type ChangeStamp } from '../../platform/database/rowCache.ts';
import { createShown, unlessSilent } from '../../platform/database/shown.ts';
import type { Standing } from './standing.ts';

interface Waiting extends Pick<Standing, 'votes' | 'waitsFor'> {
	id: string;
	/** Unix milliseconds. */
	expiresAt: number;
}

interface Badge {
	/** Number of requests that wait for this member. */
	count(account: string): Promise<number>;
	/** A text that differs after each change of what waits. */
	stamp(): Promise<string>;
}

/** @param read reads the open requests */
export function createBadge(
	changed: ChangeStamp,
	clock: () => number,
	read: () => Promise<readonly Waiting[]>
): Badge {
	const kept = createRowCache<readonly Waiting[]>(changed);
	const find = unlessSilent(() => kept.get('open', read), []);
	const open = createShown(
		async () => (await find()).filter(({ expiresAt }) => expiresAt > clock()),
		(waiting) => waiting.map(({ id, votes }) => `${id} ${votes.length}`).join()
	);

	return {
		count: async (account) =>
			(await open.now()).filter(({ waitsFor }) => waitsFor.has(account)).length,
		stamp: open.stamp
	};
}
