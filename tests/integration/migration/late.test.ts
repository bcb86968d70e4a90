import { NOTARIZATION_WINDOW } from '#lib/chain/proofRoot.ts';
import { expect, test } from 'vitest';
import { createAudit } from '#lib/server/access/audit/audit.ts';
import { searchedIn, windowOf } from '#lib/server/cross-chain/migration/decisions/proofWindow.ts';
import { describeOnSqlite } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { addRecorded } from '../../support/members.ts';
import {
	addApprover,
	addressOn,
	burnElsewhere,
	carry,
	gatewayTo,
	migrationsOver,
	paidTo,
	placesOf,
	round
} from './support.ts';
import { shared } from '../../support/shared.ts';

// Thousands of blocks, and no difference between databases.
describeOnSqlite('coins that nobody carried on for longer than a window', (database) => {
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(placesOf(net)));

	test('still arrive: the proof is looked for where the burn was notarized, not at the tips', async () => {
		const migrations = migrationsOver(database.db, gateway);
		const to = await addressOn(net, 'BETA');
		const txid = await burnElsewhere(net, to, '3.25');
		for (let i = 0; i < 6; i++) await round(net);
		for (const chain of ['ALPHA', 'BETA', 'KMD'])
			await net.control.mine(chain, NOTARIZATION_WINDOW + 10);
		for (let i = 0; i < 8; i++) await round(net);
		const opened = await migrations.openByBurn(txid, 'ALPHA', 'ada', { recipient: to });
		const id = opened.kind === 'opened' ? opened.id : '';
		expect(await carry(net, migrations, id, 3)).toBe('needs-approval');
		await migrations.approveStep(id, await addApprover(database.db));
		expect(await carry(net, migrations, id, 3)).toBe('done');
		const { steps } = (await migrations.get(id))!;
		expect(await paidTo(net, 'BETA', steps.get('import-confirmed')!.txid!, to)).toBe(325_000_000n);
	});

	/** A burn in the first block of ALPHA, with the state of its migration after each look. */
	async function burnedOnAlpha() {
		const migrations = migrationsOver(database.db, gateway);
		const to = await addressOn(net, 'BETA');
		const txid = await burnElsewhere(net, to, '1.5');
		await net.control.mine('ALPHA');
		const opened = await migrations.openByBurn(txid, 'ALPHA', 'ada', { recipient: to });
		const id = opened.kind === 'opened' ? opened.id : '';
		const look = async () => {
			for (;;) {
				await migrations.advance(id);
				const { row } = (await migrations.get(id))!;
				// The blocks since the burn are searched for its import, some at each look.
				if (row.state !== 'import-unknown') return { state: row.state, why: row.reason?.code };
			}
		};
		const shown = async () => {
			const window = windowOf((await migrations.get(id))!);
			return window && { chain: window.chain, passed: searchedIn(window) };
		};
		return { migrations, id, look, shown };
	}

	test('stop waiting for a notarization once the blocks have passed in which it had to come', async () => {
		const { migrations, id, look } = await burnedOnAlpha();
		const waiting = 'waiting-back-notarization';
		expect(await look()).toEqual({ state: waiting, why: 'back-notarization.awaited' });
		await net.control.mine('ALPHA', (NOTARIZATION_WINDOW * 3) / 4);
		expect(await look()).toEqual({ state: waiting, why: 'back-notarization.late' });
		await net.control.mine('ALPHA', NOTARIZATION_WINDOW / 4 - 1);
		expect(await look()).toEqual({ state: waiting, why: 'back-notarization.late' });
		await net.control.mine('ALPHA');
		expect(await look()).toEqual({ state: 'stuck', why: 'back-notarization.missed' });
		expect(await migrations.publish(id, 'ada')).toBe(true);
		expect((await look()).state).toBe('backup-collecting');
	});

	test('show no window of a notarization that has come', async () => {
		const { look, shown } = await burnedOnAlpha();
		await look();
		expect(await shown()).toEqual({ chain: 'ALPHA', passed: 0 });
		await net.control.notarize('ALPHA');
		await net.control.mine('ALPHA', 2);
		expect((await look()).why).toBe('target.awaited');
		expect(await shown()).toEqual({ chain: 'KMD', passed: 0 });
		await net.control.mine('BETA');
		await net.control.notarizeKmd('BETA');
		await net.control.mine('KMD');
		expect((await look()).why).toBe('momom.awaited');
		expect(await shown()).toBe(null);
	});

	test('ask the destination in the end, and then a person, where it never recorded the root of their proof', async () => {
		const { migrations, id, look } = await burnedOnAlpha();
		await net.control.notarize('ALPHA');
		await net.control.mine('ALPHA', 2);
		await net.control.mine('BETA');
		await net.control.notarizeKmd('BETA');
		await net.control.mine('KMD');
		await look();
		expect((await look()).why).toBe('momom.awaited');
		await net.control.mine('BETA', 2 * NOTARIZATION_WINDOW);
		for (let i = 0; i < 4; i += 1) await look();
		const audit = createAudit(database.db, new Uint8Array(32));
		const { name } = await addRecorded(database.db, audit, 'operator');
		await migrations.approveStep(id, name);
		expect((await look()).why).toBe('import.early');
		const clock = () => Date.now() + 25 * 3_600_000;
		const later = migrationsOver(database.db, gateway, { clock });
		for (let i = 0; i < 45; i += 1) await later.advance(id);
		const { row } = (await migrations.get(id))!;
		expect(row).toMatchObject({ state: 'stuck', reason: { code: 'import.not-accepted' } });
	});

	test('stop waiting for the destination once the blocks of KMD have passed in which it had to be notarized', async () => {
		const { look } = await burnedOnAlpha();
		await net.control.notarize('ALPHA');
		await net.control.mine('ALPHA', 2);
		const waiting = 'waiting-target-notarization';
		expect(await look()).toEqual({ state: waiting, why: 'target.awaited' });
		await net.control.mine('KMD', NOTARIZATION_WINDOW - 1);
		expect(await look()).toEqual({ state: waiting, why: 'target.late' });
		await net.control.mine('KMD');
		expect(await look()).toEqual({ state: 'stuck', why: 'target.missed' });
	});

	test('go on after a closed window where the source proves the burn by a later notarization', async () => {
		const { migrations, id, look } = await burnedOnAlpha();
		await net.control.mine('ALPHA');
		await net.control.notarize('ALPHA');
		await look();
		await net.control.mine('ALPHA');
		expect((await look()).why).toBe('target.awaited');
		await net.control.mine('KMD', NOTARIZATION_WINDOW);
		expect((await look()).why).toBe('target.missed');
		await net.control.reorg('ALPHA', 2, true, true);
		await net.control.mine('ALPHA', 2);
		await net.control.notarize('ALPHA');
		await net.control.mine('ALPHA', 2);
		expect(await migrations.retry(id, 'ada')).toBe(true);
		expect(await look()).toEqual({ state: 'waiting-target-notarization', why: 'target.awaited' });
	});
});
