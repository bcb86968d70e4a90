/** What is open and waits for members, for every page and every open browser: nothing while the database is silent. */
import { databaseErrorKind } from '../../platform/database/databaseError.ts';
import { createKept, type ChangeStamp } from '../../platform/database/kept.ts';
import { createShown } from '../../platform/database/shown.ts';
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

	const shown = createShown();

	async function open(): Promise<readonly Waiting[]> {
		try {
			const found = (await kept.get('open', read)) ?? [];
			const now = found.filter(({ expiresAt }) => expiresAt > clock());
			shown.note(now.map(({ id, votes }) => `${id} ${votes.length}`).join());
			return now;
		} catch (error) {
			if (databaseErrorKind(error) === null) throw error;
			shown.note('');
			return [];
		}
	}

	return {
		count: async (account) => (await open()).filter(({ waitsFor }) => waitsFor.has(account)).length,
		async stamp() {
			await open();
			return shown.stamp();
		}
	};
}
