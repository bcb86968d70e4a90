import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { howToInstall, installPackage } from './install.ts';

const FOLDERS = ['/usr/lib', '/usr/local/lib'];

/** Debian installs it in an architecture folder: /usr/lib/x86_64-linux-gnu/faketime. */
function installed(): string | null {
	const places = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) => [
		join(folder, 'faketime'),
		...readdirSync(folder).map((kind) => join(folder, kind, 'faketime'))
	]);
	return (
		places.map((place) => join(place, 'libfaketime.so.1')).find((file) => existsSync(file)) ?? null
	);
}

/** Path of libfaketime; with `--install` a missing one is installed. Throws a sentence when there is none. */
export function ensureFaketime(): string {
	const found = installed();
	if (found !== null) return found;
	installPackage('libfaketime');
	const now = installed();
	if (now !== null) return now;
	throw new Error(howToInstall('libfaketime', 'libfaketime'));
}

/** The environment of a process whose wall clock is shifted by the offset in `file`; its timers are real. */
export const faketimeEnv = (file: string): NodeJS.ProcessEnv => ({
	LD_PRELOAD: ensureFaketime(),
	FAKETIME_TIMESTAMP_FILE: file,
	FAKETIME_NO_CACHE: '1',
	DONT_FAKE_MONOTONIC: '1',
	FAKETIME_DONT_FAKE_MONOTONIC: '1'
});
