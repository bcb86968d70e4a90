/** Notarizations of the destination that are on KMD but were never recorded on the destination itself. */
import { beforeAll, expect, test } from 'vitest';
import { daemonError } from '#lib/server/chains/daemon/daemonError.ts';
import type { Migrations } from '#lib/server/cross-chain/migration/createMigrations.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { addressOn, draftedBurn, gatewayTo, migrationsOver, placesOf } from './support.ts';
import { shared } from '../../support/shared.ts';

/** Number of KMD blocks after which the next notarization's Merkle root includes a notarization. */
const DEEP = 6;

describeOnBothDatabases(
	'a proof that begins with a notarization of the destination',
	(database) => {
		const net = shared(() => startDevnet());
		const gateway = shared(() => gatewayTo(placesOf(net)));
		let migrations: Migrations;
		let to: string;
		beforeAll(async () => {
			migrations = migrationsOver(database.db, gateway);
			to = await addressOn(net, 'BETA');
		});

		/** The same with a KMD daemon that completes no proof with an offset. */
		const withoutOffsets = (): Migrations =>
			migrationsOver(database.db, {
				...gateway,
				call(daemon, method, params, options) {
					if (method !== 'migrate_completeimporttransaction' || params.length === 1)
						return gateway.call(daemon, method, params, options);
					const said = { rpcCode: -32603, rpcMessage: 'it does not say why' };
					return Promise.reject(
						daemonError('daemon.rpc-error', { daemon, method }, { delivery: 'delivered', ...said })
					);
				}
			});

		/** A burn that is notarized on its source, and not looked at since. */
		async function notarizedBurn(amount: string): Promise<string> {
			const id = await draftedBurn(migrations, { address: to, amount });
			expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
			await migrations.advance(id);
			await net.control.mine('ALPHA');
			await net.control.notarize('ALPHA');
			await net.control.mine('ALPHA');
			return id;
		}

		/** One notarization of BETA, `recorded` on BETA too. */
		async function notarize(recorded: boolean): Promise<void> {
			await net.control.mine('BETA');
			if (recorded) await net.control.notarize('BETA');
			else await net.control.notarizeKmd('BETA');
			await net.control.mine('BETA');
			await net.control.mine('KMD', DEEP);
		}

		/**
		 * Removes the next notarization of BETA by a reorganization.
		 * @returns a function that mines it later
		 */
		async function lateNotarization(): Promise<() => Promise<void>> {
			const { backNotarization } = await net.control.notarize('BETA');
			const hex = await net.rpc<string>('BETA', 'getrawtransaction', backNotarization);
			await net.control.reorg('BETA', 1, true, true);
			return async () => {
				await net.rpc('BETA', 'sendrawtransaction', hex);
				await net.control.mine('BETA');
			};
		}

		async function stateAfter(id: string, looks: number): Promise<string> {
			for (let look = 0; look < looks; look += 1) await migrations.advance(id);
			const { row } = (await migrations.get(id))!;
			return row.state;
		}

		test('that was not recorded there does not keep an earlier proof from being sent', async () => {
			const id = await notarizedBurn('0.31');
			for (const recorded of [true, true, false, true]) await notarize(recorded);
			expect(await stateAfter(id, 2)).toBe('import-pending');
		});

		test('that was not recorded there does not keep a later proof from being sent, and fills no history', async () => {
			const id = await notarizedBurn('0.32');
			for (const recorded of [false, true, false, true]) await notarize(recorded);
			expect(await stateAfter(id, 12)).toBe('waiting-target-notarization');
			const { events, row } = (await migrations.get(id))!;
			expect(row.reason).toMatchObject({ code: 'import.early' });
			const before = events.length;
			expect(await stateAfter(id, 12)).toBe('waiting-target-notarization');
			expect((await migrations.get(id))!.events).toHaveLength(before);
			await notarize(true);
			expect(await stateAfter(id, 4)).toBe('import-pending');
		});

		test('that was not recorded there leaves the import to a person after a day of refusals', async () => {
			const id = await notarizedBurn('0.35');
			for (const recorded of [false, true, false, true]) await notarize(recorded);
			expect(await stateAfter(id, 6)).toBe('waiting-target-notarization');
			const aDayLater = migrationsOver(database.db, gateway, {
				clock: () => Date.now() + 25 * 3_600_000
			});
			for (let look = 0; look < 40; look += 1) await aDayLater.advance(id);
			const { row } = (await migrations.get(id))!;
			expect(row).toMatchObject({ state: 'stuck', reason: { code: 'import.not-accepted' } });
			expect(await aDayLater.retry(id, 'ada')).toBe(true);
			for (let look = 0; look < 4; look += 1) await aDayLater.advance(id);
			expect((await migrations.get(id))!.row.state).toBe('waiting-target-notarization');
			await notarize(true);
			for (let look = 0; look < 8; look += 1) await aDayLater.advance(id);
			expect((await migrations.get(id))!.row.state).toBe('import-pending');
		});

		test('that KMD does not complete a proof with keeps an earlier proof from nothing', async () => {
			const id = await notarizedBurn('0.34');
			for (const recorded of [true, true]) await notarize(recorded);
			const other = withoutOffsets();
			for (let look = 0; look < 2; look += 1) await other.advance(id);
			expect((await migrations.get(id))!.row.state).toBe('import-pending');
		});

		test('is found below a notarization of an older block that came later', async () => {
			const comesLate = await lateNotarization();
			const id = await notarizedBurn('0.33');
			await notarize(true);
			// The notaries of the late notarization sign none of the others, because it spends their outputs.
			await net.control.mine('ALPHA');
			await net.control.notarizeKmd('ALPHA');
			await notarize(true);
			await comesLate();
			await net.control.mine('BETA');
			expect(await stateAfter(id, 2)).toBe('import-pending');
		});
	}
);
