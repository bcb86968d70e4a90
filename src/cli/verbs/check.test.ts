import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
	answer,
	echo,
	rpcLine,
	ScriptedUpstream,
	type Script,
	wrongPassword
} from '../../../tests/support/upstream.ts';
import { verb as check } from './check.ts';
import { verb as discover } from './discover.ts';
import type { Verb } from '../verb.ts';

const CANARY = 'canary-password';
const PUBKEY = `02${'ab'.repeat(32)}`;

let home: string;
let daemon: ScriptedUpstream;

async function run(
	verb: Verb,
	more: Record<string, string> = {}
): Promise<{ code: number; text: string }> {
	const lines: string[] = [];
	const code = await verb.run([], {
		env: { KOMODO_HOME: home, KOMODECK_DATA: join(home, 'data'), ...more },
		out: (line) => lines.push(line),
		err: (line) => lines.push(line),
		readLine: () => Promise.resolve('')
	});
	return { code, text: lines.join('\n') };
}

/** Refuses a call with a JSON-RPC error, like the daemon. */
const refuse =
	(code: number, message: string): Script =>
	(request, response) =>
		answer(
			response,
			rpcLine('null', echo(request), `{"code":${code},"message":"${message}"}`),
			500
		);

beforeEach(async () => {
	home = mkdtempSync(join(tmpdir(), 'komodeck-check-'));
	daemon = await new ScriptedUpstream().start();
	mkdirSync(join(home, 'ALPHA'));
	writeFileSync(
		join(home, 'ALPHA/ALPHA.conf'),
		`rpcuser=u\nrpcpassword=${CANARY}\nrpcport=${daemon.port}\n`
	);
	daemon.on('getinfo', (request, response) =>
		answer(
			response,
			rpcLine(
				`{"version":90000,"KMDversion":"0.9.0","blocks":120,"sapling":61,"pubkey":"${PUBKEY}","CCid":777,"balance":1.00000000,"name":"ALPHA"}`,
				echo(request)
			)
		)
	);
	// "help" lists methods even when the index they need is off, so support is derived from the responses
	// instead.
	daemon.on('tokeninfo', (request, response) =>
		answer(response, rpcLine('{"result":"error","error":"cant find tokenid"}', echo(request)))
	);
	daemon.on('getimports', refuse(-8, 'Block height out of range'));
	daemon.on('getaddressbalance', (request, response) =>
		answer(response, rpcLine('{"balance":0,"received":0}', echo(request)))
	);
});
afterEach(async () => {
	await daemon.stop();
	rmSync(home, { recursive: true });
});

