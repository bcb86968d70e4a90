/** Debian packages for the tests. They are installed only with `npm test -- --install`. */
import { spawnSync } from 'node:child_process';

/** Environment variable that tells the processes of a run that installing was requested. */
const ASKED = 'KOMODECK_TEST_INSTALL';

export function askToInstall(): void {
	process.env[ASKED] = '1';
}

export const isAskedToInstall = (): boolean => process.env[ASKED] === '1';

/** Runs an installation command and shows only its errors. */
export function runInstaller(command: string, ...args: string[]): void {
	spawnSync(command, args, {
		stdio: ['ignore', 'ignore', 'inherit'],
		timeout: 600_000,
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
	});
}

/** The package list is updated once per process. */
let isListed = false;

/** Installs a package if that was requested; needs root. */
export function installPackage(name: string): void {
	if (!isAskedToInstall()) return;
	if (!isListed) runInstaller('apt-get', 'update');
	isListed = true;
	runInstaller('apt-get', 'install', '-y', '--no-install-recommends', name);
}

/** Tells the user how to install a missing requirement. */
export const howToInstall = (what: string, name: string): string =>
	`The tests need ${what}, which this machine lacks: apt-get install ${name}`;
