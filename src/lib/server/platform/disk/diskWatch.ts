/** Polls the disk of the data folder and serves the last result without waiting. */
import { diskMessage, type DiskStatus } from '#lib/messages/disk.ts';
import { diskStatus, type ReadDiskSpace } from './diskSpace.ts';

const LOOK_EVERY_MS = 10_000;

export interface DiskWatch {
	/** The last result; null before the first reading, and when the system does not report it. */
	status(): DiskStatus | null;
	/** Reads the disk now. */
	look(): Promise<DiskStatus | null>;
	stop(): void;
}

interface DiskWatchParts {
	read: ReadDiskSpace;
	/** Bytes that the index leaves free. */
	reserve: number;
	/** Whether the index is on that disk; with PostgreSQL it is not. */
	hasIndex: boolean;
	/** Called when the disk becomes low or full, once per change of state. */
	warn: (words: string) => void;
	onError: (error: unknown) => void;
}

export function createDiskWatch({
	read,
	reserve,
	hasIndex,
	warn,
	onError
}: DiskWatchParts): DiskWatch {
	let last: DiskStatus | null = null;
	async function look(): Promise<DiskStatus | null> {
		try {
			const found = diskStatus(await read(), reserve, hasIndex);
			const words = diskMessage(found);
			if (words !== null && found.state !== last?.state) warn(words);
			last = found;
		} catch (error) {
			onError(error);
			last = null;
		}
		return last;
	}
	const timer = setInterval(() => void look(), LOOK_EVERY_MS);
	timer.unref();
	return { status: () => last, look, stop: () => clearInterval(timer) };
}
