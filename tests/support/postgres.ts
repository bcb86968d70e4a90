/** A PostgreSQL server for a run of tests or of the bench. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { howToInstall, installPackage } from './install.ts';

const DEBIAN_VERSIONS = '/usr/lib/postgresql';

/** Where Debian keeps the server's programs: they are not in the PATH. */
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

/** Sees to it that there is a server to use; installed first where that was asked for. Throws a sentence else. */
export function ensurePostgres(): void {
	if (!process.env['KOMODECK_TEST_POSTGRES']) binaries();
}

/** PostgreSQL refuses to run as root; Debian's package brings a user for it. */
function serverUser(): { uid?: number; gid?: number } {
	if (!isRoot) return {};
	const ask = (option: string): number =>
		Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
	return { uid: ask('-u'), gid: ask('-g') };
}

function freePort(): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(0, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
		});
	});
}

export interface RunningServer {
	url: string;
	/** Ends it as a crash of the server does, and starts it over the same data. */
	crash(): Promise<void>;
	stop(): Promise<void>;
}

/** @param safe what was committed survives a crash of the server, at the price of time */
export async function startServer({ safe = false } = {}): Promise<RunningServer> {
	const bin = binaries();
	const user = serverUser();
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-postgres-'));
	const data = join(folder, 'data');
	const password = randomBytes(16).toString('hex');
	const passwordFile = join(folder, 'password');
	writeFileSync(passwordFile, password, { mode: 0o600 });
	if (user.uid !== undefined && user.gid !== undefined) {
		chownSync(folder, user.uid, user.gid);
		chownSync(passwordFile, user.uid, user.gid);
	}
	const options = { ...user, cwd: folder };
	execFileSync(
		join(bin, 'initdb'),
		[
			'-D',
			data,
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
		{ ...options, stdio: ['ignore', 'ignore', 'inherit'] }
	);
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
			join(bin, 'postgres'),
			[
				'-D',
				data,
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
		const ended = new Promise((resolve) => server.once('exit', resolve));
		server.kill(signal);
		await ended;
	};
	// A test run that is cut short leaves no server behind.
	const kill = (): boolean => server.kill('SIGQUIT');
	process.once('exit', kill);
	return {
		url: `postgres://komodeck:${password}@127.0.0.1:${port}/postgres`,
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
			if (line.includes('ready to accept connections')) resolve();
		});
	});
}