describe('komodeck check', () => {
	it('names what is set and is no setting, without its value', async () => {
		const { code, text } = await run(check, { KOMODECK_ORGIN: CANARY });
		expect(code).toBe(1);
		expect(text).toContain('KOMODECK_ORGIN is no setting of Komodeck, so it does nothing.');
		expect(text).not.toContain(CANARY);
	});

	it('shows who each daemon is and what it can do', async () => {
		const { code, text } = await run(check);
		expect(code).toBe(0);
		for (const part of ['ALPHA', daemon.url, 'up', '777', '0.9.0', '120', '02ababab…ababab']) {
			expect(text).toContain(part);
		}
		expect(text).toContain('sapling,tokens,migration,wallet,addressindex');
		expect(text).not.toContain(CANARY);
	});

	it('says of no daemon that it can what its chain cannot', async () => {
		daemon.on('getinfo', (request, response) =>
			answer(
				response,
				rpcLine('{"KMDversion":"0.9.0","blocks":120,"sapling":61,"name":"ALPHA"}', echo(request))
			)
		);
		const { text } = await run(check);
		expect(text).toContain('sapling,addressindex');
		for (const word of ['tokens,', 'migration', 'wallet']) expect(text).not.toContain(word);
	});

	it('says of a daemon without getinfo that it serves none, and what is known of it all the same', async () => {
		daemon.on('getinfo', refuse(-32601, 'Method not found'));
		const { code, text } = await run(check);
		expect(code).toBe(1);
		expect(text).toContain('It does not serve getinfo');
		expect(text).not.toContain('in a form that is not known');
		expect(text).toMatch(/addressindex +on/);
	});

	it('takes null in getinfo for what is not told', async () => {
		daemon.on('getinfo', (request, response) => {
			const info = `{"KMDversion":"0.9.0","blocks":null,"sapling":null,"notaryid":null,"pubkey":null,"name":"ALPHA"}`;
			answer(response, rpcLine(info, echo(request)));
		});
		const { text } = await run(check);
		const line = text.split('\n').find((one) => one.startsWith('ALPHA'))!;
		expect(line).toContain('0.9.0');
		expect(line).not.toMatch(/approvals|wallet|sapling|getinfo/);
	});

	it('says of each index whether it is on, and what it gives or what is missing', async () => {
		const on = await run(check);
		expect(on.text).toMatch(/^ALPHA +addressindex +on +Balances, outputs and transactions/m);
		// An index whose state no response reveals is not reported as off.
		for (const name of ['txindex', 'spentindex', 'timestampindex'])
			expect(on.text).toMatch(new RegExp(`^ALPHA +${name} +unknown `, 'm'));
		daemon.on('getaddressbalance', refuse(-5, 'No information available for address'));
		const off = await run(check);
		expect(off.text).toMatch(/^ALPHA +addressindex +off +Addresses, token balances and holders/m);
		expect(off.code).toBe(0);
	});

	it('believes what a daemon answers, and not what help lists', async () => {
		daemon.on('tokeninfo', refuse(-32601, 'Method not found'));
		const { text } = await run(check);
		expect(text).toContain('sapling,migration,wallet,addressindex');
		expect(daemon.seen.map(({ method }) => method)).not.toContain('help');
	});

	it('says in words what is wrong, and ends with 1', async () => {
		daemon.on('*', wrongPassword).on('getinfo', wrongPassword);
		const refused = await run(check);
		expect(refused.code).toBe(1);
		expect(refused.text).toContain('ALPHA refuses the login that is configured for it.');
		await daemon.stop();
		const down = await run(check);
		expect(down.code).toBe(1);
		expect(down.text).toContain('Nothing answers at the address of ALPHA.');
		expect(refused.text + down.text).not.toContain(CANARY);
	});

	it('names a disk that has less room than the index is to leave', async () => {
		const most = { KOMODECK_INDEX_DISK_RESERVE: '999999' };
		const { code, text } = await run(check, most);
		expect(code).toBe(1);
		expect(text).toMatch(/The disk is nearly full: .* 999 GB are free/);
		expect((await run(check, { KOMODECK_INDEX_DISK_RESERVE: '1' })).text).not.toMatch(/disk/);
	});

	it('names a host on which the server could not listen', async () => {
		const { code, text } = await run(check, { HOST: '192.0.2.1' });
		expect(code).toBe(1);
		expect(text).toContain('Cannot listen on 192.0.2.1 (EADDRNOTAVAIL): set HOST');
		expect((await run(check, { HOST: '127.0.0.1' })).code).toBe(0);
	});

	it('names a database that does not answer, without its address, and still asks the daemons', async () => {
		const { code, text } = await run(check, {
			DATABASE_URL: `postgres://u:${CANARY}@127.0.0.1:1/komodeck`
		});
		expect(code).toBe(1);
		expect(text).toMatch(/^The PostgreSQL database \(DATABASE_URL\) cannot be reached/m);
		expect(text).toMatch(/^ALPHA .* up /m);
		expect(text).not.toContain(CANARY);
	});

	it('names a secret key, a coins file and a data folder that the start could not use', async () => {
		const missing = join(home, 'no-coins.json');
		const { code, text } = await run(check, {
			KOMODECK_SECRET_KEY: CANARY,
			KOMODECK_COINS: missing
		});
		expect(code).toBe(1);
		expect(text).toContain('KOMODECK_SECRET_KEY is too weak');
		expect(text).toContain(`${missing} cannot be read.`);
		expect(text).not.toContain(CANARY);
		// Other systems have no folder in which even root cannot create one.
		if (process.platform !== 'linux') return;
		const nowhere = await run(check, { KOMODECK_DATA: '/proc/komodeck/data' });
		expect(nowhere.code).toBe(1);
		expect(nowhere.text).toContain('/proc/komodeck/data cannot be the data folder');
		expect(nowhere.text).not.toContain('nearly full');
	});

	it('says that an answer is of no form that is known, whatever it is', async () => {
		for (const method of ['getaddressbalance', 'getinfo']) {
			daemon.on(method, (request, response) =>
				answer(response, rpcLine('{"blocks":12,', echo(request)))
			);
			const { text } = await run(check);
			expect(text).toContain('ALPHA');
			expect(text).not.toContain('JSON');
		}
	});

	it('finds a daemon of another chain', async () => {
		daemon.on('getinfo', (request, response) =>
			answer(response, rpcLine('{"KMDversion":"0.9.0","name":"BETA"}', echo(request)))
		);
		const { code, text } = await run(check);
		expect(code).toBe(1);
		expect(text).toContain('It serves the chain BETA, configured is ALPHA.');
	});
});

describe('komodeck discover', () => {
	it('lists what was found without asking it', async () => {
		const { code, text } = await run(discover);
		expect(code).toBe(0);
		expect(text).toContain(daemon.url);
		expect(text).not.toContain(CANARY);
		expect(daemon.seen).toHaveLength(0);
	});
});
