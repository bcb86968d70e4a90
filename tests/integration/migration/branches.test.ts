/**
 * Chains that go back under a migration, and daemons that do not agree: imports that a search has passed, burns that
 * leave their block while another daemon is away, and what counts as seen.
 */
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { MigrationPolicy, MigrationState } from '#lib/server/cross-chain/migration/states.ts';
import { describeOnSqlite } from '../../support/database.ts';
import { daemonConfig, gatewayBefore } from '../../support/daemons.ts';
import { startDevnet } from '../../support/devnet.ts';
import { addPerson, authOver } from '../../support/members.ts';
import { shared } from '../../support/shared.ts';
import { startAlteringProxy } from './alteringProxy.ts';
import {
	addressOn,
	carry,
	draftedBurn,
	gatewayTo,
	importsOf,
	migrationsOver,
	placesOf,
	round
} from './support.ts';

const SEND = 'sendrawtransaction';
const BUILD = 'migrate_createimporttransaction';
const COMPLETE = 'migrate_completeimporttransaction';
const UNKNOWN = { code: -5, message: 'No information available about transaction' };
const TOMBSTONE = { code: -26, message: '18: import tombstone exists' };

describeOnSqlite('a migration between chains that go back', (database) => {
	const net = shared(() => startDevnet());
	const front = (chain: string) => startAlteringProxy(net.chains.get(chain)!);
	const proxies = { ALPHA: shared(() => front('ALPHA')), BETA: shared(() => front('BETA')) };
	const { ALPHA, BETA } = proxies;
	const gateway = shared(() => gatewayTo(placesOf(net, { ALPHA: ALPHA.url, BETA: BETA.url })));
	const auth = shared(() => authOver(database));
	const migrations = shared(() => migrationsOver(database.db, gateway, { audit: auth.audit }));
	let to: string;
	let amount = 100;
	beforeAll(async () => {
		to = await addressOn(net, 'BETA');
	});
	afterEach(async () => {
		for (const [chain, proxy] of Object.entries(proxies)) {
			await net.control.fault(chain, 'none');
			for (const method of [SEND, 'getrawtransaction', 'gettransaction'])
				proxy.refuse(method, null);
			for (const method of ['getinfo', 'getrawmempool']) proxy.alter(method, null);
		}
		await gateway.probe();
	});

	async function confirmed(policy: MigrationPolicy = 'automatic'): Promise<string> {
		amount += 1;
		const id = await draftedBurn(migrations, { address: to, amount: `0.0${amount}`, policy });
		expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
		return id;
	}

	const rowOf = async (id: string) => (await migrations.get(id))!.row;
	const stateAfter = async (id: string, over = migrations): Promise<MigrationState> => {
		await over.advance(id);
		return (await rowOf(id)).state;
	};
	const approver = async () => addPerson(database, 'operator');
	const heightOf = async (chain: string): Promise<number> =>
		(await net.rpc<{ blocks: number }>(chain, 'getinfo')).blocks;

	/** Removes the block of the burn, after which only its bytes are left. */
	async function loseBurn(id: string): Promise<void> {
		const { steps } = (await migrations.get(id))!;
		const height = Number(steps.get('burn-confirmed')!.evidence.height);
		await net.control.reorg('ALPHA', (await heightOf('ALPHA')) - height + 1, true, true);
	}

	/**
	 * Imports the burn with another proof than the chosen one, and puts it into a block.
	 * @returns the height of that block
	 */
	async function importOtherwise(id: string): Promise<number> {
		const { row, steps } = (await migrations.get(id))!;
		const own = steps.get('completion')?.hex;
		for (let n = 0; n < 4; n++) await round(net);
		type Built = { ImportTxHex: string };
		const burn = steps.get('burn')!.hex;
		const { ImportTxHex: first } = await net.rpc<Built>('ALPHA', BUILD, burn, row.payouts);
		for (let offset = 1; offset < 60; offset++) {
			try {
				const { ImportTxHex: hex } = await net.rpc<Built>('KMD', COMPLETE, first, offset);
				if (hex === own) continue;
				await net.rpc('BETA', SEND, hex);
			} catch {
				continue;
			}
			return (await net.control.mine('BETA')).height;
		}
		throw new Error('No other proof was accepted.');
	}

	/** Advances a migration until it is in a state, while nothing happens on the chains. */
	async function expectSoon(id: string, state: MigrationState): Promise<void> {
		for (let n = 0; n < 12 && (await stateAfter(id)) !== state; n++);
		expect(await rowOf(id)).toMatchObject({ state });
	}

	test('finds an import that a search has passed once the destination says that it has one', async () => {
		const id = await confirmed('ask');
		expect(await carry(net, migrations, id)).toBe('needs-approval');
		const height = await importOtherwise(id);
		await net.control.mine('BETA', 3);
		// As a reorganization of more than a hundred blocks leaves it.
		await database.db
			.updateTable('migrations')
			.set({ import_scan_from: BigInt(height + 1) })
			.where('id', '=', id)
			.execute();
		expect(await migrations.approveStep(id, (await approver()).name)).toBe('approved');
		expect(await stateAfter(id)).toBe('import-unknown');
		expect((await rowOf(id)).reason?.code).toBe('send.claimed');
		await expectSoon(id, 'done');
		expect(await importsOf(net, 'BETA', (await rowOf(id)).burn_txid!)).toHaveLength(1);
	});

	test.each([50, 1_000])(
		'finds an import below the height that another daemon of the destination had (%i blocks more)',
		async (more) => {
			const blocks = (await heightOf('BETA')) + more;
			BETA.alter('getinfo', (result) => ({ ...result, blocks }));
			const id = await confirmed('ask');
			BETA.alter('getinfo', null);
			expect(await carry(net, migrations, id)).toBe('needs-approval');
			await importOtherwise(id);
			await migrations.approveStep(id, (await approver()).name);
			const sends = BETA.count(SEND);
			await expectSoon(id, 'done');
			expect(BETA.count(SEND)).toBe(sends);
		}
	);

	test('stops when the destination says that it has an import which no block holds', async () => {
		const id = await confirmed('ask');
		expect(await carry(net, migrations, id)).toBe('needs-approval');
		BETA.refuse(SEND, TOMBSTONE, 'unheard');
		await migrations.approveStep(id, (await approver()).name);
		const sends = BETA.count(SEND);
		await expectSoon(id, 'stuck');
		expect(BETA.count(SEND) - sends).toBe(3);
		expect((await rowOf(id)).reason).toMatchObject({
			code: 'import.refused',
			params: { response: TOMBSTONE.message }
		});
		BETA.refuse(SEND, null);
		expect(await migrations.retry(id, 'ada')).toBe(true);
		expect(await carry(net, migrations, id)).toBe('done');
	});

	test('finds by its id an import that was sent and not listed, while members are asked again', async () => {
		const member = await approver();
		const id = await confirmed('ask');
		expect(await carry(net, migrations, id)).toBe('needs-approval');
		await migrations.approveStep(id, member.name);
		BETA.refuse('getrawtransaction', UNKNOWN, 'unheard');
		BETA.refuse('gettransaction', UNKNOWN, 'unheard');
		BETA.alter('getrawmempool', () => [] as never);
		expect(await stateAfter(id)).toBe('import-unknown');
		expect((await rowOf(id)).reason?.code).toBe('send.not-shown');
		await auth.members.setRole(await addPerson(database, 'admin'), member.id, 'viewer');
		expect(await stateAfter(id)).toBe('needs-approval');
		for (const method of ['getrawtransaction', 'gettransaction']) BETA.refuse(method, null);
		BETA.alter('getrawmempool', null);
		expect(await stateAfter(id)).toBe('import-pending');
		await net.control.mine('BETA');
		expect(await stateAfter(id)).toBe('done');
	});

	test('sends a burn again that left its block while the destination of its import is away', async () => {
		const id = await confirmed('ask');
		expect(await carry(net, migrations, id)).toBe('needs-approval');
		await net.control.fault('BETA', 'down');
		await migrations.approveStep(id, (await approver()).name);
		expect(await stateAfter(id)).toBe('import-unknown');
		await loseBurn(id);
		expect(await stateAfter(id)).toBe('burn-unknown');
		expect(await stateAfter(id)).toBe('burn-pending');
		await net.control.fault('BETA', 'none');
		expect(await carry(net, migrations, id, 20)).toBe('done');
		expect(await importsOf(net, 'BETA', (await rowOf(id)).burn_txid!)).toHaveLength(1);
	});

	test('sends a burn again that left its block while the destination of its approvals is away', async () => {
		const id = await confirmed();
		await migrations.advance(id);
		await net.control.mine('ALPHA');
		expect(await stateAfter(id)).toBe('waiting-back-notarization');
		expect(await migrations.publish(id, 'ada')).toBe(true);
		expect(await stateAfter(id)).toBe('backup-collecting');
		await net.control.fault('BETA', 'down');
		await loseBurn(id);
		expect(await stateAfter(id)).toBe('burn-unknown');
		expect(await stateAfter(id)).toBe('burn-pending');
		await net.control.fault('BETA', 'none');
		await net.control.mine('ALPHA');
		expect(await stateAfter(id)).toBe('backup-collecting');
	});

	test('does not leave a burn without a block while it is stopped', async () => {
		const id = await confirmed();
		await migrations.advance(id);
		await net.control.mine('ALPHA');
		await net.control.fault('ALPHA', 'drop', { method: BUILD });
		for (let n = 0; n < 6; n++) {
			await migrations.advance(id);
			await gateway.probe();
		}
		expect((await rowOf(id)).reason?.code).toBe('build.broken');
		await net.control.fault('ALPHA', 'none');
		await gateway.probe();
		expect(await stateAfter(id)).toBe('stuck');
		await loseBurn(id);
		expect(await stateAfter(id)).toBe('burn-unknown');
		expect(await stateAfter(id)).toBe('burn-pending');
		// It is still a person's turn to find out why the daemon ended.
		await net.control.mine('ALPHA');
		expect(await stateAfter(id)).toBe('stuck');
		expect(await migrations.retry(id, 'ada')).toBe(true);
		expect(await carry(net, migrations, id)).toBe('done');
	});

	test('does not call a burn over that a block takes while its inputs are looked at', async () => {
		let mined = false;
		const racing = migrationsOver(
			database.db,
			{
				...gateway,
				async call(daemon, method, params, options) {
					if (method === 'gettxout' && !mined) {
						mined = true;
						await net.rpc('ALPHA', SEND, hex);
						await net.control.mine('ALPHA');
					}
					return gateway.call(daemon, method, params, options);
				}
			},
			{
				audit: auth.audit,
				finality: new Map([['ALPHA', { confirmations: 1, notarization: 'none' }]])
			}
		);
		const id = await confirmed();
		const hex = (await migrations.get(id))!.steps.get('burn')!.hex!;
		ALPHA.refuse(SEND, { code: -26, message: '64: scriptpubkey' }, 'unheard');
		await racing.advance(id);
		ALPHA.refuse(SEND, null);
		expect(mined).toBe(true);
		expect((await rowOf(id)).reason?.code).not.toBe('burn.dead');
		expect(await carry(net, migrations, id)).toBe('done');
	});

	test('is not recovered by its import while the daemon of the source lacks the block of the burn', async () => {
		const id = await confirmed();
		expect(await carry(net, migrations, id)).toBe('done');
		const txid = (await migrations.get(id))!.steps.get('import-confirmed')!.txid!;
		await database.db.deleteFrom('migrations').where('id', '=', id).execute();
		const tip = await heightOf('ALPHA');
		const read = { blocks: tip - 50, longestchain: tip, tiptime: 1_600_000_000 };
		ALPHA.alter('getinfo', (result) => ({ ...result, ...read }));
		for (const method of ['getrawtransaction', 'gettransaction'])
			ALPHA.refuse(method, UNKNOWN, 'unheard');
		const open = () => migrations.openByBurn(txid, 'BETA', 'grace', { recipient: to });
		const refused = await open();
		ALPHA.alter('getinfo', null);
		for (const method of ['getrawtransaction', 'gettransaction']) ALPHA.refuse(method, null);
		expect(refused).toMatchObject({
			kind: 'refused',
			fault: { code: 'import-unknown', error: { code: 'daemon.syncing' } }
		});
		const opened = await open();
		expect(await carry(net, migrations, opened.kind === 'opened' ? opened.id : '')).toBe('done');
	});

	test('is recovered, and taken up, by daemons that only read', async () => {
		const id = await confirmed();
		await migrations.advance(id);
		await net.control.mine('ALPHA');
		await migrations.advance(id);
		const { burn_txid: txid } = await rowOf(id);
		const reading = (suffix: string) =>
			gatewayBefore(
				...placesOf(net).map((place) =>
					daemonConfig({ ...place, id: `${place.id}${suffix}` }, { purposes: ['read'] })
				)
			);
		for (const chain of ['ALPHA', 'BETA']) await net.control.started(chain, { wallet: false });
		const renamed = reading('-new');
		const plain = reading('');
		try {
			const over = migrationsOver(database.db, renamed, { audit: auth.audit });
			expect(await over.openByBurn(txid!, 'ALPHA', 'grace')).toEqual({ kind: 'opened', id });
			expect(await carry(net, over, id)).toBe('done');
			await database.db.deleteFrom('migrations').where('id', '=', id).execute();
			const anew = migrationsOver(database.db, plain, { audit: auth.audit });
			const opened = await anew.openByBurn(txid!, 'ALPHA', 'grace', { recipient: to });
			expect(await carry(net, anew, opened.kind === 'opened' ? opened.id : '')).toBe('done');
		} finally {
			for (const chain of ['ALPHA', 'BETA']) await net.control.started(chain, { wallet: true });
			await renamed.close();
			await plain.close();
		}
	});
});
