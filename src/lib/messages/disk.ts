/** What a reading of the disk of the data folder means, for admins. */
import { sizeWords } from '#lib/text/sizeWords.ts';
import { errorMessage } from './errors/index.ts';

/** Bytes. */
export interface DiskStatus {
	/** What this process may still write. */
	readonly free: number;
	readonly size: number;
	/** What the index leaves to everything else. */
	readonly reserve: number;
	/** Whether the index lies on that disk; it does not with PostgreSQL. */
	readonly hasIndex: boolean;
	/** `low` is told before the index has to wait, `full` is when it waits. */
	readonly state: 'roomy' | 'low' | 'full';
}

/** A reserve of more than this part of the disk makes no sense. */
const LARGEST_PART = 4;

/** Whole sentences; null where nothing has to be said. */
export function diskMessage({ free, size, reserve, hasIndex, state }: DiskStatus): string | null {
	if (state === 'roomy') return null;
	const then = hasIndex ? ` Below ${sizeWords(reserve)} the index waits.` : '';
	const words =
		state === 'full'
			? errorMessage('indexer.no-room', { free, reserve })
			: `The disk of the data folder is getting full: ${sizeWords(free)} left.${then}`;
	const remedy =
		hasIndex && size < reserve * LARGEST_PART
			? `The reserve of ${sizeWords(reserve)} is large for a disk of ${sizeWords(size)}: set KOMODECK_INDEX_DISK_RESERVE to a smaller one.`
			: 'Free some room.';
	return `${words} ${remedy}`;
}
