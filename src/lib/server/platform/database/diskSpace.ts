/** How much room the disk of the data folder has, and how much of it the index leaves to everything else. */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DiskStatus } from '#lib/messages/disk.ts';

/** Bytes. */
export interface DiskSpace {
	/** What this process may still write. */
	free: number;
	size: number;
}

export type ReadDiskSpace = () => Promise<DiskSpace>;

export const MEGABYTE = 1_000_000;
/** Below so many times the reserve admins are told. */
const LOW_TIMES = 2;
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

/** Whether the disk leaves the index its reserve free. @param reserve bytes */
const hasRoom = ({ free }: DiskSpace, reserve: number): boolean => free >= reserve;

/** What a reading means. @param hasIndex whether the index lies on the disk; it does not with PostgreSQL */
export function diskStatus(space: DiskSpace, reserve: number, hasIndex = true): DiskStatus {
	const isFull = hasIndex && !hasRoom(space, reserve);
	const state = isFull ? 'full' : hasRoom(space, reserve * LOW_TIMES) ? 'roomy' : 'low';
	return { ...space, reserve, hasIndex, state };
}
