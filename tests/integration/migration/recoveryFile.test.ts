import { beforeAll, expect, test } from 'vitest';
import { createAudit } from '#lib/server/access/audit/audit.ts';
import { MigrationStore } from '#lib/server/cross-chain/migration/store.ts';
import { locks } from '#lib/server/locks.ts';
import { command } from '../../support/commandLine.ts';
import { describeOnBothDatabases } from '../../support/database.ts';

const BURN = 'ab'.repeat(32);

describeOnBothDatabases('a migration on the command line', (database) => {
	const komodeck = (...args: string[]) =>
		command({ dataDir: database.dataDir, url: database.options.url }, ['migration', ...args]);

	beforeAll(async () => {
		const audit = createAudit(database.db, new Uint8Array(32));
		const store = new MigrationStore({
			locks,
			db: database.db,
			audit,
			clock: () => 1_800_000_000_000
		});
		await store.insert(
			{
				id: 'c0ffee',
				path: 'notarized',
				source: 'ALPHA',
				destination: 'BETA',
				source_daemon: 'daemon-of-alpha',
				destination_daemon: 'daemon-of-beta',
				kmd_daemon: 'daemon-of-kmd',
				ccid: 777n,
				pubkey: null,
				address: 'RXL3YXG2ceaB6C5hfJcN4fvmLH2C34knhA',
				amount: 99_999_999_999_999n,
				payouts: '00',
				burn_txid: BURN,
				import_scan_from: 0n,
				created_by: 'ada',
				policy: 'ask-two',
				state: 'burn-pending',
				approved_by: null,
				approved_too: null,
				due_at: null,
				reason: { code: 'burn.pending', params: { chain: 'ALPHA' } }
			},
			{
				steps: [
					{ step: 'burn-confirmed', started: true },
					{ step: 'burn', hex: { from: null, to: '0400' }, txid: BURN, done: true }
				],
				event: { step: 'burn', message: { code: 'burn.confirmed', params: { actor: 'ada' } } }
			}
		);
	});

	test('of a token says its units, never coins', async () => {
		const audit = createAudit(database.db, new Uint8Array(32));
		const store = new MigrationStore({ locks, db: database.db, audit });
		const { row } = (await store.load('c0ffee'))!;
		await store.insert(
			{
				...row,
				id: 'decade',
				burn_txid: null,
				amount: 400n,
				tokenid: 'cd'.repeat(32),
				token_name: 'T'
			},
			{ event: { step: 'burn', message: { code: 'burn.confirmed', params: { actor: 'ada' } } } }
		);
		const { out } = await komodeck('show', 'decade');
		expect(out).toContain(`400 base units of ${'cd'.repeat(32)} from ALPHA to BETA`);
		expect((await komodeck('list')).out).toMatch(/decade .* 400 base units /);
		expect(JSON.parse((await komodeck('export', 'decade')).out)).toMatchObject({
			tokenid: 'cd'.repeat(32),
			amount: '400'
		});
		await database.db.deleteFrom('migrations').where('id', '=', 'decade').execute();
	});

	test('is exported with every satoshi and every byte, and without accounts or daemons', async () => {
		const { code, out } = await komodeck('export', 'c0ffee');
		expect(code).toBe(0);
		expect(JSON.parse(out)).toEqual({
			format: 'komodeck-migration',
			version: 1,
			id: 'c0ffee',
			route: 'notarized',
			source: 'ALPHA',
			destination: 'BETA',
			ccid: 777,
			address: 'RXL3YXG2ceaB6C5hfJcN4fvmLH2C34knhA',
			tokenid: null,
			amount: '999999.99999999',
			payouts: '00',
			burnTxid: BURN,
			policy: 'ask-two',
			state: 'burn-pending',
			createdAt: 1_800_000_000_000,
			steps: [
				{
					step: 'burn',
					hex: '0400',
					txid: BURN,
					evidence: {},
					startedAt: 1_800_000_000_000,
					doneAt: 1_800_000_000_000
				},
				{
					step: 'burn-confirmed',
					hex: null,
					txid: null,
					evidence: {},
					startedAt: 1_800_000_000_000,
					doneAt: null
				}
			]
		});
		expect(out).not.toMatch(/daemon|ada\b/);
	});

	test('is listed and shown in words', async () => {
		const listed = await komodeck('list');
		expect(listed.code).toBe(0);
		expect(listed.out).toMatch(/c0ffee +ALPHA to BETA +999999\.99999999 +Burn pending/);
		const shown = await komodeck('show', 'c0ffee');
		expect(shown.code).toBe(0);
		expect(shown.out).toContain('Burn pending: The burn is in the mempool of ALPHA.');
		expect(shown.out).toContain(`burn: ${BURN}`);
		expect(shown.out).toContain('2027-01-15T08:00:00.000Z  ada confirmed the burn.');
	});

	test('that does not exist, or an act that does not, is refused with a sentence', async () => {
		expect(await komodeck('export', 'none')).toEqual({
			code: 1,
			out: '',
			err: 'There is no migration none.\n'
		});
		for (const args of [['show'], ['burn', 'x']]) {
			const { code, err } = await komodeck(...args);
			expect(code).toBe(2);
			expect(err).toContain('Say "migration list"');
		}
	});
});
