/** Free space on the disk of the data folder, and the reserve that the index leaves free there. */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DiskStatus } from '#lib/messages/disk.ts';

/** Bytes. */
export interface DiskSpace {
	/** Available to this process. */
	free: number;
	size: number;
}

export type ReadDiskSpace = () => Promise<DiskSpace>;

export const MEGABYTE = 1_000_000;
/** Admins are warned below this multiple of the reserve. */
const LOW_TIMES = 2;
/** Reads the disk of a folder, or of its nearest existing parent. @throws when the system does not report it */
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

/** Whether the disk leaves the index its reserve free. @param reserve bytes */
const hasRoom = ({ free }: DiskSpace, reserve: number): boolean => free >= reserve;

/** Classifies a reading. @param hasIndex whether the index is on that disk; with PostgreSQL it is not */
export function diskStatus(space: DiskSpace, reserve: number, hasIndex: boolean): DiskStatus {
	const isFull = hasIndex && !hasRoom(space, reserve);
	const state = isFull ? 'full' : hasRoom(space, reserve * LOW_TIMES) ? 'roomy' : 'low';
	return { ...space, reserve, hasIndex, state };
}
