/** Burns of a chain with two wallets, of which members may use one, both, or the other. */
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import type { Role } from '#lib/server/access/identity/roles.ts';
import { createWallets, type Wallets } from '#lib/server/access/policy/wallets/wallets.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { Migrations } from '#lib/server/cross-chain/migration/createMigrations.ts';
import type { MigrationRow } from '#lib/server/cross-chain/migration/migrationRecord.ts';
import { doubtRestoredBurns } from '#lib/server/cross-chain/migration/doubtRestoredBurns.ts';
import { daemonConfig, gatewayBefore } from '../../support/daemons.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet, type DevnetDaemon } from '../../support/devnet.ts';
import { addPerson, authOver } from '../../support/members.ts';
import { ruledRights } from '../../support/ruledRights.ts';
import { shared } from '../../support/shared.ts';
import {
	addressOn,
	burnsOf,
	carry,
	configOf,
	draftedBurn,
	gatewayTo,
	migrationsOver,
	placesOf
} from './support.ts';

const FIRST = 'BETA';
const SECOND = 'BETA-notary-1';
const NEW_NAME = 'BETA:treasury';

describeOnBothDatabases('a burn from one of two wallets of a chain', (database) => {
	const net = shared(() => startDevnet());
	let second: DevnetDaemon;
	let auth: Auth;
	let wallets: Wallets;
	let admin: Account;
	let oda: Account;
	let to: string;
	let amount = 300;
	const gateway = shared(() =>
		gatewayTo([...placesOf(net), net.daemons.find(({ id }) => id === SECOND)!])
	);
	const over = (reached: Gateway): Migrations => {
		const { db } = database;
		const { audit } = auth;
		const { rights, approvals } = ruledRights({ db, gateway: reached, audit, wallets });
		return migrationsOver(db, reached, { audit, rights, approvals });
	};
	/** Runs a part with migrations over another configuration. */
	async function configured<T>(
		reached: Gateway,
		part: (migrations: Migrations) => Promise<T>
	): Promise<T> {
		try {
			await reached.probe();
			return await part(over(reached));
		} finally {
			await reached.close();
		}
	}
	beforeAll(async () => {
		second = net.daemons.find(({ id }) => id === SECOND)!;
		auth = await authOver(database);
		wallets = createWallets(database.db, auth.audit);
		admin = await addPerson(database, 'admin');
		oda = await member('operator', SECOND);
		to = await addressOn(net, 'ALPHA');
		for (let n = 0; n < 12; n++) {
			await net.rpc(FIRST, 'sendtoaddress', addressOfPubkey(second.pubkey), 2);
		}
		await net.control.mine('BETA');
		await gateway.probe();
	});

	/** A member who may use only the wallets of these daemons. */
	async function member(role: Role, ...daemons: string[]): Promise<Account> {
		const account = await addPerson(database, role);
		await wallets.set(null, account.id, { every: false, daemons });
		return account;
	}

	/** A draft of a burn from the second wallet. */
	async function drafted(): Promise<string> {
		// Earlier drafts lock the same outputs, and earlier burns wait for a block.
		await database.db.deleteFrom('locked_utxos').execute();
		await net.control.mine('BETA');
		amount += 1;
		const wish = { source: 'BETA', destination: 'ALPHA', address: to, amount: `0.0${amount}` };
		const id = await draftedBurn(over(gateway), wish, oda.name);
		expect(await rowOf(id)).toMatchObject({ source_daemon: SECOND, pubkey: second.pubkey });
		return id;
	}
	const rowOf = async (id: string): Promise<MigrationRow> => (await over(gateway).get(id))!.row;

	test('is checked and sent with its own wallet when a member confirms it who may use both', async () => {
		const migrations = over(gateway);
		const id = await drafted();
		const { row, steps } = (await migrations.get(id))!;
		await net.control.wallet(SECOND, { locked: true });
		const checks = await migrations.checksOf(row, steps, admin.name);
		await net.control.wallet(SECOND, { locked: false });
		expect(checks.map(({ message }) => message)).toContainEqual({
			code: 'wallet.locked',
			params: { daemon: SECOND }
		});
		expect(await migrations.confirm(id, admin.name, null)).toEqual({ kind: 'confirmed' });
		await migrations.advance(id);
		const { burn_txid } = row;
		expect(await rowOf(id)).toMatchObject({ source_daemon: SECOND, burn_txid });
		expect(await burnsOf(net, SECOND)).toContain(burn_txid);
	});

	test('names the wallet that builds it again where its own is a wallet no longer', async () => {
		const id = await drafted();
		const reading = gatewayBefore(
			...configOf(placesOf(net)),
			daemonConfig(second, { purposes: ['read'] })
		);
		await configured(reading, async (migrations) => {
			expect(await migrations.confirm(id, admin.name, null)).toEqual({ kind: 'rebuilt' });
			expect(await rowOf(id)).toMatchObject({
				source_daemon: FIRST,
				pubkey: net.chains.get(FIRST)!.pubkey
			});
			expect(await migrations.confirm(id, admin.name, null)).toEqual({ kind: 'confirmed' });
			await migrations.advance(id);
			expect((await rowOf(id)).state).toBe('burn-pending');
		});
	});

	/** The configuration in which the second daemon has another name. */
	const renamed = (): Gateway => gatewayTo([...placesOf(net), { ...second, id: NEW_NAME }]);
	/** The configuration in which it is not there any more. */
	const without = (): Gateway => gatewayTo(placesOf(net));

	/** A draft as a restored backup leaves it: its burn may have been sent. */
	async function restored(): Promise<string> {
		const id = await drafted();
		await doubtRestoredBurns(database.db);
		return id;
	}

	test('that may have been sent is discarded after its daemon was renamed or is gone', async () => {
		for (const reached of [renamed, without]) {
			const id = await restored();
			await configured(reached(), async (migrations) => {
				expect(await migrations.discard(id, oda.name)).toBe(true);
			});
			expect((await rowOf(id)).state).toBe('discarded');
		}
		const id = await restored();
		const others = placesOf(net).filter(({ chain }) => chain !== 'BETA');
		await configured(gatewayTo(others), async (migrations) => {
			expect(await migrations.confirm(id, admin.name, null)).toMatchObject({
				kind: 'refused',
				checks: [{ message: { code: 'chains.no-wallet' } }]
			});
			expect(await migrations.discard(id, oda.name)).toBe(true);
		});
	});

	test('that may have been sent is built again after its daemon was renamed', async () => {
		const id = await restored();
		await configured(renamed(), async (migrations) => {
			expect(await migrations.confirm(id, admin.name, null)).toEqual({ kind: 'rebuilt' });
			const { pubkey } = second;
			expect(await rowOf(id)).toMatchObject({ source_daemon: NEW_NAME, pubkey });
			expect(await migrations.confirm(id, admin.name, null)).toEqual({ kind: 'confirmed' });
			await migrations.advance(id);
			expect((await rowOf(id)).state).toBe('burn-pending');
		});
	});

	test.each(['discard', 'confirm'] as const)(
		'that was sent goes on with a daemon of its chain after its own is gone (%s)',
		async (act) => {
			const id = await restored();
			const { hex } = (await over(gateway).get(id))!.steps.get('burn')!;
			const txid = await net.rpc<string>(SECOND, 'sendrawtransaction', hex);
			const daemons = act === 'confirm' ? renamed() : without();
			await configured(daemons, async (migrations) => {
				const done = await (act === 'confirm'
					? migrations.confirm(id, admin.name, null)
					: migrations.discard(id, admin.name));
				expect(done).toEqual(act === 'confirm' ? { kind: 'confirmed' } : false);
				expect(await rowOf(id)).toMatchObject({
					source_daemon: act === 'confirm' ? NEW_NAME : FIRST,
					burn_txid: txid
				});
				expect(await carry(net, migrations, id)).toBe('done');
			});
		}
	);

	test('is confirmed by its creator after its daemon was renamed', async () => {
		const id = await drafted();
		await configured(renamed(), async (migrations) => {
			expect(await migrations.confirm(id, oda.name, null)).toMatchObject({
				kind: 'refused',
				checks: [{ message: { code: 'wallet.denied' } }]
			});
			await wallets.set(null, oda.id, { every: false, daemons: [NEW_NAME] });
			expect(await migrations.confirm(id, oda.name, null)).toEqual({ kind: 'rebuilt' });
			expect(await migrations.confirm(id, oda.name, null)).toEqual({ kind: 'confirmed' });
			await migrations.advance(id);
			expect((await rowOf(id)).state).toBe('burn-pending');
			await wallets.set(null, oda.id, { every: false, daemons: [SECOND] });
		});
	});

	test('keeps its wallet while a daemon that may have it under another name has not answered', async () => {
		const id = await drafted();
		const reached = renamed();
		await net.control.fault(SECOND, 'down');
		onTestFinished(async () => void (await net.control.fault(SECOND, 'none')));
		await configured(reached, async (migrations) => {
			expect(await migrations.confirm(id, admin.name, null)).toMatchObject({
				kind: 'refused',
				checks: [{ message: { code: 'wallet.not-known-yet', params: { daemon: NEW_NAME } } }]
			});
			expect(await rowOf(id)).toMatchObject({ source_daemon: SECOND, pubkey: second.pubkey });
			await net.control.fault(SECOND, 'none');
			await reached.probe();
			expect(await migrations.confirm(id, admin.name, null)).toEqual({ kind: 'rebuilt' });
			expect((await rowOf(id)).source_daemon).toBe(NEW_NAME);
		});
	});

	/** Spends the change of a burn, after which a daemon without a transaction index does not find the burn. */
	async function spendChange(txid: string): Promise<void> {
		const all = await net.rpc<{ txid: string; vout: number; amount: number }[]>(
			SECOND,
			'listunspent'
		);
		const { vout, amount: value } = all.find((one) => one.txid === txid)!;
		const paid = { [addressOfPubkey(second.pubkey)]: (value - 0.001).toFixed(8) };
		const spend = await net.rpc<string>(SECOND, 'createrawtransaction', [{ txid, vout }], paid);
		const { hex } = await net.rpc<{ hex: string }>(SECOND, 'signrawtransaction', spend);
		await net.rpc(SECOND, 'sendrawtransaction', hex);
		await net.control.mine('BETA');
	}

	test('that was sent is not discarded by a daemon of another wallet that cannot tell', async () => {
		const id = await restored();
		const { hex } = (await over(gateway).get(id))!.steps.get('burn')!;
		const txid = await net.rpc<string>(SECOND, 'sendrawtransaction', hex);
		await net.control.mine('BETA');
		await spendChange(txid);
		onTestFinished(async () => {
			await net.control.txIndex(FIRST, true);
			await net.control.buildingIndexes(FIRST, { spentIndex: true });
		});
		await net.control.txIndex(FIRST, false);
		await net.control.buildingIndexes(FIRST, { spentIndex: false });
		await configured(without(), async (migrations) => {
			await expect(migrations.discard(id, oda.name)).rejects.toMatchObject({
				code: 'transaction.not-built',
				params: { certain: 'not-discarded', why: { code: 'daemon.rpc-error' } }
			});
			expect(await migrations.confirm(id, admin.name, null)).toMatchObject({ kind: 'refused' });
			expect(await rowOf(id)).toMatchObject({ source_daemon: SECOND, burn_txid: txid });
			await net.control.buildingIndexes(FIRST, { spentIndex: true });
			expect(await migrations.discard(id, oda.name)).toBe(false);
			expect(await rowOf(id)).toMatchObject({ source_daemon: FIRST, burn_txid: txid });
			await migrations.advance(id);
			const { steps } = (await migrations.get(id))!;
			expect(steps.get('burn-confirmed')?.doneAt).toBeTypeOf('number');
			await net.control.txIndex(FIRST, true);
			expect(await carry(net, migrations, id)).toBe('done');
		});
	});

	/** A burn that was confirmed while its daemon was away, and is unsent. */
	async function unsent(): Promise<string> {
		const id = await drafted();
		const migrations = over(gateway);
		expect(await migrations.confirm(id, oda.name, null)).toEqual({ kind: 'confirmed' });
		await net.control.fault(SECOND, 'down');
		await migrations.advance(id);
		await net.control.fault(SECOND, 'none');
		expect(await rowOf(id)).toMatchObject({ state: 'burn-unknown', source_daemon: SECOND });
		return id;
	}

	test('that is unsent is taken over by its own wallet only, and for members who may use that', async () => {
		const id = await unsent();
		const { burn_txid: txid } = await rowOf(id);
		const open = (migrations: Migrations, { name }: Account) =>
			migrations.openByBurn(txid!, 'BETA', name);
		const missing = {
			kind: 'refused',
			fault: { code: 'wallet-missing', chain: 'BETA', daemon: SECOND }
		};
		await configured(without(), async (migrations) => {
			expect(await open(migrations, admin)).toEqual(missing);
			await net.control.fault(FIRST, 'down');
			expect(await open(migrations, admin)).toMatchObject({
				kind: 'refused',
				fault: { code: 'unread' }
			});
			await net.control.fault(FIRST, 'none');
		});
		const ben = await member('operator', FIRST);
		await configured(renamed(), async (migrations) => {
			expect(await open(migrations, ben)).toEqual(missing);
			expect(await open(migrations, oda)).toEqual(missing);
			expect((await rowOf(id)).source_daemon).toBe(SECOND);
			await wallets.set(null, oda.id, { every: false, daemons: [NEW_NAME] });
			expect(await open(migrations, oda)).toEqual({ kind: 'opened', id });
			expect((await rowOf(id)).source_daemon).toBe(NEW_NAME);
			expect(await carry(net, migrations, id)).toBe('done');
		});
	});

	test('that is on its chain is continued by another daemon after its wallet is gone', async () => {
		await wallets.set(null, oda.id, { every: false, daemons: [SECOND] });
		const id = await unsent();
		const { hex } = (await over(gateway).get(id))!.steps.get('burn')!;
		const txid = await net.rpc<string>(SECOND, 'sendrawtransaction', hex);
		await net.control.mine('BETA');
		await configured(without(), async (migrations) => {
			expect(await migrations.openByBurn(txid, 'BETA', admin.name)).toEqual({ kind: 'opened', id });
			expect((await rowOf(id)).source_daemon).toBe(FIRST);
			expect(await carry(net, migrations, id)).toBe('done');
		});
	});

	test('that was held back is not called outlived by another wallet that cannot tell', async () => {
		await wallets.set(null, oda.id, { every: false, daemons: [SECOND] });
		const id = await unsent();
		await wallets.set(null, oda.id, { every: false, daemons: [FIRST] });
		const kept = { state: 'stuck', reason: { code: 'burn.kept' } };
		await over(gateway).advance(id);
		expect(await rowOf(id)).toMatchObject(kept);
		const { hex } = (await over(gateway).get(id))!.steps.get('burn')!;
		const txid = await net.rpc<string>(SECOND, 'sendrawtransaction', hex);
		await net.control.mine('BETA');
		await spendChange(txid);
		onTestFinished(async () => {
			await net.control.txIndex(FIRST, true);
			await net.control.buildingIndexes(FIRST, { spentIndex: true });
		});
		await net.control.txIndex(FIRST, false);
		await net.control.buildingIndexes(FIRST, { spentIndex: false });
		await net.control.mine('BETA', 230);
		for (let n = 0; n < 2; n++) {
			await net.control.notarize('BETA');
			await net.control.mine('KMD');
		}
		const { url, user, password } = net.chains.get(FIRST)!;
		const exchanged = gatewayTo([...placesOf(net), { ...second, url, user, password }]);
		await configured(exchanged, async (migrations) => {
			for (let n = 0; n < 2; n++) {
				await migrations.advance(id);
				expect(await rowOf(id)).toMatchObject(kept);
				await net.control.mine('BETA', 2);
			}
		});
		await over(gateway).advance(id);
		const { steps } = (await over(gateway).get(id))!;
		expect(steps.get('burn-confirmed')?.doneAt).toBeTypeOf('number');
	});

	test('that was held back is not taken over with another wallet that has its name', async () => {
		await wallets.set(null, oda.id, { every: false, daemons: [SECOND] });
		const id = await unsent();
		await wallets.set(null, oda.id, { every: false, daemons: [FIRST] });
		const migrations = over(gateway);
		await migrations.advance(id);
		expect(await rowOf(id)).toMatchObject({ state: 'stuck', reason: { code: 'burn.kept' } });
		const { url, user, password } = net.chains.get(FIRST)!;
		const ben = await member('operator', SECOND);
		const exchanged = gatewayTo([...placesOf(net), { ...second, url, user, password }]);
		await configured(exchanged, async (others) => {
			await expect(others.retry(id, ben.name)).rejects.toMatchObject({
				code: 'wallet-daemon.other-pubkey',
				params: { daemon: SECOND, certain: 'not-changed' }
			});
			expect(await others.retryAll(ben.name)).toMatchObject({ retried: 0, refused: [{ id }] });
		});
		expect((await rowOf(id)).state).toBe('stuck');
		expect(await migrations.retry(id, ben.name)).toBe(true);
		expect(await carry(net, migrations, id)).toBe('done');
	});
});
