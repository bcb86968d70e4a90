/** Looks at the disk of the data folder now and then, and tells what it found without waiting. */
import { diskMessage, type DiskStatus } from '#lib/messages/disk.ts';
import { diskStatus, type ReadDiskSpace } from './diskSpace.ts';

const LOOK_EVERY_MS = 10_000;

export interface DiskWatch {
	/** What the last look found; null before the first one, and when the system does not say. */
	status(): DiskStatus | null;
	/** Looks now. */
	look(): Promise<DiskStatus | null>;
	stop(): void;
}

interface DiskWatchParts {
	read: ReadDiskSpace;
	/** Bytes that the index leaves. */
	reserve: number;
	/** Whether the index lies on that disk; it does not with PostgreSQL. */
	hasIndex: boolean;
	/** Told when the disk gets low or full, once for each change. */
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
