import { beforeAll, expect, test } from 'vitest';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { BURN_PUBKEY } from '#lib/chain/cryptocondition.ts';
import type { Sender } from '#lib/server/wallet/transactions/sender.ts';
import { describeOnBothDatabases, isWaiting, withoutLog } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { addRecorded } from '../../support/members.ts';
import {
	auditOf,
	creation,
	gatewayTo,
	made,
	reviewed,
	senderOver,
	transfer,
	unitsOf
} from './support.ts';
import { shared } from '../../support/shared.ts';

describeOnBothDatabases('tokens from the form to the block', (database) => {
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(net, database));
	let sender: Sender;
	let bob: string;
	beforeAll(async () => {
		sender = senderOver(database, gateway);
		bob = net.chains.get('BETA')!.pubkey;
	});

	/** Sends a review and waits for its confirmation. */
	async function follow(id: string): Promise<string> {
		const { txid, state } = await reviewed(sender, id);
		expect(state).toBe('reviewed');
		await expect(net.rpc('ALPHA', 'getrawtransaction', txid)).rejects.toMatchObject({ code: -5 });
		expect(await sender.send(id, 'ada')).toBe('broadcast');
		expect(await sender.reconcile(id)).toBe('broadcast');
		expect(await reviewed(sender, id)).toMatchObject({ state: 'broadcast', settledAt: null });
		const { height } = await net.control.mine('ALPHA');
		await sender.reconcileAll();
		expect(await reviewed(sender, id)).toMatchObject({
			state: 'confirmed',
			height,
			rejection: null
		});
		expect(await sender.reconcile(id)).toBe('confirmed');
		return txid;
	}

	test('a fungible token is reviewed, sent, waits, and is mined', async () => {
		const id = await sender.createToken('ALPHA', creation({ name: 'LIFE', supply: 1000n }), 'ada');
		const { review, warnings, pubkey, createdBy } = await reviewed(sender, id);
		expect(review).toMatchObject({ fee: 10_000n, cost: 21_000n });
		expect(pubkey).toBe(net.chains.get('ALPHA')!.pubkey);
		expect(createdBy).toBe('ada');
		expect(warnings).toEqual([{ code: 'migration.fungible', params: {} }]);
		const tokenid = await follow(id);
		expect(await net.rpc('ALPHA', 'tokeninfo', tokenid)).toMatchObject({
			name: 'LIFE',
			supply: 1000,
			description: 'A token'
		});
		expect(await net.rpc<string[]>('ALPHA', 'tokenlist')).toContain(tokenid);
	});

	test.each([
		['1.15 coins', 115_000_000n],
		['4.35 coins', 435_000_000n],
		['8.2 coins', 820_000_000n],
		['one satoshi', 1n]
	])('a supply of %s arrives as exactly %s units', async (_what, supply) => {
		const tokenid = await made(net, sender, { supply });
		expect(await net.rpc('ALPHA', 'tokeninfo', tokenid)).toMatchObject({ supply: Number(supply) });
	});

	test('names and descriptions in any script come back as they were written', async () => {
		const name = '農場 👩‍🌾';
		const description = 'Zeile "eins"\r\nЛиния два\\';
		const tokenid = await made(net, sender, { name, description });
		expect(await net.rpc('ALPHA', 'tokeninfo', tokenid)).toMatchObject({ name, description });
	});

	test('a non-fungible token is made, and moves as a whole', async () => {
		const asked = creation({ name: 'DEED', supply: 1n, data: 'f1c0ffee' });
		const tokenid = await follow(await sender.createToken('ALPHA', asked, 'ada'));
		expect(await net.rpc('ALPHA', 'tokeninfo', tokenid)).toMatchObject({ data: 'f1c0ffee' });
		await follow(await sender.moveToken('ALPHA', transfer(tokenid, bob, 1n), 'ada'));
		expect(await unitsOf(net, tokenid)).toBe(0);
		expect(await unitsOf(net, tokenid, bob)).toBe(1);
	});

	test('units go to a recipient, and the rest comes back', async () => {
		const tokenid = await made(net, sender);
		const id = await sender.moveToken('ALPHA', transfer(tokenid, bob, 250n), 'ada');
		const { review } = await reviewed(sender, id);
		expect(review.outputs.map(({ value }) => value)).toContain(750n);
		await follow(id);
		expect(await unitsOf(net, tokenid)).toBe(750);
		expect(await unitsOf(net, tokenid, bob)).toBe(250);
		// Units that returned as change can be transferred, together with the rest.
		await follow(await sender.moveToken('ALPHA', transfer(tokenid, bob, 750n), 'ada'));
		expect(await unitsOf(net, tokenid, bob)).toBe(1000);
	});

	test('units sent to the own key stay, and the review says so', async () => {
		const tokenid = await made(net, sender);
		const own = net.chains.get('ALPHA')!.pubkey;
		const id = await sender.moveToken('ALPHA', transfer(tokenid, own, 10n), 'ada');
		expect((await reviewed(sender, id)).warnings).toContainEqual({
			code: 'recipient.own',
			params: {}
		});
		await follow(id);
		expect(await unitsOf(net, tokenid)).toBe(1000);
	});

	test('units that are burned are gone for everybody', async () => {
		const tokenid = await made(net, sender);
		const asked = transfer(tokenid, bytesToHex(BURN_PUBKEY), 400n, 'token-burn');
		const id = await sender.moveToken('ALPHA', asked, 'ada');
		expect((await reviewed(sender, id)).review.outputs[0]!.meaning.code).toBe('token.burned');
		await follow(id);
		expect(await unitsOf(net, tokenid)).toBe(600);
	});

	test('a creation that waits for a block is listed until it is mined', async () => {
		const id = await sender.createToken('ALPHA', creation({ name: 'WAITS' }), 'ada');
		expect(await sender.unconfirmedTokens('ALPHA')).toEqual([]);
		await sender.send(id, 'ada');
		expect(await sender.unconfirmedTokens('ALPHA')).toEqual([await reviewed(sender, id)]);
		expect(await sender.unconfirmedTokens('BETA')).toEqual([]);
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		expect(await sender.unconfirmedTokens('ALPHA')).toEqual([]);
	});

	test('a transaction whose block is taken back is not called mined for ever', async () => {
		const id = await sender.createToken('ALPHA', creation({ name: 'BACK' }), 'ada');
		await sender.send(id, 'ada');
		await net.control.mine('ALPHA');
		expect(await sender.reconcile(id)).toBe('confirmed');
		await net.control.reorg('ALPHA', 1);
		const found = await sender.reconcile(id);
		expect((await reviewed(sender, id)).state).toBe(found === 'absent' ? 'unknown' : found);
		await net.control.mine('ALPHA');
		expect(await sender.reconcile(id)).toBe('confirmed');
		expect((await reviewed(sender, id)).state).toBe('confirmed');
	});

	test('who reviewed and who sent is on record', async () => {
		const id = await sender.createToken('ALPHA', creation({ name: 'RECORD' }), 'ada');
		await sender.send(id, 'grace');
		await net.control.mine('ALPHA');
		const { txid } = await reviewed(sender, id);
		const rows = (await auditOf(database).list({ limit: 2 })).map(({ actor, action, target }) => ({
			actor,
			action,
			target
		}));
		expect(rows).toEqual([
			{ actor: 'grace', action: 'send.sent', target: txid },
			{ actor: 'ada', action: 'send.reviewed', target: txid }
		]);
		expect(await auditOf(database).verify()).toMatchObject({ ok: true });
	});

	test('decimals are kept for each token of each chain', async () => {
		const tokenid = 'cd'.repeat(32);
		const admin = await addRecorded(database.db, auditOf(database), 'admin');
		const unrecorded = withoutLog(database.db, () =>
			sender.setDecimals('ALPHA', tokenid, 2, admin)
		);
		await expect(unrecorded).rejects.toThrow(/audit_events/);
		expect(await sender.decimals('ALPHA', tokenid)).toBe(0);
		await sender.setDecimals('ALPHA', tokenid, 2, admin);
		await sender.setDecimals('ALPHA', tokenid, 3, admin);
		expect(await sender.decimals('ALPHA', tokenid)).toBe(3);
		expect(await sender.allDecimals('ALPHA')).toEqual(new Map([[tokenid, 3]]));
		expect(await sender.decimals('BETA', tokenid)).toBe(0);
		for (const wrong of [-1, 19, 1.5, NaN]) {
			await expect(sender.setDecimals('ALPHA', tokenid, wrong, admin)).rejects.toMatchObject({
				code: 'transaction.decimals-invalid',
				field: 'decimals'
			});
		}
	});

	test('decimals are set behind the log, like those of a token that is sent at the same time', async () => {
		const tokenid = 'ab'.repeat(32);
		const audit = auditOf(database);
		const admin = await addRecorded(database.db, audit, 'admin');
		const { setting } = await database.db.transaction().execute(async (trx) => {
			await audit.lock(trx);
			const byHand = sender.setDecimals('ALPHA', tokenid, 2, admin);
			await isWaiting(database, trx);
			await trx
				.insertInto('token_display')
				.values({ chain: 'ALPHA', tokenid, decimals: 1 })
				.execute();
			return { setting: Promise.allSettled([byHand]) };
		});
		expect((await setting).map(({ status }) => status)).toEqual(['fulfilled']);
		expect(await sender.decimals('ALPHA', tokenid)).toBe(2);
	});

	test('decimals are not set for a member who is an admin no more', async () => {
		const tokenid = 'ef'.repeat(32);
		const former = await addRecorded(database.db, auditOf(database), 'operator');
		await expect(sender.setDecimals('ALPHA', tokenid, 2, former)).rejects.toMatchObject({
			code: 'account.not-admin'
		});
		expect(await sender.decimals('ALPHA', tokenid)).toBe(0);
	});
});
