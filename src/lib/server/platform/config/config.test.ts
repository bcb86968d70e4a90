import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isAppError } from '../errors/appError.ts';
import { parseConf } from './conf.ts';
import { readCredentials } from './credentials.ts';
import { discoverDaemons } from './discover.ts';
import { loadConfig } from './load.ts';

let home: string;
const write = (path: string, text: string): string => {
	const file = join(home, path);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
	return file;
};
const problems = (env: NodeJS.ProcessEnv): readonly string[] => {
	try {
		loadConfig(env);
	} catch (error) {
		if (isAppError(error, 'config', 'mm2')) return error.message.split('\n');
		throw error;
	}
	return [];
};

beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'komodeck-home-'));
});
afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(home, { recursive: true });
});

describe('settings that say something more of another one', () => {
	const notes = (env: NodeJS.ProcessEnv): readonly string[] =>
		loadConfig({ KOMODO_HOME: join(home, 'none'), ...env }).notes;

	it('are named where that one is not set, and their values are not', () => {
		const alone = {
			KOMODECK_SMTP_USER: 'canary',
			KOMODECK_SMTP_PASSWORD: 'canary',
			KOMODECK_AUDIT_EXPORT_TOKEN: 'canary',
			KOMODECK_SIGN_ON_CLIENT_SECRET: 'canary',
			XFF_DEPTH: '2'
		};
		expect(notes(alone)).toEqual([
			'KOMODECK_SMTP_USER does nothing without KOMODECK_SMTP_HOST, which is not set.',
			'KOMODECK_AUDIT_EXPORT_TOKEN does nothing without KOMODECK_AUDIT_EXPORT, which is not set.',
			'KOMODECK_SIGN_ON_CLIENT_SECRET does nothing without KOMODECK_SIGN_ON_ISSUER, which is not set.',
			'XFF_DEPTH does nothing without ADDRESS_HEADER, which is not set.'
		]);
		const together = {
			...alone,
			KOMODECK_SMTP_HOST: 'smtp.example.org',
			KOMODECK_MAIL_FROM: 'deck@example.org',
			KOMODECK_SIGN_ON_ISSUER: 'https://id.example.org',
			KOMODECK_SIGN_ON_CLIENT_ID: 'komodeck',
			ADDRESS_HEADER: 'X-Forwarded-For'
		};
		expect(notes({ ...together, KOMODECK_AUDIT_EXPORT: 'https://siem.example.org' })).toEqual([]);
		expect(notes({ XFF_DEPTH: '2', ADDRESS_HEADER: 'X-Real-IP' })).toEqual([
			expect.stringMatching(/^XFF_DEPTH does nothing: ADDRESS_HEADER is not X-Forwarded-For/)
		]);
		expect(notes({ ...together, KOMODECK_AUDIT_EXPORT: 'syslogs://siem.example.org' })).toEqual([
			expect.stringMatching(/^KOMODECK_AUDIT_EXPORT_TOKEN does nothing: .* is a syslog server/)
		]);
	});
});

describe('a daemon’s configuration file', () => {
	it('is read with CRLF and values that hold the equals sign', () => {
		const conf = parseConf('rpcuser=u\r\n rpcpassword = a=bc== \r\n\r\nserver\r\nrpcuser=x');
		expect([...conf]).toEqual([
			['rpcuser', 'u'],
			['rpcpassword', 'a=bc==']
		]);
	});

	it('ends a line at its first number sign, and keeps keys of sections apart, as the daemon does', () => {
		const conf = parseConf(
			'# login\nrpcport=7771 # as installed\n#rpcuser=old\nrpcpassword=a#b\n[test]\nrpcport=1\nrpcuser=u'
		);
		expect([...conf]).toEqual([
			['rpcport', '7771'],
			['rpcpassword', 'a'],
			['test.rpcport', '1'],
			['test.rpcuser', 'u']
		]);
	});
});

