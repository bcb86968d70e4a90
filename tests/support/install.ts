/** Packages of Debian that the tests need. Nothing is installed unless `npm test -- --install` asks for it. */
import { spawnSync } from 'node:child_process';

/** Tells the processes of a run that it was asked for. */
const ASKED = 'KOMODECK_TEST_INSTALL';

export function askToInstall(): void {
	process.env[ASKED] = '1';
}

export const isAskedToInstall = (): boolean => process.env[ASKED] === '1';

/** Runs a command that installs something, and shows its errors only. */
export function runInstaller(command: string, ...args: string[]): void {
	spawnSync(command, args, {
		stdio: ['ignore', 'ignore', 'inherit'],
		timeout: 600_000,
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
	});
}

/** The list of packages is fetched once by a process. */
let isListed = false;

/** Installs a package where that was asked for; needs root. */
export function installPackage(name: string): void {
	if (!isAskedToInstall()) return;
	if (!isListed) runInstaller('apt-get', 'update');
	isListed = true;
	runInstaller('apt-get', 'install', '-y', '--no-install-recommends', name);
}

/** How a person comes by what is missing. */
export const howToInstall = (what: string, name: string): string =>
	`The tests need ${what}, which this machine lacks: apt-get install ${name}`;
