/** Warnings about the disk of the data folder, for admins. */
import { sizeWords } from '#lib/text/sizeWords.ts';
import { errorMessage } from './errors/index.ts';

/** Bytes. */
export interface DiskStatus {
	/** Available to this process. */
	readonly free: number;
	readonly size: number;
	/** What the index leaves free. */
	readonly reserve: number;
	/** Whether the index is on that disk; with PostgreSQL it is not. */
	readonly hasIndex: boolean;
	/** `low` is a warning, at `full` the index waits. */
	readonly state: 'roomy' | 'low' | 'full';
}

/** A reserve larger than this fraction of the disk is unreasonable. */
const LARGEST_PART = 4;

/** Returns sentences; null when there is nothing to say. */
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
