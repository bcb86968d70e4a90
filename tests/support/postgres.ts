/** A PostgreSQL server for a run of tests or of the bench. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { howToInstall, installPackage } from './install.ts';
import { freePort } from './freePort.ts';

const DEBIAN_VERSIONS = '/usr/lib/postgresql';

/** Folder of the server's programs on Debian, which are not in the PATH. */
function debianBinaries(): string | null {
	if (!existsSync(DEBIAN_VERSIONS)) return null;
	const folders = readdirSync(DEBIAN_VERSIONS)
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => join(DEBIAN_VERSIONS, version, 'bin'));
	return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

const isRoot = process.getuid?.() === 0;

function binaries(): string {
	const found = debianBinaries();
	if (found) return found;
	installPackage('postgresql');
	const installed = debianBinaries();
	if (installed) return installed;
	throw new Error(
		`${howToInstall('PostgreSQL', 'postgresql')}, or set KOMODECK_TEST_POSTGRES to the address of a server whose user may create databases`
	);
}

/**
 * Ensures that there is a PostgreSQL server to use, with `--install` by installing it. Throws a sentence if
 * there is none.
 */
export function ensurePostgres(): void {
	if (!process.env['KOMODECK_TEST_POSTGRES']) binaries();
}

/** PostgreSQL refuses to run as root; Debian's package creates a user for it. */
function serverUser(): { uid?: number; gid?: number } {
	if (!isRoot) return {};
	const ask = (option: string): number =>
		Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
	return { uid: ask('-u'), gid: ask('-g') };
}

export interface RunningServer {
	url: string;
	/** Ends it like a crash of the server. */
	kill(): Promise<void>;
	/** Ends it like a crash if it still runs, and starts it over the same data. */
	crash(): Promise<void>;
	stop(): Promise<void>;
}

/** A folder for a server, owned by the user that runs it. */
function ownFolder(): { folder: string; options: { cwd: string; uid?: number; gid?: number } } {
	const user = serverUser();
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-postgres-'));
	if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
	return { folder, options: { ...user, cwd: folder } };
}

/** Runs a server on the data in a folder. */
async function runServer(
	{ folder, options }: ReturnType<typeof ownFolder>,
	address: (port: number) => string,
	safe: boolean
): Promise<RunningServer> {
	const port = await freePort();
	const settings = {
		listen_addresses: '127.0.0.1',
		unix_socket_directories: '',
		fsync: 'off',
		synchronous_commit: safe ? 'on' : 'off',
		full_page_writes: 'off',
		max_connections: '200'
	};
	const launch = async (): Promise<ChildProcess> => {
		const child = spawn(
			join(binaries(), 'postgres'),
			[
				'-D',
				join(folder, 'data'),
				'-p',
				String(port),
				...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
			],
			{ ...options, stdio: ['ignore', 'ignore', 'pipe'] }
		);
		await untilReady(child);
		return child;
	};
	let server = await launch();
	const end = async (signal: NodeJS.Signals): Promise<void> => {
		if (server.exitCode !== null || server.signalCode !== null) return;
		const ended = new Promise((resolve) => server.once('exit', resolve));
		server.kill(signal);
		await ended;
	};
	// An aborted test run leaves no server running.
	const kill = (): boolean => server.kill('SIGQUIT');
	process.once('exit', kill);
	return {
		url: address(port),
		kill: () => end('SIGQUIT'),
		async crash() {
			await end('SIGQUIT');
			server = await launch();
		},
		async stop() {
			process.removeListener('exit', kill);
			await end('SIGINT');
			rmSync(folder, { recursive: true, force: true });
		}
	};
}

/** @param safe commits survive a crash of the server, which makes them slower */
export async function startServer({ safe = false } = {}): Promise<RunningServer> {
	const own = ownFolder();
	const password = randomBytes(16).toString('hex');
	const passwordFile = join(own.folder, 'password');
	writeFileSync(passwordFile, password, { mode: 0o600 });
	const { uid, gid } = own.options;
	if (uid !== undefined && gid !== undefined) chownSync(passwordFile, uid, gid);
	execFileSync(
		join(binaries(), 'initdb'),
		[
			'-D',
			join(own.folder, 'data'),
			'-U',
			'komodeck',
			'-A',
			'scram-sha-256',
			`--pwfile=${passwordFile}`,
			'-E',
			'UTF8',
			'--locale=C',
			'--no-sync'
		],
		{ ...own.options, stdio: ['ignore', 'ignore', 'inherit'] }
	);
	const address = (port: number): string =>
		`postgres://komodeck:${password}@127.0.0.1:${port}/postgres`;
	return runServer(own, address, safe);
}

/** Makes an empty database in a server. @returns its address */
export async function newDatabase(server: string, name: string): Promise<string> {
	const client = new pg.Client({ connectionString: server });
	await client.connect();
	await client.query(`create database ${name}`);
	await client.end();
	const url = new URL(server);
	url.pathname = `/${name}`;
	return url.href;
}

/** A hot standby of a server, with the same address except for the port; it replicates by streaming. */
export async function startStandby(primary: Pick<RunningServer, 'url'>): Promise<RunningServer> {
	const own = ownFolder();
	const data = join(own.folder, 'data');
	execFileSync(
		join(binaries(), 'pg_basebackup'),
		['-D', data, '-d', primary.url, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
		{ ...own.options, stdio: ['ignore', 'ignore', 'inherit'] }
	);
	const address = (port: number): string => {
		const url = new URL(primary.url);
		url.port = String(port);
		return url.href;
	};
	return runServer(own, address, false);
}

/** Reads the server's log until it says that it accepts connections. */
function untilReady(server: ChildProcess): Promise<void> {
	return new Promise((resolve, reject) => {
		const log: string[] = [];
		server.once('error', reject);
		server.once('exit', (code) => {
			reject(new Error(`PostgreSQL ended with ${String(code)}:\n${log.join('\n')}`));
		});
		if (!server.stderr) return reject(new Error('PostgreSQL has no log.'));
		createInterface({ input: server.stderr }).on('line', (line) => {
			log.push(line);
			if (/ready to accept (?:read-only )?connections/.test(line)) resolve();
		});
	});
}
