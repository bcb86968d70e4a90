import { beforeAll, expect, test } from 'vitest';
import { parseTransaction } from '#lib/chain/transaction.ts';
import type { MigrationPolicy } from '#lib/server/cross-chain/migration/states.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { startAlteringProxy } from './alteringProxy.ts';
import {
	addApprover,
	addressOn,
	carry,
	draftedBurn,
	gatewayTo,
	importsOf,
	migrationsOver,
	placesOf,
	round
} from './support.ts';
import { shared } from '../../support/shared.ts';

const SEND = 'sendrawtransaction';
const BUILD = 'migrate_createimporttransaction';
const COMPLETE = 'migrate_completeimporttransaction';

describeOnBothDatabases('until a migration is final', (database) => {
	const net = shared(() => startDevnet());
	const front = (chain: string) => startAlteringProxy(net.chains.get(chain)!);
	const proxies = {
		ALPHA: shared(() => front('ALPHA')),
		BETA: shared(() => front('BETA')),
		KMD: shared(() => front('KMD'))
	};
	const gateway = shared(() => {
		const { ALPHA, BETA, KMD } = proxies;
		return gatewayTo(placesOf(net, { ALPHA: ALPHA.url, BETA: BETA.url, KMD: KMD.url }));
	});
	const migrations = shared(() => migrationsOver(database.db, gateway, { clock: () => now }));
	let to: string;
	let now = Date.now();
	let amount = 100;
	beforeAll(async () => {
		to = await addressOn(net, 'BETA');
	});

	async function confirmed(policy: MigrationPolicy = 'automatic'): Promise<string> {
		amount += 1;
		const id = await draftedBurn(migrations, { address: to, amount: `0.0${amount}`, policy });
		expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
		return id;
	}

	const rowOf = async (id: string) => (await migrations.get(id))!.row;
	const stateAfter = async (id: string): Promise<string> => {
		await migrations.advance(id);
		return (await rowOf(id)).state;
	};
	/** Advances it whenever it is due, until a member is asked. */
	async function untilStuck(id: string): Promise<void> {
		const began = now;
		while ((await stateAfter(id)) !== 'stuck') now = Number((await rowOf(id)).due_at);
		expect(now - began).toBeGreaterThan(30 * 60_000);
	}
	const heightOf = async (chain: string): Promise<number> =>
		(await net.rpc<{ blocks: number }>(chain, 'getinfo')).blocks;

	test('an import that a reorganization took back is sent again, the same bytes', async () => {
		const id = await confirmed();
		expect(await carry(net, migrations, id)).toBe('done');
		const before = (await migrations.get(id))!;
		expect(before.row.reason?.code).toBe('import.not-final');
		const { hex, txid } = before.steps.get('import-sent')!;
		const depth = async (): Promise<number> => {
			const { steps } = (await migrations.get(id))!;
			const height = Number(steps.get('import-confirmed')!.evidence.height);
			return (await heightOf('BETA')) - height + 1;
		};
		// In no block and no mempool: the daemon needs it again.
		await net.control.reorg('BETA', await depth(), true, true);
		const sends = proxies.BETA.count(SEND);
		expect(await stateAfter(id)).toBe('import-pending');
		expect(proxies.BETA.count(SEND) - sends).toBe(1);
		const again = (await migrations.get(id))!;
		expect(again.steps.get('import-sent')).toMatchObject({ hex, txid });
		expect(again.events.map(({ message }) => message)).toContainEqual({
			code: 'import.reorganized',
			params: { chain: 'BETA' }
		});
		await net.control.mine('BETA');
		expect(await stateAfter(id)).toBe('done');
		// Back in the mempool: the miners have it already.
		await net.control.reorg('BETA', await depth(), true);
		await net.rpc('BETA', 'getmempoolinfo');
		expect(await stateAfter(id)).toBe('import-pending');
		await net.control.mine('BETA');
		expect(await stateAfter(id)).toBe('done');
		expect(proxies.BETA.count(SEND) - sends).toBe(1);
		await net.control.mine('BETA', 8);
		expect(await stateAfter(id)).toBe('done');
		await net.control.mine('BETA', 2);
		expect(await stateAfter(id)).toBe('done');
		expect((await migrations.get(id))!.steps.get('import-confirmed')!.evidence).toMatchObject({
			confirmations: 11,
			needed: 10,
			notarized: false,
			awaitsNotarization: true
		});
		await net.control.notarize('BETA');
		expect(await stateAfter(id)).toBe('final');
		expect((await rowOf(id)).due_at).toBeNull();
		expect(await importsOf(net, 'BETA', before.row.burn_txid!)).toEqual([txid]);
	});

	test('a daemon that reads its chain anew takes no import back, and none goes out again', async () => {
		await net.control.mine('BETA', 120);
		await round(net);
		const id = await confirmed();
		expect(await carry(net, migrations, id)).toBe('done');
		const { BETA } = proxies;
		const { import_scan_from: from } = await rowOf(id);
		const { sapling } = await net.rpc<{ sapling: number }>('BETA', 'getinfo');
		expect(Number(from)).toBeGreaterThan(sapling + 1);
		const sends = BETA.count(SEND);
		BETA.alter('getinfo', (result) => ({ ...result, blocks: sapling + 1 }));
		const unknown = { code: -5, message: 'No information available about transaction' };
		BETA.refuse('getrawtransaction', unknown, 'unheard');
		BETA.refuse('gettransaction', { code: -5, message: 'Invalid or non-wallet transaction id' });
		expect(await stateAfter(id)).toBe('done');
		expect((await rowOf(id)).reason?.code).toBe('daemon.no-answer');
		expect(BETA.count(SEND)).toBe(sends);
		BETA.alter('getinfo', null);
		BETA.refuse('getrawtransaction', null);
		BETA.refuse('gettransaction', null);
		expect(await stateAfter(id)).toBe('done');
		expect((await rowOf(id)).reason?.code).toBe('import.not-final');
	});

	test.each(['done', 'import-pending'] as const)(
		'a daemon that has read its chain up to the import does not take it back where it was %s',
		async (state) => {
			const id = await confirmed();
			const { BETA } = proxies;
			expect(await carry(net, migrations, id)).toBe('done');
			const { steps } = (await migrations.get(id))!;
			const height = Number(steps.get('import-confirmed')!.evidence.height);
			if (state === 'import-pending') {
				await net.control.reorg('BETA', (await heightOf('BETA')) - height + 1, true);
				expect(await stateAfter(id)).toBe(state);
				await net.control.mine('BETA');
			}
			const told = async (): Promise<number> => {
				const { events } = (await migrations.get(id))!;
				const taken = ['import.reorganized', 'import.lost'];
				return events.filter(({ message }) => taken.includes(message?.code ?? '')).length;
			};
			const before = await told();
			const sends = BETA.count(SEND);
			const tip = await heightOf('BETA');
			const read = { blocks: height - 1, longestchain: tip, tiptime: 1_600_000_000 };
			BETA.alter('getinfo', (result) => ({ ...result, ...read }));
			BETA.refuse('getrawtransaction', { code: -5, message: 'No information' }, 'unheard');
			BETA.refuse('gettransaction', { code: -5, message: 'Invalid id' });
			expect(await stateAfter(id)).toBe(state);
			expect((await rowOf(id)).reason).toEqual({
				code: 'import.blocks-missing',
				params: { chain: 'BETA', blocks: height - 1, tip }
			});
			expect(BETA.count(SEND)).toBe(sends);
			BETA.alter('getinfo', null);
			BETA.refuse('getrawtransaction', null);
			BETA.refuse('gettransaction', null);
			expect(await stateAfter(id)).toBe('done');
			expect(await told()).toBe(before);
		}
	);

	test('a daemon that reads its chain anew makes no burn go out again', async () => {
		const id = await confirmed('ask');
		expect(await carry(net, migrations, id)).toBe('needs-approval');
		const { ALPHA } = proxies;
		const sends = ALPHA.count(SEND);
		const { sapling } = await net.rpc<{ sapling: number }>('ALPHA', 'getinfo');
		ALPHA.alter('getinfo', (result) => ({ ...result, blocks: sapling + 1 }));
		const unknown = { code: -5, message: 'No information available about transaction' };
		ALPHA.refuse('getrawtransaction', unknown, 'unheard');
		ALPHA.refuse('gettransaction', { code: -5, message: 'Invalid or non-wallet transaction id' });
		expect(await stateAfter(id)).toBe('needs-approval');
		ALPHA.alter('getinfo', null);
		ALPHA.refuse('getrawtransaction', null);
		ALPHA.refuse('gettransaction', null);
		expect(ALPHA.count(SEND)).toBe(sends);
		expect(await migrations.approveStep(id, await addApprover(database.db))).toBe('approved');
		expect(await carry(net, migrations, id)).toBe('done');
	});

	test('a daemon that reads its chain anew has lost no burn that waited in its mempool', async () => {
		const id = await confirmed();
		expect(await stateAfter(id)).toBe('burn-pending');
		await net.control.mine('ALPHA');
		const { ALPHA } = proxies;
		const sends = ALPHA.count(SEND);
		const { sapling } = await net.rpc<{ sapling: number }>('ALPHA', 'getinfo');
		const read = { blocks: sapling + 1, tiptime: 1_600_000_000 };
		ALPHA.alter('getinfo', (result) => ({ ...result, ...read }));
		ALPHA.refuse('getrawtransaction', { code: -5, message: 'No information' }, 'unheard');
		ALPHA.refuse('gettransaction', { code: -5, message: 'Invalid id' });
		expect(await stateAfter(id)).toBe('burn-pending');
		expect((await rowOf(id)).reason).toMatchObject({
			code: 'daemon.no-answer',
			params: { error: { code: 'daemon.syncing' } }
		});
		expect(ALPHA.count(SEND)).toBe(sends);
		ALPHA.alter('getinfo', null);
		ALPHA.refuse('getrawtransaction', null);
		ALPHA.refuse('gettransaction', null);
		expect(await carry(net, migrations, id)).toBe('done');
	});

	test('a burn whose block was lost is sent again, and nothing is built from it before', async () => {
		const id = await confirmed();
		await migrations.advance(id);
		await net.control.mine('ALPHA');
		expect(await stateAfter(id)).toBe('waiting-back-notarization');
		await net.control.reorg('ALPHA', 1, true, true);
		const builds = proxies.ALPHA.count(BUILD);
		expect(await stateAfter(id)).toBe('burn-unknown');
		expect(await stateAfter(id)).toBe('burn-pending');
		expect(proxies.ALPHA.count(BUILD)).toBe(builds);
		const { daemons } = await net.control.state();
		expect(daemons.find((daemon) => daemon.id === 'ALPHA')!.open).toBe(true);
		expect(await carry(net, migrations, id)).toBe('done');
	});

	test('a burn that was lost waits while another one in the mempool spends what it spends, and goes out by itself later', async () => {
		await net.control.mine('ALPHA');
		const id = await confirmed();
		expect(await stateAfter(id)).toBe('burn-pending');
		await net.control.mine('ALPHA');
		expect(await stateAfter(id)).toBe('waiting-back-notarization');
		await net.control.reorg('ALPHA', 1, true, true);
		const hex = (await migrations.get(id))!.steps.get('burn')!.hex!;
		const [input] = parseTransaction(hex).vin;
		const first = { txid: input!.txid, vout: input!.vout };
		const { value } = await net.rpc<{ value: number }>(
			...(['ALPHA', 'gettxout', first.txid, first.vout] as const)
		);
		const unsigned = await net.rpc<string>('ALPHA', 'createrawtransaction', [first], {
			[await addressOn(net, 'ALPHA')]: (value - 0.0001).toFixed(8)
		});
		const rival = await net.rpc<{ hex: string }>('ALPHA', 'signrawtransaction', unsigned);
		await net.rpc('ALPHA', 'sendrawtransaction', rival.hex);
		expect(await stateAfter(id)).toBe('burn-unknown');
		expect(await stateAfter(id)).toBe('burn-unknown');
		expect((await rowOf(id)).reason).toMatchObject({
			code: 'refusal.passing',
			params: { response: '16: mempool conflict' }
		});
		await untilStuck(id);
		const left = { state: 'stuck', reason: { code: 'burn.refused' } };
		expect(await rowOf(id)).toMatchObject(left);
		// It is still watched, and the message for members stays.
		expect(await stateAfter(id)).toBe('stuck');
		expect(await rowOf(id)).toMatchObject(left);
		expect(Number((await rowOf(id)).due_at)).toBeGreaterThan(now);
		await net.control.mine('ALPHA');
		await net.control.reorg('ALPHA', 1, true, true);
		expect(await stateAfter(id)).toBe('burn-pending');
		expect(await carry(net, migrations, id)).toBe('done');
	});

	test('the burn of an import that waits for approval is watched, and sent again, the same bytes', async () => {
		const id = await confirmed('ask');
		expect(await carry(net, migrations, id)).toBe('needs-approval');
		const { steps, row } = (await migrations.get(id))!;
		expect(Number(row.due_at)).toBeGreaterThan(0);
		const height = Number(steps.get('burn-confirmed')!.evidence.height);
		// A source that does not respond does not change what members are asked for.
		proxies.ALPHA.refuse(
			'getrawtransaction',
			{ code: -32603, message: 'Internal error' },
			'unheard'
		);
		expect(await stateAfter(id)).toBe('needs-approval');
		expect((await rowOf(id)).reason).toEqual(row.reason);
		proxies.ALPHA.refuse('getrawtransaction', null);
		await net.control.reorg('ALPHA', (await heightOf('ALPHA')) - height + 1, true, true);
		const sends = proxies.ALPHA.count(SEND);
		expect(await stateAfter(id)).toBe('burn-unknown');
		expect(await migrations.approveStep(id, 'grace')).toBe('moved-on');
		expect(await stateAfter(id)).toBe('burn-pending');
		expect(proxies.ALPHA.count(SEND) - sends).toBe(1);
		expect((await migrations.get(id))!.steps.get('burn')!.hex).toBe(steps.get('burn')!.hex);
		expect(await carry(net, migrations, id, 20)).toBe('needs-approval');
		expect(await migrations.approveStep(id, await addApprover(database.db))).toBe('approved');
		expect(await carry(net, migrations, id)).toBe('done');
		expect(await importsOf(net, 'BETA', row.burn_txid!)).toHaveLength(1);
	});

	test('no import goes out while its burn is in no block', async () => {
		const id = await confirmed();
		await migrations.advance(id);
		await net.control.mine('ALPHA');
		for (let i = 0; i < 12 && (await stateAfter(id)) !== 'waiting-target-notarization'; i++) {
			await round(net);
		}
		const { steps } = (await migrations.get(id))!;
		const height = Number(steps.get('burn-confirmed')!.evidence.height);
		await net.control.reorg('ALPHA', (await heightOf('ALPHA')) - height + 1, true, true);
		expect(await stateAfter(id)).toBe('burn-unknown');
		expect(await carry(net, migrations, id, 20)).toBe('done');
	});

	test('a daemon that ends over a build is asked three times, then a person is', async () => {
		const id = await confirmed();
		await migrations.advance(id);
		await net.control.mine('ALPHA');
		await net.control.fault('ALPHA', 'drop', { method: BUILD });
		const builds = proxies.ALPHA.count(BUILD);
		for (let i = 0; i < 6; i++) {
			await migrations.advance(id);
			await gateway.probe();
		}
		expect(proxies.ALPHA.count(BUILD) - builds).toBe(3);
		expect(await rowOf(id)).toMatchObject({
			state: 'stuck',
			reason: { code: 'build.broken', params: { chain: 'ALPHA' } }
		});
		await net.control.fault('ALPHA', 'none');
		await gateway.probe();
		expect(await migrations.retry(id, 'ada')).toBe(true);
		expect(await carry(net, migrations, id)).toBe('done');
	});

	test.each([
		['ALPHA', BUILD, -32603, 'Internal error'],
		['ALPHA', SEND, -26, '66: mempool full'],
		['KMD', COMPLETE, -7, 'Out of memory'],
		['BETA', SEND, -10, 'Komodo is downloading blocks...'],
		['BETA', SEND, -25, '']
	] as const)(
		'a passing refusal of %s at %s (%i) stops nothing',
		async (chain, method, code, message) => {
			const id = await confirmed();
			proxies[chain].refuse(method, { code, message }, 'unheard');
			const before = proxies[chain].count(method);
			for (let i = 0; i < 12 && proxies[chain].count(method) - before < 3; i++) {
				await migrations.advance(id);
				await round(net);
			}
			expect(proxies[chain].count(method) - before).toBe(3);
			const row = await rowOf(id);
			expect(row.state).not.toBe('stuck');
			expect(row.reason?.code).toBe('refusal.passing');
			proxies[chain].refuse(method, null);
			expect(await carry(net, migrations, id)).toBe('done');
		}
	);

	test('a refused burn that gets into a block by another way is found, and nobody is told to start again before', async () => {
		const id = await confirmed();
		const { hex } = (await migrations.get(id))!.steps.get('burn')!;
		proxies.ALPHA.refuse(SEND, { code: -26, message: '64: scriptpubkey' }, 'unheard');
		expect(await stateAfter(id)).toBe('stuck');
		expect((await rowOf(id)).reason?.code).toBe('burn.refused');
		await net.control.mine('ALPHA', 12);
		expect(await stateAfter(id)).toBe('stuck');
		expect((await rowOf(id)).reason?.code).toBe('burn.refused');
		await net.rpc('ALPHA', SEND, hex);
		proxies.ALPHA.refuse(SEND, null);
		expect(await stateAfter(id)).toBe('burn-pending');
		expect(await carry(net, migrations, id)).toBe('done');
	});

	/** Lets a burn expire that its daemon refuses with this message. */
	async function expectOver(id: string, response: string): Promise<void> {
		await net.control.mine('ALPHA', 230);
		await net.control.notarize('ALPHA');
		await migrations.advance(id);
		proxies.ALPHA.refuse(SEND, null);
		expect(await rowOf(id)).toMatchObject({
			state: 'stuck',
			reason: { code: 'burn.dead', params: { chain: 'ALPHA', response } },
			due_at: null
		});
	}

	test('a burn whose time is over is called so, and only then is it safe to start again', async () => {
		const id = await confirmed();
		proxies.ALPHA.refuse(SEND, { code: -26, message: '64: scriptpubkey' }, 'unheard');
		expect(await stateAfter(id)).toBe('stuck');
		await expectOver(id, '64: scriptpubkey');
	});

	test('a burn that was refused for what may pass is called over as well, once no block can take it', async () => {
		const id = await confirmed();
		proxies.ALPHA.refuse(SEND, { code: -26, message: '66: mempool full' }, 'unheard');
		await untilStuck(id);
		expect((await rowOf(id)).reason?.code).toBe('burn.refused');
		// As earlier releases left it.
		await database.db
			.updateTable('migration_steps')
			.set({ evidence: JSON.stringify({ refused: null, passing: true, tries: 19 }) })
			.where('migration', '=', id)
			.where('step', '=', 'burn')
			.execute();
		// No daemon has ever shown it: after that hour only a member can send it.
		const sends = proxies.ALPHA.count(SEND);
		expect(await stateAfter(id)).toBe('stuck');
		expect(proxies.ALPHA.count(SEND)).toBe(sends);
		await expectOver(id, '66: mempool full');
	});

	test('a lost notarization is asked for more and more seldom, and counted in one row', async () => {
		const id = await confirmed();
		await migrations.advance(id);
		await net.control.mine('ALPHA');
		await migrations.advance(id);
		await net.control.notarize('ALPHA');
		await net.control.mine('ALPHA');
		proxies.KMD.refuse('getrawtransaction', { code: -5, message: 'No information' }, 'unheard');
		const { KMD } = proxies;
		KMD.refuse('gettransaction', { code: -5, message: 'Invalid id' });
		const { blocks } = await net.rpc<{ blocks: number }>('KMD', 'getinfo');
		const read = { blocks: blocks - 1, longestchain: blocks, tiptime: 1_600_000_000 };
		KMD.alter('getinfo', (result) => ({ ...result, ...read }));
		// While KMD reads its chain again, nothing is reported as lost.
		expect(await stateAfter(id)).toBe('import-built');
		expect((await rowOf(id)).reason?.code).toBe('daemon.no-answer');
		KMD.alter('getinfo', null);
		let looks = 0;
		for (const end = now + 50 * 60_000; now < end; looks++) {
			await migrations.advance(id);
			now = Number((await rowOf(id)).due_at);
		}
		const view = (await migrations.get(id))!;
		KMD.refuse('getrawtransaction', null);
		KMD.refuse('gettransaction', null);
		expect(looks).toBeLessThan(90);
		expect(view.row.reason).toEqual({
			code: 'notarization.unknown',
			params: { chain: 'ALPHA' }
		});
		expect(view.events.length).toBeLessThan(12);
		expect(Math.max(...view.events.map(({ times }) => times))).toBeGreaterThan(20);
		expect(await carry(net, migrations, id)).toBe('done');
	});
});
