import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
	answer,
	echo,
	rpcLine,
	ScriptedUpstream,
	type Script,
	wrongPassword
} from '../../../tests/support/upstream.ts';
import { findDaemons } from './connectDaemons.ts';
import { OWN_HOME } from './platform/config/settings.ts';

const CANARY = 'canary-password';
const USER = 'canary-user';

let home: string;
let daemon: ScriptedUpstream;
const gateway = { daemon: () => undefined };

const find = (env: Record<string, string> = {}) =>
	findDaemons({ KOMODO_HOME: home, KOMODECK_DATA: join(home, 'data'), ...env }, gateway);

/** Writes the configuration file of a chain's daemon; returns its path. */
function writeConf(chain: string, lines: readonly string[]): string {
	mkdirSync(join(home, chain), { recursive: true });
	const file = join(home, chain, `${chain}.conf`);
	writeFileSync(file, lines.join('\n'));
	return file;
}

const login = [`rpcuser=${USER}`, `rpcpassword=${CANARY}`];

const refuse =
	(code: number, message: string): Script =>
	(request, response) =>
		answer(
			response,
			rpcLine('null', echo(request), `{"code":${code},"message":"${message}"}`),
			500
		);

function identify(info: Record<string, unknown>): void {
	daemon.on('getinfo', (request, response) =>
		answer(response, rpcLine(JSON.stringify(info), echo(request)))
	);
}

beforeEach(async () => {
	home = mkdtempSync(join(tmpdir(), 'komodeck-connect-'));
	daemon = await new ScriptedUpstream().start();
	identify({ KMDversion: '0.9.0', blocks: 120, sapling: 61, name: 'ALPHA' });
	daemon.on('getaddressbalance', refuse(-5, 'No information available for address'));
});
afterEach(async () => {
	await daemon.stop();
	rmSync(home, { recursive: true });
});

it('shows a daemon with its file and the lines that its file lacks, and no credential', async () => {
	const file = writeConf('ALPHA', [...login, `rpcport=${daemon.port}`]);
	const { daemons, ...rest } = await find();
	expect(daemons).toMatchObject([
		{
			id: 'ALPHA',
			file,
			isConnected: false,
			release: '0.9.0',
			height: 120,
			state: { word: 'Online' },
			missing: [{ code: 'addressindex' }],
			block: { kind: 'conf', file, reindex: true, text: 'addressindex=1' }
		}
	]);
	expect(rest).toEqual({ configFile: null, home, notes: [], problem: null });
	for (const secret of [CANARY, USER]) expect(JSON.stringify(daemons)).not.toContain(secret);
});

it('names no line that the file has already', async () => {
	writeConf('ALPHA', [...login, `rpcport=${daemon.port}`, 'addressindex=1']);
	const { daemons } = await find();
	expect(daemons[0]!.missing[0]!.next).toMatch(/-reindex/);
	expect(daemons[0]!.block).toBeNull();
});

it('asks for the public key of the wallet where tokens cannot be built without it', async () => {
	identify({ KMDversion: '0.9.0', blocks: 120, sapling: 61, name: 'ALPHA', CCid: 777, balance: 1 });
	writeConf('ALPHA', [...login, `rpcport=${daemon.port}`]);
	const { daemons } = await find();
	expect(daemons[0]!.missing.map(({ code }) => code)).toContain('no-pubkey');
	expect(daemons[0]!.block?.text).toMatch(/^pubkey=PUBLIC KEY.*\naddressindex=1$/);
});

it('gives an entry without the credentials where the daemon refuses the login of its file', async () => {
	daemon.on('*', wrongPassword).on('getinfo', wrongPassword);
	writeConf('ALPHA', [...login, `rpcport=${daemon.port}`]);
	const { daemons } = await find();
	expect(daemons).toMatchObject([
		{ missing: [{ code: 'daemon.unauthorized' }], state: { word: 'Authentication failed' } }
	]);
	expect(JSON.parse(daemons[0]!.block!.text)).toEqual({
		daemons: [
			{
				chain: 'ALPHA',
				url: `http://127.0.0.1:${daemon.port}`,
				user: 'RPCUSER OF THE DAEMON',
				password: 'RPCPASSWORD OF THE DAEMON'
			}
		]
	});
	for (const secret of [CANARY, USER]) expect(JSON.stringify(daemons)).not.toContain(secret);
});

it('asks for a login where neither the file nor a cookie holds one', async () => {
	daemon.on('*', wrongPassword).on('getinfo', wrongPassword);
	writeConf('ALPHA', [`rpcport=${daemon.port}`]);
	const { daemons } = await find();
	expect(daemons[0]!.block?.text).toMatch(/^rpcuser=.*\nrpcpassword=.*$/);
});

it('gives an entry with the right chain where a file has the name of another one', async () => {
	writeConf('BETA', [...login, `rpcport=${daemon.port}`]);
	const { daemons } = await find();
	expect(daemons[0]!.missing).toMatchObject([{ code: 'daemon.wrong-chain' }]);
	expect(daemons[0]!.block).toMatchObject({ kind: 'entry' });
	expect(daemons[0]!.block!.text).toContain('"chain": "ALPHA"');
});

it('lets a daemon that never answers cost its own row only, within seconds', async () => {
	const silent = await new ScriptedUpstream().start();
	silent.on('*', () => undefined).on('getinfo', () => undefined);
	writeConf('ALPHA', [...login, `rpcport=${daemon.port}`]);
	writeConf('BETA', [...login, `rpcport=${silent.port}`]);
	const began = performance.now();
	const { daemons } = await find();
	expect(performance.now() - began).toBeLessThan(5_000);
	expect(daemons).toMatchObject([
		{ id: 'ALPHA', release: '0.9.0' },
		{ id: 'BETA', release: null, missing: [{ code: 'daemon.timeout' }], block: null }
	]);
	await silent.stop();
});

it('says which file is not used and why, and that settings cannot be read, without a value', async () => {
	writeConf('ALPHA', login);
	expect((await find()).notes).toEqual([expect.stringContaining('has no rpcport')]);
	const broken = join(home, 'komodeck.json');
	writeFileSync(broken, `{"daemons":[{"chain":"ALPHA","url":"${CANARY}","password":"${CANARY}"}]}`);
	const found = await find({ KOMODECK_CONFIG: broken });
	expect(found).toMatchObject({ configFile: broken, daemons: [] });
	expect(found.problem?.code).toBe('config.invalid');
	expect(JSON.stringify(found)).not.toContain(CANARY);
});

it('looks where discovery looked before devnet was started', async () => {
	const own = mkdtempSync(join(tmpdir(), 'komodeck-own-home-'));
	writeConf('ALPHA', [...login, `rpcport=${daemon.port}`]);
	expect(await find({ [OWN_HOME]: own })).toMatchObject({ home: own, daemons: [] });
	rmSync(own, { recursive: true });
});
