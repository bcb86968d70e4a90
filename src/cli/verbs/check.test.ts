import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
	answer,
	echo,
	rpcLine,
	ScriptedUpstream,
	wrongPassword
} from '../../../tests/support/upstream.ts';
import { verb as check } from './check.ts';
import { verb as discover } from './discover.ts';
import type { Verb } from '../verb.ts';

const CANARY = 'canary-password';
const PUBKEY = `02${'ab'.repeat(32)}`;

let home: string;
let daemon: ScriptedUpstream;

async function run(verb: Verb): Promise<{ code: number; text: string }> {
	const lines: string[] = [];
	const code = await verb.run([], {
		env: { KOMODO_HOME: home, KOMODECK_DATA: join(home, 'data') },
		out: (line) => lines.push(line),
		err: (line) => lines.push(line),
		readLine: () => Promise.resolve('')
	});
	return { code, text: lines.join('\n') };
}

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
				`{"version":90000,"KMDversion":"0.9.0","blocks":120,"sapling":61,"pubkey":"${PUBKEY}","CCid":777,"name":"ALPHA"}`,
				echo(request)
			)
		)
	);
	daemon.on('help', (request, response) =>
		answer(
			response,
			rpcLine(
				'"== Addressindex ==\\ngetaddressutxos\\n\\ntokencreate name supply\\n"',
				echo(request)
			)
		)
	);
});
afterEach(async () => {
	await daemon.stop();
	rmSync(home, { recursive: true });
});

describe('komodeck check', () => {
	it('shows who each daemon is and what it can do', async () => {
		const { code, text } = await run(check);
		expect(code).toBe(0);
		for (const part of ['ALPHA', daemon.url, 'up', '777', '0.9.0', '120', '02ababab…ababab']) {
			expect(text).toContain(part);
		}
		expect(text).toContain('sapling,tokens,address index');
		expect(text).not.toContain(CANARY);
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

	it('says that an answer is of no form that is known, whatever it is', async () => {
		for (const method of ['help', 'getinfo']) {
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