describe('settings that name chains', () => {
	const NAMES = ['KOMODECK_INDEX_FROM', 'KOMODECK_FINALITY', 'KOMODECK_SELF_IMPORT'] as const;
	const value = (name: (typeof NAMES)[number]): string =>
		name === 'KOMODECK_SELF_IMPORT' ? `02${'ab'.repeat(32)}` : '20';

	it('say so where no daemon of the chain is configured', () => {
		write('ALPHA/ALPHA.conf', 'rpcuser=a\nrpcpassword=b\nrpcport=17771\n');
		for (const name of NAMES) {
			const set = (chains: string[]) => ({
				KOMODO_HOME: home,
				[name]: chains.map((chain) => `${chain}=${value(name)}`).join(', ')
			});
			expect(loadConfig(set(['ALPHA'])).notes).toEqual([]);
			expect(loadConfig(set(['ALPHA', 'ALHPA'])).notes).toEqual([
				`${name} names ALHPA, and no daemon of that chain is configured.`
			]);
			expect(problems(set(['ALPHA', 'ALPHA']))).toEqual([`${name} names ALPHA twice.`]);
			// Without any daemon, devnet would be started.
			expect(loadConfig({ ...set(['ALHPA']), KOMODO_HOME: join(home, 'none') }).notes).toEqual([]);
		}
	});
});

