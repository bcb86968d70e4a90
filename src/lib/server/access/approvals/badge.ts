/** What is open and waits for members, for every page and every open browser: nothing while the database is silent. */
import { createKept, type ChangeStamp } from '../../platform/database/kept.ts';
import { createShown, unlessSilent } from '../../platform/database/shown.ts';
import type { Standing } from './standing.ts';

interface Waiting extends Pick<Standing, 'votes' | 'waitsFor'> {
	id: string;
	/** Unix milliseconds. */
	expiresAt: number;
}

interface Badge {
	/** How many wait for this member. */
	count(account: string): Promise<number>;
	/** Another text after each change of what waits. */
	stamp(): Promise<string>;
}

/** @param read what is open now */
export function createBadge(
	changed: ChangeStamp,
	clock: () => number,
	read: () => Promise<readonly Waiting[]>
): Badge {
	const kept = createKept<readonly Waiting[]>(changed);
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
