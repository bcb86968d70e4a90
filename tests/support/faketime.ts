import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['/usr/lib', '/usr/local/lib'];

/** Debian keeps it in a folder of the machine's kind: /usr/lib/x86_64-linux-gnu/faketime. */
function installed(): string | null {
	const places = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) => [
		join(folder, 'faketime'),
		...readdirSync(folder).map((kind) => join(folder, kind, 'faketime'))
	]);
	return (
		places.map((place) => join(place, 'libfaketime.so.1')).find((file) => existsSync(file)) ?? null
	);
}

/** Path of libfaketime, installed first as Debian's package when it is not there (needs root). */
export function ensureFaketime(): string {
	const found = installed();
	if (found !== null) return found;
	for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'libfaketime']]) {
		spawnSync('apt-get', args, {
			stdio: ['ignore', 'ignore', 'inherit'],
			timeout: 300_000,
			env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
		});
	}
	const now = installed();
	if (now !== null) return now;
	throw new Error(
		'No libfaketime was found and none could be installed. Install the package "libfaketime".'
	);
}

/** The environment of a process whose wall clock is `file`'s offset away from the real one; its timers are real. */
export const faketimeEnv = (file: string): NodeJS.ProcessEnv => ({
	LD_PRELOAD: ensureFaketime(),
	FAKETIME_TIMESTAMP_FILE: file,
	FAKETIME_NO_CACHE: '1',
	DONT_FAKE_MONOTONIC: '1',
	FAKETIME_DONT_FAKE_MONOTONIC: '1'
});
