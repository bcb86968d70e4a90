/** A trading node over https with a self-signed certificate: accepted if it is pinned, and never otherwise. */
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { explainKdf } from '#lib/messages/explained/kdf.ts';
import type { KdfGateway } from '#lib/server/kdf/client/kdfTypes.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { discoverDaemons } from '#lib/server/platform/config/discover.ts';
import { readConfigFile } from '#lib/server/platform/config/file.ts';
import type { KdfConfig } from '#lib/server/platform/config/types.ts';
import { selfSigned } from '../../../src/devnet/electrum/certificate.ts';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { failure, nodesBefore } from '../../support/nodes.ts';
import { listening } from '../../support/listening.ts';
import { closeAtOnce } from '../../../src/devnet/loopback.ts';

const NODE = 'trading-node';
const PASSWORD = 'Canary_Pass_1!';

let net: Devnet;
let folder: string;
const open: KdfGateway[] = [];

function gateway(node: KdfConfig): KdfGateway {
	const made = nodesBefore(node);
	open.push(made);
	return made;
}

/** The trading node as configured by a configuration file. */
function configured(entry: object): KdfConfig {
	const file = join(folder, 'deck.json');
	writeFileSync(file, JSON.stringify({ nodes: [entry] }));
	return readConfigFile(file).nodes[0]!;
}

const problems = (entry: object): readonly string[] => {
	try {
		configured(entry);
		return [];
	} catch (error) {
		if (!isAppError(error, 'config', 'mm2')) throw error;
		return [error.message.replaceAll(folder, '')];
	}
};

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'komodeck-certificate-'));
	net = await startDevnet({ bare: true });
	await net.control.restartNode({ https: true });
});
afterEach(async () => {
	for (const one of open.splice(0)) await one.close();
});
afterAll(async () => {
	await net.stop();
	rmSync(folder, { recursive: true, force: true });
});

const own = (): X509Certificate => new X509Certificate(readFileSync(join(net.dir, 'cert.pem')));
const reached = (): { url: string; password: string } => ({
	url: net.node.url.replace(/^http:/, 'https:'),
	password: net.node.password
});

it('is reached when its certificate is named by SHA-256, by a file, or lies beside its settings', async () => {
	const coins = { coins: [] };
	const { fingerprint256 } = own();
	const named: KdfConfig[] = [
		configured({ ...reached(), certificateSha256: fingerprint256 }),
		configured({
			...reached(),
			certificateSha256: fingerprint256.replaceAll(':', '').toLowerCase()
		}),
		configured({ ...reached(), certificateFile: join(net.dir, 'cert.pem') }),
		configured({ mm2File: join(net.dir, 'MM2.json') }),
		discoverDaemons(net.dir).nodes[0]!
	];
	for (const node of named) {
		const nodes = gateway(node);
		expect(node.url).toMatch(/^https:/);
		expect(await nodes.call(NODE, 'get_enabled_coins', {})).toEqual(coins);
		expect(await nodes.node(NODE)).toMatchObject({ state: 'up', dialect: 'kdf' });
	}
});

it('tells of events over the same certificate', async () => {
	const nodes = gateway(configured({ ...reached(), certificateSha256: own().fingerprint256 }));
	const heard = new Promise<[string, number]>((resolve) => {
		nodes.listen((node, task) => resolve([node, task]));
	});
	while (nodes.listener(NODE) === null) await new Promise((resolve) => setImmediate(resolve));
	const { ports } = (await net.control.node()).electrum.find(({ ticker }) => ticker === 'KMD')!;
	const servers = [{ url: `127.0.0.1:${ports.tcp}` }];
	const { task_id: task } = await nodes.call(NODE, 'task::enable_utxo::init', {
		ticker: 'KMD',
		activation_params: { mode: { rpc: 'Electrum', rpc_data: { servers } } },
		client_id: nodes.listener(NODE)!
	});
	expect(await heard).toEqual([NODE, task]);
});

it('is sent nothing when it shows a certificate that nobody named: the password stays here', async () => {
	const { cert, key, fingerprint } = selfSigned();
	const seen: string[] = [];
	const server: Server = createServer({ cert, key }, (request, response) => {
		seen.push(request.url ?? '');
		response.end('{}');
	});
	const url = `https://127.0.0.1:${await listening(server)}`;
	const elsewhere = join(folder, 'elsewhere.pem');
	writeFileSync(elsewhere, selfSigned().cert);
	const entries = [
		{},
		{ certificateSha256: own().fingerprint256 },
		{ certificateFile: join(net.dir, 'cert.pem') },
		{ certificateFile: elsewhere }
	];
	for (const entry of entries) {
		const nodes = gateway(configured({ url, password: PASSWORD, ...entry }));
		nodes.listen(() => undefined);
		const error = await failure(nodes.call(NODE, 'get_enabled_coins', {}));
		expect(error).toMatchObject({ code: 'kdf.untrusted', params: { delivery: 'not-sent' } });
		expect(explainKdf(error.coded).what).toBe(
			`${NODE} shows a certificate that is not trusted here.`
		);
		expect(await nodes.node(NODE)).toMatchObject({
			state: 'down',
			reason: { code: 'kdf.untrusted' }
		});
	}
	expect(seen).toEqual([]);
	const nodes = gateway(configured({ url, password: PASSWORD, certificateSha256: fingerprint }));
	await failure(nodes.call(NODE, 'get_enabled_coins', {}));
	expect(seen.length).toBeGreaterThan(0);
	await closeAtOnce(server);
});

it('cannot be configured with half a certificate', () => {
	const url = 'https://127.0.0.1:7783';
	const password = PASSWORD;
	const fits = 'ab'.repeat(32);
	expect(problems({ url, password, certificateSha256: 'abcd' })).toEqual([
		'/deck.json: nodes[0].certificateSha256: must be the 64 hex digits of a SHA-256.'
	]);
	expect(problems({ url, password, certificateSha256: fits, certificateFile: 'a.pem' })).toEqual([
		'/deck.json: nodes[0]: takes either "certificateSha256" or "certificateFile".'
	]);
	expect(problems({ url, password, certificateFile: 'none.pem' })).toEqual([
		'/none.pem, the certificate of trading-node, cannot be read.'
	]);
	writeFileSync(join(folder, 'empty.pem'), 'no certificate');
	expect(problems({ url, password, certificateFile: 'empty.pem' })).toEqual([
		'/empty.pem holds no certificate for trading-node.'
	]);
	expect(problems({ url: 'http://127.0.0.1:7783', password, certificateSha256: fits })).toEqual([
		'/deck.json: trading-node names a certificate, but its address is not https.'
	]);
});
