import { sql } from 'kysely';
import type { Index } from '../open.ts';

/** Burns that no indexed chain has imported yet, counted by age. */
export interface AgeBucket {
	label: string;
	count: number;
}

/** Buckets are counted up to this many burns; beyond, the page says that there are more. */
const COUNTED = 10_000;

/** Times of the burns without an import, oldest first, as Unix seconds. */
export async function openCrossings(index: Index): Promise<number[]> {
	const rows = await index
		.selectFrom('ix_burns')
		.select('time')
		.where(sql<boolean>`import_seq is null`)
		.orderBy('time')
		.orderBy('chain')
		.orderBy('seq')
		.limit(COUNTED)
		.execute();
	return rows.map(({ time }) => Number(time));
}

const BUCKETS: readonly (readonly [label: string, seconds: number])[] = [
	['under an hour', 3_600],
	['under a day', 86_400],
	['under a week', 7 * 86_400],
	['older', Infinity]
];

/** Sorts ages into an hour, a day, a week, and older. `now` in Unix milliseconds. */
export function ageBuckets(times: readonly number[], now: number): AgeBucket[] {
	const counts = BUCKETS.map(([label]) => ({ label, count: 0 }));
	for (const time of times) {
		const age = now / 1000 - time;
		const at = BUCKETS.findIndex(([, limit]) => age < limit);
		counts[at === -1 ? BUCKETS.length - 1 : at]!.count += 1;
	}
	return counts;
}
