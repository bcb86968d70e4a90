/** Pages that need a wallet, where no daemon is configured with one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wallets } from '#lib/messages/pages/wallet.ts';
import { startProduct } from '../../support/product.ts';
import { signIn } from '../../support/productClient.ts';
import { shared } from '../../support/shared.ts';

const running = shared(async () => {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-walletless-'));
	const config = join(folder, 'daemons.json');
	const daemon = { chain: 'ALPHA', url: 'http://127.0.0.1:1', user: 'u', password: 'p' };
	writeFileSync(config, JSON.stringify({ daemons: [{ ...daemon, purposes: ['read'] }] }));
	const product = await startProduct({ dataDir: join(folder, 'data'), config });
	return {
		url: product.url,
		async stop() {
			await product.stop();
			rmSync(folder, { recursive: true, force: true });
		}
	};
});

test('where no wallet is configured, pages say so and send no admin to ask an admin for one', async () => {
	const client = await signIn(running.url);
	for (const path of ['/wallets', '/migrations/new']) {
		const { text } = await client.text(path);
		expect(text, path).toContain(wallets.lacking.unconfigured.title);
		expect(text, path).not.toContain('Ask an admin');
	}
});
