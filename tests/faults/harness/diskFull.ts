/** A separate small disk that is filled during migrations, and emptied again. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface SmallDisk {
	folder: string;
	/** Uses up the free space. */
	fill(): void;
	free(): void;
	remove(): void;
}

const MEGABYTES = 96;
const CHUNK = 64 * 1024;

/** Mounts a small disk in memory; null without the right to mount. */
export function mountSmallDisk(): SmallDisk | null {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-faults-disk-'));
	try {
		execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m`, 'komodeck', folder], {
			stdio: 'ignore'
		});
	} catch {
		rmSync(folder, { recursive: true, force: true });
		return null;
	}
	const filler = join(folder, 'filler');
	return {
		folder,
		fill() {
			for (let size = MEGABYTES * 1024 * 1024; size >= CHUNK; size /= 2) {
				for (;;) {
					try {
						writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
					} catch {
						break;
					}
				}
			}
		},
		free: () => rmSync(filler, { force: true }),
		remove() {
			execFileSync('umount', ['-l', folder]);
			rmSync(folder, { recursive: true, force: true });
		}
	};
}

/** Whether the server says that it is ready, within a while. */
export async function readiness(url: string, wanted: boolean, timeout: number): Promise<boolean> {
	const end = Date.now() + timeout;
	for (;;) {
		const is = await fetch(`${url}/readyz`).then(
			({ ok }) => ok,
			() => null
		);
		if (is === wanted) return true;
		if (Date.now() >= end) return false;
		await pause(250);
	}
}