describe('discovery', () => {
	it('finds KMD, asset chains and further daemons of a chain', async () => {
		write('komodo.conf', 'rpcuser=k\nrpcpassword=p=1\n');
		write('ALPHA/ALPHA.conf', 'rpcuser=a\r\nrpcpassword=b\r\nrpcport=17771\r\nac_cc=777\r\n');
		write('BETA-notary-1/BETA.conf', 'rpcuser=a\nrpcpassword=b\nrpcport=17774\n');
		write('BETA/BETA.conf', 'rpcuser=a\nrpcpassword=b\nrpcport=17773\n');
		write('blocks/000.dat', '');
		const { daemons, notes } = discoverDaemons(home);
		expect(notes).toEqual([]);
		expect(daemons.map(({ id, chain, url, purposes }) => [id, chain, url, purposes])).toEqual([
			['KMD', 'KMD', 'http://127.0.0.1:7771/', ['read', 'wallet']],
			['ALPHA', 'ALPHA', 'http://127.0.0.1:17771/', ['read', 'wallet']],
			['BETA', 'BETA', 'http://127.0.0.1:17773/', ['read', 'wallet']],
			['BETA:notary-1', 'BETA', 'http://127.0.0.1:17774/', ['notary']]
		]);
		expect(daemons[1]?.expect.ccid).toBe(777);
		expect(await readCredentials(daemons[0]!.credentials)).toEqual({ user: 'k', password: 'p=1' });
	});

	it('follows links to folders and to files of settings, and passes over those that lead nowhere', () => {
		write('volume/komodo.conf', 'rpcuser=k\nrpcpassword=p\n');
		write('volume/ALPHA/ALPHA.conf', 'rpcport=17771\n');
		write('volume/BETA.conf', 'rpcport=17772\n');
		write('volume/MM2.json', '{"rpc_password":"p"}');
		mkdirSync(join(home, 'komodo/BETA'), { recursive: true });
		const links = { 'komodo.conf': 'komodo.conf', ALPHA: 'ALPHA', 'MM2.json': 'MM2.json' };
		for (const [name, to] of Object.entries({ ...links, 'BETA/BETA.conf': 'BETA.conf' })) {
			symlinkSync(join(home, 'volume', to), join(home, 'komodo', name));
		}
		symlinkSync(join(home, 'nowhere'), join(home, 'komodo/GAMMA'));
		symlinkSync(join(home, 'nowhere'), join(home, 'komodo/BETA/old.conf'));
		const { daemons, nodes, notes } = discoverDaemons(join(home, 'komodo'));
		expect(notes).toEqual([]);
		expect(daemons.map(({ id }) => id)).toEqual(['KMD', 'ALPHA', 'BETA']);
		expect(nodes.map(({ id }) => id)).toEqual(['trading-node']);
	});

	it('says that there is something else than a folder, or one that this user cannot read', () => {
		const file = write('komodo.conf', '');
		expect(discoverDaemons(file).notes).toEqual([`${file} cannot be read by this user.`]);
	});

	it('takes the cookie when the password is empty', async () => {
		write('ALPHA/ALPHA.conf', 'rpcuser=a\nrpcpassword=\nrpcport=1234\n');
		write('ALPHA/.cookie', '__cookie__:abc+/=\n');
		const [alpha] = discoverDaemons(home).daemons;
		expect(await readCredentials(alpha!.credentials)).toEqual({
			user: '__cookie__',
			password: 'abc+/='
		});
	});

	it('finds the cookie where the daemon puts it: by its file, its data folder and its network', async () => {
		const login = async (conf: string) => {
			write('ALPHA/ALPHA.conf', `rpcport=1234\n${conf}\n`);
			const [alpha] = discoverDaemons(home).daemons;
			return (await readCredentials(alpha!.credentials)).password;
		};
		const elsewhere = join(home, 'disk');
		write('disk/.cookie', '__cookie__:of-the-data-folder');
		write('disk/login', '__cookie__:named');
		expect(await login(`datadir=${elsewhere}`)).toBe('of-the-data-folder');
		expect(await login(`datadir=${elsewhere}\nrpccookiefile=login`)).toBe('named');
		expect(await login(`rpccookiefile=${join(elsewhere, 'login')}`)).toBe('named');
		write('ALPHA/regtest/.cookie', '__cookie__:of-regtest');
		expect(await login('')).toBe('of-regtest');
		// Left behind by a daemon that was killed on the main network.
		utimesSync(write('ALPHA/.cookie', '__cookie__:left'), 1, 1);
		expect(await login('')).toBe('of-regtest');
		await expect(login(`datadir=${join(home, 'none')}`)).rejects.toMatchObject({
			params: { file: join(home, 'none/.cookie') }
		});
	});

	it('asks a daemon where it listens', () => {
		const url = (conf: string) => {
			write('ALPHA/ALPHA.conf', `rpcuser=a\nrpcpassword=b\n${conf}\n`);
			return discoverDaemons(home).daemons.map((daemon) => daemon.url)[0];
		};
		const rpc = 'rpcport=1234\nrpcallowip=10.0.0.0/8\n';
		expect(url('rpcport=1234\nrpcbind=10.0.0.5')).toBe('http://127.0.0.1:1234/');
		expect(url(rpc)).toBe('http://127.0.0.1:1234/');
		expect(url(`${rpc}rpcbind=10.0.0.5`)).toBe('http://10.0.0.5:1234/');
		expect(url(`${rpc}rpcbind=10.0.0.5\nrpcbind=127.0.0.1:1235`)).toBe('http://127.0.0.1:1235/');
		expect(url(`${rpc}rpcbind=0.0.0.0`)).toBe('http://127.0.0.1:1234/');
		expect(url(`${rpc}rpcbind=::1`)).toBe('http://[::1]:1234/');
		expect(url(`${rpc}rpcbind=[fd00::5]:1236`)).toBe('http://[fd00::5]:1236/');
		expect(url(`${rpc}rpcbind=a host`)).toBe('http://127.0.0.1:1234/');
		expect(url('rpcallowip=10.0.0.0/8\nrpcbind=10.0.0.5:1237')).toBe('http://10.0.0.5:1237/');
		expect(url(`${rpc}rpcbind=10.0.0.5:99999`)).toBeUndefined();
	});

	it('says what it cannot use, without any value', () => {
		write('ALPHA/ALPHA.conf', 'rpcpassword=secret-canary\n');
		write('BETA/BETA.conf', 'rpcport=secret-canary\n');
		write('GAMMA/one.conf', '');
		write('GAMMA/two.conf', '');
		const { daemons, notes } = discoverDaemons(home);
		expect(daemons).toEqual([]);
		expect(notes).toHaveLength(3);
		expect(notes.join()).not.toContain('secret-canary');
	});

	it('finds trading nodes by their settings, and keeps passphrase and password to itself', () => {
		write(
			'MM2.json',
			'{"rpc_password":"secret-canary-1","passphrase":"secret-canary-2","rpcip":"0.0.0.0","rpcport":"17783"}'
		);
		write('kdf/MM2.json', '{"rpc_password":"secret-canary-3","rpcip":"::1","https":true}');
		write('open/MM2.json', '{"passphrase":"secret-canary-4"}');
		write('any/MM2.json', '{"rpc_password":"secret-canary-5","rpcport":0}');
		write('broken/MM2.json', '{"rpc_password":"secret-canary-6"');
		write('high/MM2.json', '{"rpc_password":"secret-canary-7","rpcport":70000}');
		const { nodes, daemons, notes } = discoverDaemons(home);
		expect(daemons).toEqual([]);
		expect(nodes.map(({ id, url }) => [id, url])).toEqual([
			['trading-node', 'http://127.0.0.1:17783/'],
			['trading-node:kdf', 'https://[::1]:7783/']
		]);
		expect(notes.map((note) => note.replace(home, '')).sort()).toEqual([
			'/any/MM2.json has the rpcport 0: any free one, which is not known here.',
			'/broken/MM2.json is not JSON.',
			'/high/MM2.json has an rpcport that is not a port.',
			'/open/MM2.json has no rpc_password: the node would accept calls from anyone.'
		]);
		expect(JSON.stringify([nodes, notes])).not.toContain('secret-canary');
	});

	it('is empty where there is no folder', () => {
		expect(discoverDaemons(join(home, 'none'))).toEqual({ daemons: [], nodes: [], notes: [] });
	});
});

