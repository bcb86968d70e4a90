/** Starts of the product with a devnet of their own, beside each other. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { saidByEnded, startProduct } from '../../support/product.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-devnets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options = (name: string) => ({
	dataDir: join(folder, name),
	config: '',
	env: { KOMODO_HOME: join(folder, 'none') }
});

/** The address of the control API of the devnet in a data folder. */
const controlOf = (name: string): string =>
	(
		JSON.parse(readFileSync(join(folder, name, 'devnet', 'devnet.json'), 'utf8')) as {
			control: { url: string };
		}
	).control.url;

test('two starts at the same moment have a devnet each, and a third on the folder of one ends with a sentence', async () => {
	const [one, two] = await Promise.all([
		startProduct(options('one')),
		startProduct(options('two'))
	]);
	const control = controlOf('one');
	expect(controlOf('two')).not.toBe(control);

	const said = await saidByEnded(options('one'));
	expect(said).toMatch(/devnet is used by another devnet, which still runs/);
	expect(said).not.toMatch(/\n\s+at /);
	expect(controlOf('one')).toBe(control);
	expect((await fetch(`${one.url}/readyz`)).status).toBe(200);
	await Promise.all([one.stop(), two.stop()]);
});
