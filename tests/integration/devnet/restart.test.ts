import { mkdirSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { listenOnLoopback } from '../../../src/devnet/loopback.ts';
import { startDevnet, startDevnetProcess } from '../../support/devnet.ts';

/** Kills the process, like kill -9, once the file of the chain ALPHA has become shorter. */
const DIES_IN_RESET = `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const rename = fs.renameSync;
let highest = 0;
fs.renameSync = (from, to) => {
	rename(from, to);
	if (!String(to).endsWith('/state/ALPHA/state.json')) return;
	const { height } = JSON.parse(fs.readFileSync(to, 'utf8'));
	if (height < highest) process.kill(process.pid, 'SIGKILL');
	highest = height;
};
syncBuiltinESMExports();`;

const WAIT = { timeout: 30_000, interval: 20 };

describe('a network that is started again on its folder', () => {
	afterEach(() => vi.unstubAllEnvs());

	test('after a kill in the middle of a reset has all its chains anew, with the same keys and ports', async () => {
		const script = encodeURIComponent(DIES_IN_RESET);
		vi.stubEnv('NODE_OPTIONS', `--import data:text/javascript,${script}`);
		const first = await startDevnetProcess({ bare: true, seed: 'reset' });
		const before = await first.control.state();
		for (const chain of ['KMD', 'ALPHA', 'BETA']) await first.control.mine(chain, 3);
		const { url, password } = first.control;
		const asked = fetch(`${url}/reset`, {
			method: 'POST',
			headers: { authorization: `Bearer ${password}` }
		});
		await expect(asked).rejects.toThrow();
		await first.stop({ keepDir: true });
		expect(first.process.signalCode).toBe('SIGKILL');

		vi.unstubAllEnvs();
		const second = await startDevnet({ dir: first.dir, basePort: first.basePort, bare: true });
		const after = await second.control.state();
		const heights = ({ chains }: typeof after) => chains.map(({ name, height }) => [name, height]);
		expect(heights(after)).toEqual(heights(before));
		expect(second.daemons).toEqual(first.daemons);
		await second.stop();
	});

	test('goes on while its folder takes nothing, says so, and writes once it does', async () => {
		const devnet = await startDevnetProcess({ bare: true, seed: 'full' });
		let said = '';
		devnet.process.stderr!.on('data', (part: Buffer) => (said += part.toString()));
		const state = join(devnet.dir, 'state', 'ALPHA', 'state.json');
		const saved = (): number =>
			(JSON.parse(readFileSync(state, 'utf8')) as { height: number }).height;
		const before = saved();
		// The temporary file cannot be created, as on a full disk.
		mkdirSync(`${state}.new`);
		await devnet.control.mine('ALPHA', 1);
		await vi.waitFor(() => expect(said).toMatch(/cannot write to .* It goes on/), WAIT);
		await devnet.control.mine('ALPHA', 2);
		expect(saved()).toBe(before);
		rmdirSync(`${state}.new`);
		await vi.waitFor(() => expect(saved()).toBe(before + 3), WAIT);
		expect(said.match(/cannot write/g)).toHaveLength(1);
		expect(devnet.process.exitCode).toBeNull();
		await devnet.stop();
	});

	test('goes on with the same chains, wallets, ports and credentials', async () => {
		const first = await startDevnet({ seed: 'restart' });
		const { address } = (await first.control.state()).daemons.find((d) => d.id === 'BETA')!;
		await first.rpc('ALPHA', 'sendtoaddress', address, 2);
		await first.control.mine('ALPHA', 3);
		const waiting = await first.rpc<string>('ALPHA', 'sendtoaddress', address, 1);
		const made = await first.rpc<string>('ALPHA', 'getnewaddress');
		const before = await first.control.state();
		const digests = await first.control.digests();
		await first.stop({ keepDir: true });

		const second = await startDevnet({ dir: first.dir, basePort: first.basePort });
		expect(second.daemons).toEqual(first.daemons);
		expect(second.node).toEqual(first.node);
		const after = await second.control.state();
		expect(after.chains).toEqual(before.chains);
		expect(await second.control.digests()).toEqual(digests);
		expect(await second.rpc('ALPHA', 'getrawmempool')).toEqual([waiting]);
		expect(await second.rpc('ALPHA', 'validateaddress', made)).toMatchObject({ ismine: true });
		await second.control.mine('ALPHA');
		expect(await second.rpc('ALPHA', 'getrawmempool')).toEqual([]);
		await second.stop();
	});

	test('runs on the ports that it is given, with the chains and keys that it has', async () => {
		const first = await startDevnet({ bare: true, seed: 'moves' });
		const before = await first.control.state();
		await first.stop({ keepDir: true });
		const holder = createServer();
		await listenOnLoopback(holder, first.basePort + 2);
		const second = await startDevnet({ dir: first.dir });
		expect(second.basePort).not.toBe(first.basePort);
		expect((await second.control.state()).chains).toEqual(before.chains);
		const conf = readFileSync(join(first.dir, 'komodo.conf'), 'utf8');
		expect(conf).toContain(`rpcport=${second.basePort + 2}\n`);
		expect(second.daemons.map(({ pubkey }) => pubkey)).toEqual(
			first.daemons.map(({ pubkey }) => pubkey)
		);
		await second.stop();
		holder.close();
	});

	test('keeps its secrets in files that only their owner can read', async () => {
		const net = await startDevnet({ bare: true, seed: 'files' });
		for (const file of [
			'komodo.conf',
			'ALPHA/ALPHA.conf',
			'BETA-notary-1/BETA.conf',
			'devnet.json',
			'MM2.json',
			'state/network.json'
		]) {
			expect(statSync(join(net.dir, file)).mode & 0o777).toBe(0o600);
		}
		const conf = readFileSync(join(net.dir, 'ALPHA/ALPHA.conf'), 'utf8');
		const { user, password, url } = net.chains.get('ALPHA')!;
		expect(conf.split('\n')).toEqual(
			expect.arrayContaining([
				`rpcuser=${user}`,
				`rpcpassword=${password}`,
				`rpcport=${new URL(url).port}`
			])
		);
		await net.stop();
	});

	test('the same seed gives the same keys, another seed others', async () => {
		const [one, two, other] = await Promise.all([
			startDevnet({ bare: true, seed: 'same' }),
			startDevnet({ bare: true, seed: 'same' }),
			startDevnet({ bare: true, seed: 'other' })
		]);
		const keys = (net: typeof one) => net.daemons.map((daemon) => daemon.pubkey);
		expect(keys(one)).toEqual(keys(two));
		expect(keys(one)).not.toEqual(keys(other));
		await Promise.all([one.stop(), two.stop(), other.stop()]);
	});
});
