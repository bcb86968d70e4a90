import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openDevnetControl } from './devnetControl.ts';
import { daemonConfig } from '../../../tests/support/daemons.ts';

const OWN = 'http://127.0.0.1:7771';
const made: string[] = [];
afterEach(() => {
	for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

const daemon = (url: string) => daemonConfig({ url });

/** Whether a control is available for these daemon URLs, given this content of devnet's file. */
async function isThere(file: object | null, ...urls: string[]): Promise<boolean> {
	const komodoHome = mkdtempSync(join(tmpdir(), 'komodeck-devnet-control-'));
	made.push(komodoHome);
	if (file !== null) writeFileSync(join(komodoHome, 'devnet.json'), JSON.stringify(file));
	return (await openDevnetControl({ komodoHome, daemons: urls.map(daemon) })) !== null;
}

const control = { url: 'http://127.0.0.1:7799', password: 'secret' };

it('controls devnet while every daemon is one of its own', async () => {
	expect(await isThere({ daemons: [{ url: OWN }], control }, `${OWN}/`)).toBe(true);
});

it('controls nothing beside a real daemon, although a file of devnet lies there', async () => {
	const file = { daemons: [{ url: OWN }], control };
	expect(await isThere(file, OWN, 'http://127.0.0.1:7772/')).toBe(false);
	expect(await isThere(file, 'http://10.0.0.5:7771/')).toBe(false);
});

it('controls nothing without a file of devnet, with a broken one, or on another machine', async () => {
	expect(await isThere(null, OWN)).toBe(false);
	expect(await isThere({ control }, OWN)).toBe(false);
	const elsewhere = { ...control, url: 'http://10.0.0.5:7799' };
	expect(await isThere({ daemons: [{ url: OWN }], control: elsewhere }, OWN)).toBe(false);
});
