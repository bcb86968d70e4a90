import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startDevnet } from '../../support/devnet.ts';

describe('a network that is started again on its folder', () => {
	test('goes on with the same chains, wallets, ports and credentials', async () => {
		const first = await startDevnet({ seed: 'restart' });
		const { address } = (await first.control.state()).daemons.find((d) => d.id === 'BETA')!;
		await first.rpc('ALPHA', 'sendtoaddress', address, 2);
		await first.control.mine('ALPHA', 3);
		const waiting = await first.rpc<string>('ALPHA', 'sendtoaddress', address, 1);
		const made = await first.rpc<string>('ALPHA', 'getnewaddress');
		const before = await first.control.state();
		await first.stop({ keepDir: true });

		const second = await startDevnet({ dir: first.dir, basePort: first.basePort });
		expect(second.daemons).toEqual(first.daemons);
		expect(second.node).toEqual(first.node);
		const after = await second.control.state();
		expect(after.chains).toEqual(before.chains);
		expect(await second.rpc('ALPHA', 'getrawmempool')).toEqual([waiting]);
		expect(await second.rpc('ALPHA', 'validateaddress', made)).toMatchObject({ ismine: true });
		await second.control.mine('ALPHA');
		expect(await second.rpc('ALPHA', 'getrawmempool')).toEqual([]);
		await second.stop();
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
