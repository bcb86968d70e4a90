import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ScriptedKdf } from '../../../tests/support/tradingNode.ts';
import { ScriptedUpstream } from '../../../tests/support/upstream.ts';
import type { Verb } from '../verb.ts';
import { verb as check } from './check.ts';
import { verb as discover } from './discover.ts';
import { verb as kdf } from './kdf.ts';

const CANARY = 'Canary_Pass_1!';

let home: string;
let daemon: ScriptedUpstream;
let trading: ScriptedKdf;

async function run(verb: Verb, ...args: string[]): Promise<{ code: number; text: string }> {
	const lines: string[] = [];
	const code = await verb.run(args, {
		env: { KOMODO_HOME: home, KOMODECK_DATA: join(home, 'data') },
		out: (line) => lines.push(line),
		err: (line) => lines.push(line),
		readLine: () => Promise.resolve('')
	});
	return { code, text: lines.join('\n') };
}
const settle = (password: string): void =>
	writeFileSync(
		join(home, 'MM2.json'),
		JSON.stringify({ rpc_password: password, rpcport: trading.upstream.port, passphrase: CANARY })
	);

beforeEach(async () => {
	home = mkdtempSync(join(tmpdir(), 'komodeck-node-'));
	daemon = await new ScriptedUpstream().start();
	trading = await new ScriptedKdf(CANARY).start();
	trading.on('get_enabled_coins', () => ({ result: { coins: [{ ticker: 'KMD' }] } }));
	writeFileSync(
		join(home, 'komodo.conf'),
		`rpcuser=u\nrpcpassword=${CANARY}\nrpcport=${daemon.port}\n`
	);
	settle(CANARY);
});
afterEach(async () => {
	await daemon.stop();
	await trading.stop();
	rmSync(home, { recursive: true });
});

it('check and discover show the trading node, and no password', async () => {
	const found = await run(discover);
	expect(found.text).toMatch(/trading-node +http:\/\/127\.0\.0\.1:\d+\/ +MM2\.json/);
	const { text } = await run(check);
	expect(text).toMatch(/trading-node .* up +2\.5\.1-beta_a9fbf60 +kdf +1 *$/m);
	expect(found.text + text).not.toContain(CANARY);
});

it('check asks a node that refused its password no more, until it is confirmed', async () => {
	settle('Wrong_Pass_1!');
	for (let look = 0; look < 3; look += 1) {
		const { code, text } = await run(check);
		expect(code).toBe(1);
		expect(text).toMatch(/trading-node .* stopped .*refused the password/);
		expect(text).not.toContain('Wrong_Pass_1!');
	}
	expect(trading.wrong).toBe(1);

	const again = await run(kdf, 'confirm', 'trading-node');
	expect(again.code).toBe(1);
	expect(again.text).toMatch(/takes 8 more wrong ones/);
	settle(CANARY);
	const confirmed = await run(kdf, 'confirm', 'trading-node');
	expect(confirmed).toEqual({
		code: 0,
		text: 'trading-node accepts the password. Calls are resumed.'
	});
	expect((await run(kdf, 'confirm', 'other')).text).toMatch(/Configured: trading-node\./);
	await expect(run(kdf)).rejects.toThrow(/kdf confirm ID/);
});
