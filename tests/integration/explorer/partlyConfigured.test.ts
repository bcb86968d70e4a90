/** An installation that knows one chain of several, a second daemon without a wallet, and an outdated password. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDevnet } from '../../support/devnet.ts';
import { startProduct } from '../../support/product.ts';
import { signIn } from '../../support/productClient.ts';
import { shared } from '../../support/shared.ts';

/** The product may have to be built, and the index has to be read. */
const WITHIN_MS = 300_000;

const running = shared(async () => {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-partly-'));
	const net = await startDevnet();
	const entry = (name: string, more: object) => {
		const { chain, url, user, password } = net.chains.get(name)!;
		return { chain, url, user, password, ...more };
	};
	const daemons = [
		entry('ALPHA', { id: 'ALPHA' }),
		entry('ALPHA', { id: 'ALPHA-second', purposes: ['read'] }),
		entry('KMD', { id: 'KMD', password: 'an outdated one' })
	];
	const config = join(folder, 'daemons.json');
	writeFileSync(config, JSON.stringify({ daemons }));
	const product = await startProduct({ dataDir: join(folder, 'data'), config });
	return {
		client: await signIn(product.url),
		async stop() {
			await product.stop();
			await net.stop();
			rmSync(folder, { recursive: true, force: true });
		}
	};
});

const shown = async (path: string): Promise<string> => (await running.client.text(path)).text;

test(
	'whether a burn toward a chain that is not configured was imported is unknown',
	{ timeout: WITHIN_MS },
	async () => {
		await expect.poll(() => shown('/transfers'), { timeout: 120_000 }).toContain('data-burn');
		const { rows } = await running.client.page('/transfers');
		const [{ txid }] = rows as [{ txid: string }];
		const pages = ['/transfers', '/chains/ALPHA/transfers', '/reconciliation'];
		for (const path of [...pages, `/chains/ALPHA/tx/${txid}`]) {
			const text = await shown(path);
			expect(text, path).toContain('Unknown: destination not configured');
			expect(text, path).not.toContain('Not imported yet');
		}
	}
);

test('a daemon that refuses the password is counted, and not called offline', async () => {
	await expect.poll(() => shown('/'), { timeout: 30_000 }).toContain('1 daemon needs attention');
	expect(await shown('/')).not.toContain('1 daemon is offline');
	expect(await shown('/daemons')).toContain('Authentication failed');
});
