/** How much room the disk of the data folder has, and how much of it the index leaves to everything else. */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Bytes. */
export interface DiskSpace {
	/** What this process may still write. */
	free: number;
	size: number;
}

export type ReadDiskSpace = () => Promise<DiskSpace>;

export interface DiskStanding extends DiskSpace {
	/** `low` is told before the index has to wait, `full` is when it waits. */
	state: 'roomy' | 'low' | 'full';
	/** Sentences for admins; null where nothing has to be said. */
	words: string | null;
}

export const MEGABYTE = 1_000_000;
/** Below so many times the reserve admins are told. */
const LOW_TIMES = 2;
/** A reserve of more than this part of the disk makes no sense. */
const LARGEST_PART = 4;

const sizeWords = (bytes: number): string =>
	bytes < 10_000 * MEGABYTE
		? `${Math.floor(bytes / MEGABYTE)} MB`
		: `${Math.floor(bytes / (1_000 * MEGABYTE))} GB`;

/** Reads the disk that a folder lies on, or will lie on once it is made. @throws when the system does not say */
export function diskSpaceOf(folder: string): ReadDiskSpace {
	const read = async (place: string): Promise<DiskSpace> => {
		try {
			const { bsize, bavail, blocks } = await statfs(place);
			return { free: bavail * bsize, size: blocks * bsize };
		} catch (error) {
			const above = dirname(place);
			const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
			if (!isMissing || above === place) throw error;
			return read(above);
		}
	};
	return () => read(folder);
}

/** Why the index must not write now, as a sentence; null while it leaves the reserve. */
export function roomProblem({ free }: DiskSpace, reserve: number): string | null {
	return free >= reserve
		? null
		: `The disk is nearly full: ${sizeWords(free)} left. The index goes on once ${sizeWords(reserve)} are free.`;
}

/**
 * What a reading means.
 * @param hasIndex whether the index lies on the disk; it does not with PostgreSQL
 */
export function diskStanding(space: DiskSpace, reserve: number, hasIndex = true): DiskStanding {
	const { free, size } = space;
	const full = hasIndex ? roomProblem(space, reserve) : null;
	const then = hasIndex ? ` Below ${sizeWords(reserve)} the index waits.` : '';
	const low =
		free < reserve * LOW_TIMES
			? `The disk of the data folder is getting full: ${sizeWords(free)} left.${then}`
			: null;
	const words = full ?? low;
	if (words === null) return { ...space, state: 'roomy', words };
	const small =
		hasIndex && size < reserve * LARGEST_PART
			? ` The reserve of ${sizeWords(reserve)} is large for a disk of ${sizeWords(size)}: set KOMODECK_INDEX_DISK_RESERVE to a smaller one.`
			: ' Free some room.';
	return { ...space, state: full === null ? 'low' : 'full', words: `${words}${small}` };
}
