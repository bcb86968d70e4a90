/** Whether a burn was imported, according to a daemon that has not yet read all blocks of its chain. */
import { expect, it } from 'vitest';
import { count } from '#lib/text/plural.ts';
import { daemonClientOf } from '#lib/server/chains/daemon/daemonClient.ts';
import { findAnyImport, findImport } from '#lib/server/chains/daemon/findImport.ts';
import { findAnywhere } from '#lib/server/chains/daemon/findTransaction.ts';
import { describeOnSqlite } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';
import { between, gatewayTo } from '../transactions/support.ts';
import { migrationsOver } from './support.ts';

interface Imports {
	imports: { export: { txid?: string } }[];
}

describeOnSqlite('an import that stands in a block', (database) => {
	const net = shared(() => startDevnet({ manual: true }));

	it('is not said to be missing by a daemon that has not read so far', async () => {
		const tip = await net.rpc<number>('BETA', 'getblockcount');
		let at = tip;
		let burnTxid: string | undefined;
		for (; at > 0 && burnTxid === undefined; at--) {
			const { imports } = await net.rpc<Imports>('BETA', 'getimports', String(at));
			burnTxid = imports.find((one) => one.export.txid !== undefined)?.export.txid;
		}
		const proxy = await between(net, 'BETA');
		const gateway = gatewayTo(net, database, { BETA: { url: proxy.url } });
		const client = daemonClientOf(gateway, 'BETA');
		const search = () => findImport(client, burnTxid!, 1n);
		const whole = () => findAnyImport(client, burnTxid!, 1n);
		try {
			expect(await search()).toMatchObject({ found: { where: 'mined' } });
			proxy.rewrite = (method, body) =>
				method === 'getinfo'
					? body
							.replace(/"blocks": ?\d+/, `"blocks":${at - 1}`)
							.replace(/"longestchain": ?\d+/, `"longestchain":${tip}`)
					: body;
			expect(await search()).toMatchObject({ found: null, complete: false });
			await expect(whole()).rejects.toMatchObject({
				code: 'daemon.syncing',
				params: { daemon: 'BETA', blocks: at - 1, tip }
			});
			proxy.rewrite = null;
			expect(await whole()).toMatchObject({ found: { where: 'mined' } });
		} finally {
			await gateway.close();
			await proxy.stop();
		}
	});

	it('is not said to be no transaction by a daemon that has not read so far', async () => {
		const tip = await net.rpc<number>('BETA', 'getblockcount');
		const proxy = await between(net, 'BETA');
		const gateway = gatewayTo(net, database, { BETA: { url: proxy.url } });
		const migrations = migrationsOver(database.db, gateway);
		const open = () => migrations.openByBurn('cd'.repeat(32), 'BETA', 'ada');
		try {
			expect(await open()).toEqual({
				kind: 'refused',
				fault: { code: 'no-transaction', chain: 'BETA' }
			});
			proxy.rewrite = (method, body) =>
				method === 'getinfo'
					? body
							.replace(/"blocks": ?\d+/, `"blocks":${tip - 5}`)
							.replace(/"tiptime": ?\d+/, '"tiptime":1600000000')
							.replace(/"longestchain": ?\d+/, `"longestchain":${tip}`)
					: body;
			expect(await open()).toMatchObject({
				kind: 'refused',
				fault: { code: 'unread', error: { code: 'daemon.syncing', params: { tip } } }
			});
		} finally {
			await gateway.close();
			await proxy.stop();
		}
	});

	it('is not waited for because of blocks that one peer claims, unless there are signs of them', async () => {
		const proxy = await between(net, 'BETA');
		const gateway = gatewayTo(net, database, { BETA: { url: proxy.url } });
		const client = daemonClientOf(gateway, 'BETA');
		await net.control.mine('BETA');
		const tip = await net.rpc<number>('BETA', 'getblockcount');
		const search = () => findAnyImport(client, 'cd'.repeat(32), 1n);
		const waits = { code: 'daemon.syncing', params: { blocks: tip, tip: tip + 1 } };
		await net.control.claim('BETA', tip + 1);
		try {
			expect(await search()).toMatchObject({ found: null, complete: true });
			const signs = {
				getinfo: [/"tiptime": ?\d+/, `"tiptime":${Math.floor(Date.now() / 1_000) - 7_200}`],
				getblockchaininfo: [/"headers": ?\d+/, `"headers":${tip + 1}`],
				getpeerinfo: [/"startingheight": ?\d+/g, `"startingheight":${tip + 1}`]
			} as const;
			for (const [asked, [said, instead]] of Object.entries(signs)) {
				proxy.rewrite = (method, body) => (method === asked ? body.replace(said, instead) : body);
				await expect(search(), asked).rejects.toMatchObject(waits);
			}
		} finally {
			await net.control.claim('BETA', 0);
			await gateway.close();
			await proxy.stop();
		}
	});

	it('is waited for by a daemon without peers whose tip is old only where it may be a restored one', async () => {
		const proxy = await between(net, 'BETA');
		const gateway = gatewayTo(net, database, { BETA: { url: proxy.url } });
		const client = daemonClientOf(gateway, 'BETA');
		await net.control.mine('BETA');
		const tip = await net.rpc<number>('BETA', 'getblockcount');
		const absent = 'cd'.repeat(32);
		/** A daemon that does not know the length of its chain, with some answers changed. */
		const alone = (changes: Readonly<Record<string, readonly [RegExp, string]>> = {}) => {
			const hermit = { getpeerinfo: [/"result":\s?\[.*\]/s, '"result":[]'], ...changes } as const;
			proxy.rewrite = (method, body) => {
				const change = Object.entries(hermit).find(([asked]) => asked === method)?.[1];
				const told = change ? body.replace(change[0], change[1]) : body;
				return method === 'getinfo'
					? told.replace(/"longestchain": ?\d+/, '"longestchain":0')
					: told;
			};
		};
		const waits = {
			code: 'daemon.syncing',
			params: { blocks: tip, tip: 0 },
			message: `BETA has ${count(tip)} blocks and does not know whether its chain has more.`
		};
		try {
			alone();
			expect(await findAnywhere(client, absent, { mayBeOld: true })).toEqual({ where: 'absent' });
			expect(await findAnyImport(client, absent, 1n)).toMatchObject({ complete: true });
			const hourOld = `"tiptime":${Math.floor(Date.now() / 1_000) - 7_200}`;
			// A chain that mines only when there is something to mine rests for hours.
			alone({ getinfo: [/"tiptime": ?\d+/, hourOld] });
			expect(await findAnywhere(client, absent, { mayBeOld: false })).toEqual({ where: 'absent' });
			expect(await findAnyImport(client, absent, 1n)).toMatchObject({ complete: true });
			await expect(findAnywhere(client, absent, { mayBeOld: true })).rejects.toMatchObject(waits);
			const signs: Readonly<Record<string, readonly [RegExp, string]>>[] = [
				{ getblockchaininfo: [/"headers": ?\d+/, `"headers":${tip + 1}`] },
				{ getpeerinfo: [/"startingheight": ?\d+/g, `"startingheight":${tip + 1}`] }
			];
			for (const changes of signs) {
				alone(changes);
				const [asked] = Object.keys(changes);
				const search = findAnywhere(client, absent, { mayBeOld: false });
				await expect(search, asked).rejects.toMatchObject(waits);
				await expect(findAnyImport(client, absent, 1n), asked).rejects.toMatchObject(waits);
			}
			alone();
			expect(await findAnywhere(client, absent, { mayBeOld: true })).toEqual({ where: 'absent' });
		} finally {
			await gateway.close();
			await proxy.stop();
		}
	});

	it('is looked for among what waits, of which each is asked for once', async () => {
		const proxy = await between(net, 'BETA');
		const gateway = gatewayTo(net, database, { BETA: { url: proxy.url } });
		const client = daemonClientOf(gateway, 'BETA');
		const to = await net.rpc<string>('BETA', 'getnewaddress');
		for (let n = 0; n < 3; n++) await net.rpc('BETA', 'sendtoaddress', to, 0.5);
		const waiting = await net.rpc<string[]>('BETA', 'getrawmempool');
		const tip = BigInt(await net.rpc<number>('BETA', 'getblockcount'));
		try {
			for (let n = 0; n < 3; n++) {
				const { found } = await findImport(client, 'ab'.repeat(32), tip);
				expect(found).toBeNull();
			}
			expect(proxy.count('getrawmempool')).toBe(3);
			expect(proxy.count('getrawtransaction')).toBe(waiting.length);
		} finally {
			await gateway.close();
			await proxy.stop();
		}
	});
});
