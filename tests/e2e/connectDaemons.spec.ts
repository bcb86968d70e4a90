/** The page that finds daemons and shows what each lacks, with daemons that are set up like an operator's. */
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/freePort.ts';
import { launchProduct, type Product } from '../support/product.ts';
import { complaintsEveryWay } from './support/axe.ts';
import { ADMIN, expect, signIn, test } from './support/console.ts';
import { PlainBrowser } from './support/plainBrowser.ts';

const PATH = '/admin/connect-daemons';
const WRONG_PASSWORD = 'wrong-canary-password';

interface Operated {
	product: Product;
	home: string;
	stop(): Promise<void>;
}

/** A server that accepts connections and never responds. */
async function startSilent(): Promise<{ server: Server; port: number }> {
	const server = createServer();
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return { server, port: (server.address() as AddressInfo).port };
}

/**
 * The product with the daemons of a folder: ALPHA responds, BETA refuses the password, nothing listens for
 * GONE, and HANG never responds.
 */
async function startOperated(devnet: { dir: string; url: string }): Promise<Operated> {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-connect-'));
	const home = join(folder, 'home');
	const { server, port: silent } = await startSilent();
	mkdirSync(home);
	cpSync(join(devnet.dir, 'ALPHA'), join(home, 'ALPHA'), { recursive: true });
	const ports = {
		BETA: new URL(devnet.url).port,
		GONE: String(await freePort()),
		HANG: String(silent)
	};
	for (const [chain, port] of Object.entries(ports)) {
		mkdirSync(join(home, chain));
		const lines = ['rpcuser=canary-user', `rpcpassword=${WRONG_PASSWORD}`, `rpcport=${port}`];
		writeFileSync(join(home, chain, `${chain}.conf`), lines.join('\n'));
	}
	// A devnet file in the same place, which belongs to none of these daemons.
	const control = { url: 'http://127.0.0.1:9', password: 'control' };
	const other = { daemons: [{ url: 'http://127.0.0.1:9' }], control };
	writeFileSync(join(home, 'devnet.json'), JSON.stringify(other));
	const product = await launchProduct({
		env: {
			KOMODECK_DATA: join(folder, 'data'),
			KOMODO_HOME: home,
			KOMODECK_ADMIN_USER: ADMIN.name,
			KOMODECK_ADMIN_PASSWORD: ADMIN.password
		}
	});
	return {
		product,
		home,
		async stop() {
			await product.stop();
			server.close();
			rmSync(folder, { recursive: true });
		}
	};
}

test('each daemon that is found is checked by itself, with what it lacks and what to copy, and no credential', async ({
	console
}) => {
	const { dir, chains } = console.devnet;
	const operated = await startOperated({ dir, url: chains.get('BETA')!.url });
	const { product, home } = operated;
	const plain = new PlainBrowser(product.url);
	expect((await plain.open(PATH)).url.pathname).toBe('/login');
	await plain.signIn();
	const began = performance.now();
	const { status, $ } = await plain.open(PATH);
	expect(performance.now() - began).toBeLessThan(10_000);
	expect(status).toBe(200);
	const main = (chain: string) => $(`[data-found="${chain}"]`);
	expect(main('ALPHA').text()).toContain(join(home, 'ALPHA/ALPHA.conf'));
	expect(main('ALPHA').attr('data-state')).toBe('good');
	expect(main('ALPHA').text()).toContain('Nothing is missing.');
	expect(main('BETA').find('[data-missing="daemon.unauthorized"]').length).toBe(1);
	expect(main('BETA').find('pre').text()).toContain('"chain": "BETA"');
	expect(main('GONE').find('[data-missing="daemon.unreachable"]').length).toBe(1);
	expect(main('GONE').find('pre').text()).toBe('server=1');
	expect(main('HANG').find('[data-missing="daemon.timeout"]').length).toBe(1);
	expect((await plain.open('/devnet')).status).toBe(404);

	const secrets = [WRONG_PASSWORD, 'canary-user'];
	for (const { user, password } of console.devnet.daemons) secrets.push(user, password);
	for (const path of [PATH, `${PATH}/__data.json`]) {
		const text = (await plain.open(path)).$.html();
		expect(text).toContain('GONE.conf');
		for (const secret of secrets) expect(text).not.toContain(secret);
	}
	for (const secret of secrets) expect(product.log()).not.toContain(secret);
	await operated.stop();
});

test('without a daemon of KMD the page of MoMs has no link that leads nowhere', async ({
	console
}) => {
	const { dir, chains } = console.devnet;
	const operated = await startOperated({ dir, url: chains.get('BETA')!.url });
	const plain = new PlainBrowser(operated.product.url);
	await plain.signIn();
	const { status, $ } = await plain.open('/chains/ALPHA/mom?at=20');
	expect(status).toBe(200);
	// The MoM, and the transaction on KMD that notarized the block.
	expect($('main dd [title]').length).toBe(2);
	expect($('main a[href^="/chains/KMD/"]').length).toBe(0);
	const momom = $('main a[href*="/momom?"]').attr('href')!;
	expect((await plain.open(momom)).status).toBe(200);
	await operated.stop();
});

test('the page reads well, and an admin gets there from the list of daemons', async ({
	page,
	console
}) => {
	await signIn(page);
	await page.goto('/daemons');
	await page.getByRole('link', { name: 'Connect your daemons' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Connect your daemons');
	await console.devnet.control.fault('GAMMA', 'down');
	await page.reload();
	const gone = page.locator('[data-found="GAMMA"]');
	await expect(gone.locator('[data-missing="daemon.unreachable"]')).toBeVisible();
	expect(await complaintsEveryWay(page)).toEqual([]);
	await console.devnet.control.fault('GAMMA', 'none');
});
