import { beforeAll, expect, test } from 'vitest';
import { parseTransaction } from '#lib/chain/transaction.ts';
import type { MigrationPolicy } from '#lib/server/cross-chain/migration/states.ts';
import { MigrationStore } from '#lib/server/cross-chain/migration/store.ts';
import { locks } from '#lib/server/locks.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver } from '../../support/members.ts';
import { permissiveRights } from '../../support/permissive.ts';
import { startDevnet } from '../../support/devnet.ts';
import { heldResult } from '../../support/heldResult.ts';
import { startAlteringProxy } from './alteringProxy.ts';
import {
	addressOn,
	burnElsewhere,
	burnsOf,
	carry,
	draftedBurn,
	gatewayTo,
	importsOf,
	migrationsOver,
	paidTo,
	placesOf,
	round
} from './support.ts';
import { shared } from '../../support/shared.ts';

const SEND = 'sendrawtransaction';

describeOnBothDatabases('while coins are carried', (database) => {
	let to: string;
	let amount = 100;
	const net = shared(() => startDevnet());
	const alpha = shared(() => startAlteringProxy(net.chains.get('ALPHA')!));
	const beta = shared(() => startAlteringProxy(net.chains.get('BETA')!));
	const gateway = shared(() => gatewayTo(placesOf(net, { ALPHA: alpha.url, BETA: beta.url })));
	const auth = shared(() => authOver(database));
	const migrations = shared(() => migrationsOver(database.db, gateway, { audit: auth.audit }));
	beforeAll(async () => {
		for (const name of ['ada', 'bob', 'grace']) await addPerson(database, 'operator', name);
		to = await addressOn(net, 'BETA');
	});

	/** A confirmed migration with an amount that no other test uses. */
	async function confirmed(policy: MigrationPolicy = 'automatic'): Promise<string> {
		amount += 1;
		const id = await draftedBurn(migrations, { address: to, amount: `0.0${amount}`, policy });
		expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
		return id;
	}

	async function stateOf(id: string): Promise<string> {
		return (await migrations.get(id))!.row.state;
	}

	/** Advances a migration until it is in a state. */
	async function until(id: string, state: string): Promise<void> {
		for (let i = 0; i < 12 && (await stateOf(id)) !== state; i++) {
			await round(net);
			await migrations.advance(id);
		}
		expect(await stateOf(id)).toBe(state);
	}

	async function expectOnce(id: string): Promise<void> {
		const { row, steps } = (await migrations.get(id))!;
		const burns = (await burnsOf(net, 'ALPHA')).filter((txid) => txid === row.burn_txid);
		expect(burns).toHaveLength(1);
		expect(await importsOf(net, 'BETA', row.burn_txid!)).toEqual([
			steps.get('import-confirmed')!.txid
		]);
	}

	test('a burn whose answer gets lost is looked up, not sent again', async () => {
		const id = await confirmed();
		await net.control.fault('ALPHA', 'drop', { method: SEND, count: 1, phase: 'after' });
		const before = alpha.count(SEND);
		await migrations.advance(id);
		expect((await migrations.get(id))!.row).toMatchObject({
			state: 'burn-unknown',
			reason: { code: 'send.unknown', params: { chain: 'ALPHA' } }
		});
		await migrations.advance(id);
		expect(await stateOf(id)).toBe('burn-pending');
		expect(alpha.count(SEND) - before).toBe(1);
		expect(await carry(net, migrations, id)).toBe('done');
		await expectOnce(id);
	});

	test('a burn that was taken and is not shown is looked for a little later, not sent in a loop', async () => {
		const id = await confirmed();
		const before = alpha.count(SEND);
		alpha.refuse('getrawtransaction', { code: -5, message: 'No information available' });
		await migrations.advance(id);
		expect(alpha.count(SEND) - before).toBe(1);
		expect((await migrations.get(id))!.row).toMatchObject({
			state: 'burn-unknown',
			reason: { code: 'send.not-shown', params: { chain: 'ALPHA' } }
		});
		alpha.refuse('getrawtransaction', null);
		expect(await carry(net, migrations, id)).toBe('done');
		await expectOnce(id);
	});

	test('the error of something in between is no refusal of a burn', async () => {
		const id = await confirmed();
		alpha.refuse(SEND, { code: -32603, message: 'upstream timed out' });
		alpha.refuse('getrawtransaction', { code: -5, message: 'No information available' });
		await migrations.advance(id);
		await migrations.advance(id);
		expect(await stateOf(id)).toBe('burn-unknown');
		alpha.refuse(SEND, null);
		alpha.refuse('getrawtransaction', null);
		expect(await carry(net, migrations, id)).toBe('done');
		await expectOnce(id);
	});

	test('an answer about another transaction is no sight of the burn', async () => {
		const id = await confirmed();
		const [other = ''] = await burnsOf(net, 'ALPHA');
		const hex = await net.rpc<string>('ALPHA', 'getrawtransaction', other);
		for (const altered of [{ txid: 'ab'.repeat(32) }, { hex }]) {
			alpha.alter('getrawtransaction', (result) => ({ ...result, ...altered }));
			await migrations.advance(id);
			expect((await migrations.get(id))!.row).toMatchObject({
				state: 'burn-unknown',
				reason: {
					code: 'daemon.unreadable',
					params: {
						error: {
							code: 'daemon.validation-mismatch',
							params: { fault: { kind: 'transaction' } }
						}
					}
				}
			});
		}
		alpha.alter('getrawtransaction', null);
		expect(await carry(net, migrations, id)).toBe('done');
		await expectOnce(id);
	});

	test('a burn that never arrived is sent again, the same bytes', async () => {
		const id = await confirmed();
		const { hex } = (await migrations.get(id))!.steps.get('burn')!;
		await net.control.fault('ALPHA', 'drop', { method: SEND, count: 1, phase: 'before' });
		await migrations.advance(id);
		expect(await stateOf(id)).toBe('burn-unknown');
		expect(await carry(net, migrations, id)).toBe('done');
		expect((await migrations.get(id))!.steps.get('burn')!.hex).toBe(hex);
		await expectOnce(id);
	});

	test('an import whose answer gets lost is looked up, not sent again', async () => {
		const id = await confirmed('ask');
		await until(id, 'needs-approval');
		expect(await migrations.approveStep(id, 'grace')).toBe('approved');
		await net.control.fault('BETA', 'drop', { method: SEND, count: 1, phase: 'after' });
		const before = beta.count(SEND);
		await migrations.advance(id);
		expect(await stateOf(id)).toBe('import-unknown');
		await migrations.advance(id);
		expect(await stateOf(id)).toBe('import-pending');
		expect(beta.count(SEND) - before).toBe(1);
		expect(await carry(net, migrations, id)).toBe('done');
		await expectOnce(id);
	});

	test('a draft that a check stops says so, is checked again, and goes on', async () => {
		amount += 1;
		const id = await draftedBurn(migrations, { address: to, amount: `0.0${amount}` });
		await net.control.fault('BETA', 'warm-up');
		const before = alpha.count(SEND);
		const refused = [
			await migrations.confirm(id, 'ada', null),
			await migrations.confirm(id, 'ada', null)
		];
		const failed = (await migrations.get(id))!;
		await net.control.fault('BETA', 'none');
		await gateway.probe();
		expect(refused.map(({ kind }) => kind)).toEqual(['refused', 'refused']);
		expect(failed.row).toMatchObject({
			state: 'preflight-failed',
			reason: { code: 'check.failed', params: { check: { code: 'chain.unreachable' } } }
		});
		expect(failed.events.at(-1)!.message).toMatchObject({ code: 'preflight.failed' });
		expect(alpha.count(SEND)).toBe(before);
		expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
		expect(await carry(net, migrations, id)).toBe('done');
		await expectOnce(id);
	});

	test('where two are asked, one person twice is one, and two at once are two', async () => {
		const id = await confirmed('ask-two');
		await until(id, 'needs-approval');
		expect(await migrations.approveStep(id, 'grace')).toBe('one-more');
		expect(await migrations.approveStep(id, 'grace')).toBe('same-person');
		const before = beta.count(SEND);
		await migrations.advance(id);
		expect((await migrations.get(id))!.row).toMatchObject({
			state: 'needs-approval',
			reason: { code: 'approval.first', params: { actor: 'grace' } }
		});
		expect(beta.count(SEND)).toBe(before);
		expect(await migrations.approveStep(id, 'ada')).toBe('approved');
		expect(await carry(net, migrations, id)).toBe('done');
		expect((await migrations.get(id))!.row).toMatchObject({
			approved_by: 'grace',
			approved_too: 'ada'
		});
		expect(await migrations.approveStep(id, 'bob')).toBe('moved-on');
		await expectOnce(id);
		const other = await confirmed('ask-two');
		await until(other, 'needs-approval');
		const words = await Promise.all(
			['ada', 'ada', 'bob'].map((name) => migrations.approveStep(other, name))
		);
		expect(words.filter((word) => word === 'approved')).toHaveLength(1);
		expect(words.filter((word) => word === 'one-more')).toHaveLength(1);
		expect(await carry(net, migrations, other)).toBe('done');
	});

	test('where two are asked, the first word counts only while its member may give it', async () => {
		const { members } = auth;
		const admin = await addPerson(database, 'admin');
		const losses = [
			(id: string) => members.disable(admin, id),
			(id: string) => members.setRole(admin, id, 'viewer')
		];
		for (const lose of losses) {
			const gone = await addPerson(database, 'notary');
			const id = await confirmed('ask-two');
			await until(id, 'needs-approval');
			expect(await migrations.approveStep(id, gone.name)).toBe('one-more');
			await lose(gone.id);
			expect(await migrations.approveStep(id, 'grace')).toBe('one-more');
			const before = beta.count(SEND);
			await migrations.advance(id);
			expect((await migrations.get(id))!.row).toMatchObject({
				state: 'needs-approval',
				approved_by: 'grace',
				approved_too: null,
				reason: { code: 'approval.first', params: { actor: 'grace' } }
			});
			expect(beta.count(SEND)).toBe(before);
			expect(await migrations.approveStep(id, 'ada')).toBe('approved');
			expect(await carry(net, migrations, id)).toBe('done');
			await expectOnce(id);
		}
	});

	test('an import that is built again needs the approvals of members who may still give them', async () => {
		const { members } = auth;
		const admin = await addPerson(database, 'admin');
		const [first, second] = [
			await addPerson(database, 'operator'),
			await addPerson(database, 'operator')
		];
		const id = await confirmed('ask-two');
		await until(id, 'needs-approval');
		for (const { name } of [first, second]) await migrations.approveStep(id, name);
		beta.refuse(SEND, { code: -26, message: '0: invalid-coin-import' }, 'unheard');
		await migrations.advance(id);
		beta.refuse(SEND, null);
		expect(await stateOf(id)).toBe('waiting-target-notarization');
		await members.disable(admin, first.id);
		const before = beta.count(SEND);
		await until(id, 'needs-approval');
		expect((await migrations.get(id))!.row.reason).toMatchObject({
			code: 'approval.first',
			params: { actor: second.name }
		});
		expect(await migrations.approveStep(id, second.name)).toBe('same-person');
		expect(beta.count(SEND)).toBe(before);
		expect(await migrations.approveStep(id, 'grace')).toBe('approved');
		expect(await carry(net, migrations, id)).toBe('done');
		expect((await migrations.get(id))!.row).toMatchObject({
			approved_by: second.name,
			approved_too: 'grace'
		});
		await expectOnce(id);
	});

	test('an import goes on by itself once the member who approved it has the account back', async () => {
		const { members } = auth;
		const admin = await addPerson(database, 'admin');
		const approver = await addPerson(database, 'operator');
		const id = await confirmed('ask');
		await until(id, 'needs-approval');
		await migrations.approveStep(id, approver.name);
		beta.refuse(SEND, { code: -26, message: '0: invalid-coin-import' }, 'unheard');
		await migrations.advance(id);
		beta.refuse(SEND, null);
		await members.disable(admin, approver.id);
		await until(id, 'needs-approval');
		await members.enable(admin, approver.id);
		expect(await carry(net, migrations, id)).toBe('done');
		await expectOnce(id);
	});

	test('an import that somebody else sent is found, and nothing is sent', async () => {
		const id = await confirmed('ask');
		await until(id, 'needs-approval');
		const { hex } = (await migrations.get(id))!.steps.get('completion')!;
		await net.rpc('BETA', SEND, hex);
		await round(net);
		const before = beta.count(SEND);
		await migrations.approveStep(id, 'grace');
		await migrations.advance(id);
		expect(await stateOf(id)).toBe('done');
		expect(beta.count(SEND)).toBe(before);
		await expectOnce(id);
	});

	test('each chain may be down for a while', async () => {
		const id = await confirmed();
		for (const chain of ['ALPHA', 'KMD', 'BETA']) {
			await net.control.fault(chain, 'warm-up', { count: 3 });
			await migrations.advance(id);
			expect(await stateOf(id)).not.toBe('stuck');
			await net.control.fault(chain, 'none');
			await round(net);
		}
		expect(await carry(net, migrations, id)).toBe('done');
		await expectOnce(id);
	});

	test('two servers at one migration act once', async () => {
		const other = migrationsOver(await database.openAnother(), gateway, { audit: auth.audit });
		const id = await confirmed();
		const before = alpha.count(SEND);
		const outcomes = await Promise.all([migrations.advance(id), other.advance(id)]);
		expect([...outcomes].sort()).toEqual(['held', 'moved']);
		expect(alpha.count(SEND) - before).toBe(1);
		expect(await carry(net, other, id)).toBe('done');
		await expectOnce(id);
	});

	test('what a worker writes after its lease ended is refused', async () => {
		const id = await confirmed();
		let now = Date.now();
		const store = new MigrationStore({
			locks,
			db: database.db,
			audit: auth.audit,
			clock: () => now
		});
		const stale = (await store.leases.take(id, 1_000))!;
		expect(await store.leases.take(id, 1_000)).toBeNull();
		now += 2_000;
		const fresh = (await store.leases.take(id, 1_000))!;
		await expect(store.write(stale, { state: 'stuck' })).rejects.toMatchObject({
			code: 'lease.lost'
		});
		expect(await store.leases.renew(stale, 1_000)).toBe(false);
		const hex = { from: null, to: 'ff' };
		await expect(store.write(fresh, { steps: [{ step: 'burn', hex }] })).rejects.toMatchObject({
			code: 'lease.bytes-chosen'
		});
		expect(await stateOf(id)).toBe('burn-unknown');
		await store.leases.release(fresh);
		// The lease of a process that was killed.
		const left = (await store.leases.take(id, 60_000))!;
		expect(await store.leases.take(id, 1_000)).toBeNull();
		now += 60_000;
		await store.leases.release((await store.leases.take(id, 1_000))!);
		await expect(store.write(left, { state: 'stuck' })).rejects.toMatchObject({
			code: 'lease.lost'
		});
		expect(await carry(net, migrations, id)).toBe('done');
	});

	test('a draft whose outputs were spent meanwhile is built again and asks for another look', async () => {
		const draftTo = (address: string): Promise<string> =>
			draftedBurn(migrations, { address, amount: '1.5' });
		const first = await draftTo(to);
		// Its locks have expired, and another draft gets the same outputs; then it is confirmed after all.
		await database.db.deleteFrom('locked_utxos').execute();
		const second = await draftTo(await addressOn(net, 'ALPHA'));
		await database.db.deleteFrom('locked_utxos').execute();
		expect(await migrations.confirm(first, 'ada', null)).toEqual({ kind: 'confirmed' });
		await migrations.advance(first);
		const seen = (await migrations.get(second))!.burn!.txid;
		expect(await migrations.confirm(second, 'ada', seen)).toEqual({ kind: 'rebuilt' });
		expect(await stateOf(second)).toBe('draft');
		// A member who still sees the earlier page has not seen the new burn.
		expect(await migrations.confirm(second, 'grace', seen)).toEqual({ kind: 'rebuilt' });
		const anew = (await migrations.get(second))!.burn!.txid;
		expect(await migrations.confirm(second, 'ada', anew)).toEqual({ kind: 'confirmed' });
		expect(await carry(net, migrations, second)).toBe('done');
		expect(await carry(net, migrations, first)).toBe('done');
	});

	test('a burn that another server builds anew while it is confirmed asks for another look', async () => {
		const draft = async (address: string): Promise<string> => {
			const id = await draftedBurn(migrations, { address, amount: '1.7' });
			await database.db.deleteFrom('locked_utxos').execute();
			return id;
		};
		const burnOf = async (id: string): Promise<string> =>
			(await migrations.get(id))!.steps.get('burn')!.hex!;
		const other = await draft(to);
		const id = await draft(await addressOn(net, 'ALPHA'));
		const seen = await burnOf(id);
		const rights = permissiveRights(gateway);
		const slow = migrationsOver(await database.openAnother(), gateway, {
			audit: auth.audit,
			rights: {
				...rights,
				async measureSpend(...spend) {
					// Its outputs are spent outside Komodeck, and then it is confirmed at the other server,
					// too.
					await net.rpc('ALPHA', SEND, await burnOf(other));
					expect(await migrations.confirm(id, 'grace', null)).toEqual({ kind: 'rebuilt' });
					return rights.measureSpend(...spend);
				}
			}
		});
		expect(await slow.confirm(id, 'ada', null)).toEqual({ kind: 'moved-on' });
		expect(await stateOf(id)).toBe('draft');
		expect(await burnOf(id)).not.toBe(seen);
		expect(await migrations.confirm(id, 'ada', null)).toEqual({ kind: 'confirmed' });
		expect(await carry(net, migrations, id)).toBe('done');
	});

	test('a burn that is built anew while its migration is read is not taken for the one that was reviewed', async () => {
		const draft = async (address: string): Promise<string> => {
			const id = await draftedBurn(migrations, { address, amount: '1.9' });
			await database.db.deleteFrom('locked_utxos').execute();
			return id;
		};
		const other = await draft(to);
		const id = await draft(await addressOn(net, 'ALPHA'));
		const seen = (await migrations.get(id))!.burn!.txid;
		await net.rpc('ALPHA', SEND, (await migrations.get(other))!.steps.get('burn')!.hex!);
		const held = heldResult(database.db, ([row]) => row?.['burn_txid'] === seen);
		const slow = migrationsOver(held.db, gateway, { audit: auth.audit });
		const confirming = slow.confirm(id, 'ada', seen);
		await held.isHeld;
		expect(await migrations.confirm(id, 'grace', seen)).toEqual({ kind: 'rebuilt' });
		held.release();
		expect(await confirming).toEqual({ kind: 'rebuilt' });
		expect(await stateOf(id)).toBe('draft');
		await migrations.discard(id, 'ada');
	});

	test('a burn that was made elsewhere is taken up by its txid and finished', async () => {
		const txid = await burnElsewhere(net, to, '2.71');
		await round(net);
		const elsewhere = await addressOn(net, 'ALPHA');
		expect(await migrations.openByBurn('00'.repeat(32), 'ALPHA', 'ada')).toMatchObject({
			kind: 'refused'
		});
		const [opened, ...others] = await Promise.all(
			['ada', 'grace', 'ada'].map((actor) =>
				migrations.openByBurn(txid, 'ALPHA', actor, { recipient: to })
			)
		);
		expect(opened?.kind).toBe('opened');
		expect(others).toEqual([opened, opened]);
		if (opened === undefined) throw new Error('nothing was opened');
		const id = opened.kind === 'opened' ? opened.id : '';
		expect(await migrations.openByBurn(txid, 'ALPHA', 'grace', { recipient: elsewhere })).toEqual(
			opened
		);
		expect(await carry(net, migrations, id)).toBe('needs-approval');
		await migrations.approveStep(id, 'ada');
		expect(await carry(net, migrations, id)).toBe('done');
		const { steps } = (await migrations.get(id))!;
		expect(await paidTo(net, 'BETA', steps.get('import-confirmed')!.txid!, to)).toBe(271_000_000n);
	});

	test('a burn that was imported already is known as arrived, by either txid', async () => {
		const id = await confirmed();
		expect(await carry(net, migrations, id)).toBe('done');
		const { row, steps } = (await migrations.get(id))!;
		const txid = steps.get('import-confirmed')!.txid!;
		for (const [known, chain] of [
			[row.burn_txid!, 'ALPHA'],
			[txid, 'BETA']
		] as const) {
			await database.db.deleteFrom('migrations').where('id', '=', id).execute();
			const opened = await migrations.openByBurn(known, chain, 'grace', { recipient: to });
			const again = opened.kind === 'opened' ? opened.id : '';
			await migrations.advance(again);
			const view = (await migrations.get(again))!;
			expect(view.row).toMatchObject({ state: 'done', amount: row.amount, address: to });
			expect(view.steps.get('import-confirmed')!.txid).toBe(txid);
			await database.db.deleteFrom('migrations').where('id', '=', again).execute();
		}
	});

	test('a burn that lost its inputs stops, and says that nothing was burned once that is final', async () => {
		const id = await confirmed();
		const { hex } = (await migrations.get(id))!.steps.get('burn')!;
		// The burn's input is spent with the same wallet, outside Komodeck.
		const { txid, vout } = parseTransaction(hex!).vin[0]!;
		const spent = await net.rpc<{ value: number }>('ALPHA', 'gettxout', txid, vout);
		const raw = await net.rpc<string>('ALPHA', 'createrawtransaction', [{ txid, vout }], {
			[await addressOn(net, 'ALPHA')]: Number((spent.value - 0.0001).toFixed(8))
		});
		const signed = await net.rpc<{ hex: string }>('ALPHA', 'signrawtransaction', raw);
		await net.rpc('ALPHA', SEND, signed.hex);
		await net.control.mine('ALPHA');
		await migrations.advance(id);
		// The block that spends it could still be reorganized.
		expect((await migrations.get(id))!.row.reason?.code).not.toBe('burn.dead');
		await net.control.mine('ALPHA', 10);
		await net.control.notarize('ALPHA');
		await migrations.advance(id);
		expect((await migrations.get(id))!.row).toMatchObject({
			state: 'stuck',
			reason: { code: 'burn.dead', params: { chain: 'ALPHA' } },
			due_at: null
		});
		await expect(net.rpc('ALPHA', SEND, hex)).rejects.toThrow();
		// Retrying never builds a new burn without a review.
		expect(await migrations.retry(id, 'ada')).toBe(true);
		await migrations.advance(id);
		expect((await migrations.get(id))!.steps.get('burn')!.hex).toBe(hex);
	});

	// Last: what was stopped takes no further step.
	test('a started worker carries coins by itself', async () => {
		migrations.start();
		const id = await confirmed();
		for (let i = 0; i < 60 && (await stateOf(id)) !== 'done'; i++) {
			await round(net);
			await migrations.wake(id);
		}
		await migrations.stop();
		expect(await stateOf(id)).toBe('done');
		await expectOnce(id);
	});
});