describe('settings', () => {
	it('name the folder of the user by ~ where no shell reads them, as the lines of .env.example', () => {
		vi.stubEnv('HOME', home);
		const login = 'rpcuser=u\nrpcpassword=p\nrpcport=7771\n';
		write('.komodo/komodo.conf', login);
		write('secret', '0'.repeat(64));
		const { daemons, dataDir, coinsFile } = loadConfig({
			KOMODO_HOME: '~/.komodo',
			KOMODECK_DATA: '~/data',
			KOMODECK_COINS: '~/.komodo/coins_config.json',
			KOMODECK_SECRET_KEY_FILE: '~/secret'
		});
		expect(daemons.map(({ id }) => id)).toEqual(['KMD']);
		expect([dataDir, coinsFile]).toEqual([
			join(home, 'data'),
			join(home, '.komodo/coins_config.json')
		]);
		write(
			'of/deck.json',
			'{"daemons":[{"chain":"A","url":"http://127.0.0.1:1","cookieFile":"~/c"}]}'
		);
		const [named] = loadConfig({ KOMODECK_CONFIG: '~/of/deck.json' }).daemons;
		expect(named?.credentials).toEqual({ kind: 'cookie', file: join(home, 'c') });
	});

	it('have defaults', () => {
		const config = loadConfig({ KOMODO_HOME: home });
		expect(config).toMatchObject({
			host: '127.0.0.1',
			hosts: [],
			port: 3000,
			databaseUrl: null,
			databaseReadUrl: null,
			origin: null,
			admin: null,
			fungibleTokens: true,
			proxyHeader: null,
			publicBrowsing: false,
			daemons: []
		});
	});

	it.each(['https://Deck.Example.org', 'https://deck.example.org:443/'])(
		'take the public address as people write it: %s',
		(origin) => {
			const config = loadConfig({ KOMODO_HOME: home, KOMODECK_ORIGIN: origin });
			expect(config.origin).toBe('https://deck.example.org');
		}
	);

	it('name the configuration file that is not there', () => {
		const file = join(home, 'none.json');
		expect(problems({ KOMODECK_CONFIG: file })).toEqual([
			`KOMODECK_CONFIG names ${file}, which cannot be read (ENOENT).`
		]);
	});

	it('are refused with a sentence per mistake and no value', () => {
		const found = problems({
			KOMODO_HOME: home,
			PORT: 'http',
			DATABASE_URL: 'mysql://root:secret-canary@host/db',
			DATABASE_READ_URL: 'postgres://user:secret-canary@standby/db',
			KOMODECK_ORIGIN: 'https://deck.example.org/path',
			KOMODECK_HOSTS: 'deck.lan,*.example.org',
			KOMODECK_INDEX_DISK_RESERVE: '1000000',
			KOMODECK_PUBLIC: 'yes',
			KOMODECK_ADMIN_PASSWORD: 'secret-canary'
		});
		expect(found).toEqual([
			'PORT must be a port, 0 to 65535.',
			'KOMODECK_HOSTS must be host names like deck.lan,10.0.0.5:3000, without http:// and without wildcards.',
			'DATABASE_URL must be an address like postgres://user@host/name.',
			'KOMODECK_ORIGIN must be an origin like https://deck.example.org, without a path.',
			'KOMODECK_PUBLIC must be 0 or 1.',
			'KOMODECK_INDEX_DISK_RESERVE must be a number of megabytes from 1 to 999999, which the index leaves free on the disk.',
			'KOMODECK_ADMIN_USER and KOMODECK_ADMIN_PASSWORD must be set together.',
			'DATABASE_READ_URL needs DATABASE_URL, the database of which it is a standby.'
		]);
	});

	it('know who may create coins on a chain, which no method of a daemon tells', () => {
		write('SELF/SELF.conf', 'rpcuser=a\nrpcpassword=b\nrpcport=17771\n');
		write('ALPHA/ALPHA.conf', 'rpcuser=a\nrpcpassword=b\nrpcport=17772\n');
		const key = `02${'Ab'.repeat(32)}`;
		const { daemons } = loadConfig({ KOMODO_HOME: home, KOMODECK_SELF_IMPORT: `SELF=${key}` });
		expect(daemons.map(({ id, acImport, acPubkey }) => [id, acImport, acPubkey])).toEqual([
			['ALPHA', null, null],
			['SELF', 'PUBKEY', key.toLowerCase()]
		]);
		expect(problems({ KOMODO_HOME: home, KOMODECK_SELF_IMPORT: 'SELF=PUBKEY' })).toEqual([
			'KOMODECK_SELF_IMPORT must be like SELF=02… with the 66 hex digits of ac_pubkey, by chain.'
		]);
	});

	it('read the daemons from a file when one is named', () => {
		const file = write(
			'deck.json',
			JSON.stringify({
				daemons: [
					{
						chain: 'ALPHA',
						url: 'http://localhost:1',
						user: 'u',
						password: 'p',
						acPubkey: `02${'a'.repeat(64)}`
					},
					{
						id: 'ALPHA:two',
						chain: 'ALPHA',
						url: 'https://host',
						cookieFile: 'c/.cookie',
						dialect: 'seed'
					}
				]
			})
		);
		const { daemons } = loadConfig({ KOMODECK_CONFIG: file });
		expect(
			daemons.map(({ id, url, dialect, credentials }) => [id, url, dialect, credentials])
		).toEqual([
			['ALPHA', 'http://localhost:1/', null, { kind: 'password', user: 'u', password: 'p' }],
			['ALPHA:two', 'https://host/', 'seed', { kind: 'cookie', file: join(home, 'c/.cookie') }]
		]);
	});

	it('refuse a port that two daemons or a daemon and the pages would share', () => {
		const daemon = { url: 'http://h:1', user: 'u', password: 'p' };
		const file = (...ports: unknown[]): string =>
			write(
				'ports.json',
				JSON.stringify({
					daemons: ports.map((port, index) => ({ ...daemon, chain: `C${index}`, port }))
				})
			);
		const { daemons } = loadConfig({ KOMODECK_CONFIG: file(7771, undefined, 7773) });
		expect(daemons.map(({ port }) => port)).toEqual([7771, undefined, 7773]);
		expect(problems({ KOMODECK_CONFIG: file(7771, 7772, 7771) })).toEqual([
			expect.stringContaining('two daemons have the port 7771.')
		]);
		expect(problems({ KOMODECK_CONFIG: file(4000), PORT: '4000' })).toEqual([
			'The daemon C0 has the port 4000, on which the pages are: give it another one.'
		]);
		for (const port of [0, 65536, 1.5, '7771']) {
			expect(problems({ KOMODECK_CONFIG: file(port) }).join()).toContain('daemons[0].port: ');
		}
	});

	it('name each mistake of the file by its place, and never a password', () => {
		const file = write(
			'deck.json',
			JSON.stringify({
				daemons: [
					{
						chain: 'ALPHA',
						url: 'http://u:secret-canary@h:1',
						user: 'u',
						password: 'secret-canary'
					},
					{ chain: 'B', url: 'ftp://h', user: 'u', password: 'p', purposes: ['all'], extra: 1 },
					{ chain: 'C', url: 'http://h:1' }
				]
			})
		);
		const found = problems({ KOMODECK_CONFIG: file });
		expect(found.join('\n')).not.toContain('secret-canary');
		for (const part of [
			'daemons[0].url: must not hold a login',
			'daemons[1].url: must be an address like',
			'daemons[1].purposes[0]: may hold read, wallet and notary',
			'extra',
			'daemons[2]: needs either "user" and "password", or "cookieFile"'
		]) {
			expect(found.join('\n')).toContain(part);
		}
		expect(problems({ KOMODECK_CONFIG: write('bad.json', '{"password": "secret-canary') })).toEqual(
			[`KOMODECK_CONFIG names ${join(home, 'bad.json')}, which is not JSON.`]
		);
	});

	it('read trading nodes from the file, by address and password or by the node’s own settings', () => {
		const daemons = [{ chain: 'KMD', url: 'http://127.0.0.1:7771', user: 'u', password: 'p' }];
		write('node/MM2.json', '{"rpc_password":"secret-canary","rpcport":17783}');
		const config = (nodes: unknown): NodeJS.ProcessEnv => ({
			KOMODECK_CONFIG: write('deck.json', JSON.stringify({ daemons, nodes }))
		});
		const { nodes } = loadConfig(
			config([
				{ url: 'https://node.example:7783', password: 'secret-canary', dialect: 'seed' },
				{ id: 'second', mm2File: 'node/MM2.json', port: 8090 }
			])
		);
		expect(nodes.map(({ id, url, dialect, port }) => [id, url, dialect, port])).toEqual([
			['trading-node', 'https://node.example:7783/', 'seed', undefined],
			['second', 'http://127.0.0.1:17783/', null, 8090]
		]);
		const twice = { mm2File: 'node/MM2.json', port: 8090 };
		expect(
			problems(
				config([
					{ ...twice, id: 'a' },
					{ ...twice, id: 'b' }
				])
			)[0]
		).toMatch(/two upstreams have the port 8090/);
		expect(problems(config([{ mm2File: 'node/MM2.json', port: 3000 }]))).toEqual([
			'The trading node trading-node has the port 3000, on which the pages are: give it another one.'
		]);
		expect(
			problems(
				config([
					{ url: 'ftp://node', password: 'secret-canary' },
					{ password: 'secret-canary' },
					{ url: 'http://node:1/' }
				])
			).map((problem) => problem.replace(/^.*deck\.json: /, ''))
		).toEqual([
			'nodes[0].url: must be an address like http://127.0.0.1:7771.',
			'nodes[1]: has a "password" but no "url".',
			'nodes[2]: needs either "url" and "password", or "mm2File".'
		]);
		write('deck.json', '{"nodes":[{"mm2File":"node/MM2.json"}]}');
		const only = loadConfig({ KOMODECK_CONFIG: join(home, 'deck.json') });
		expect([only.daemons.length, only.nodes.length]).toEqual([0, 1]);
		expect(problems(config([{ id: 'KMD', mm2File: 'node/MM2.json' }]))[0]).toMatch(
			/two upstreams are called KMD/
		);
		expect(problems(config([{ mm2File: 'none/MM2.json' }]))[0]).toMatch(/cannot be read/);
	});
});
