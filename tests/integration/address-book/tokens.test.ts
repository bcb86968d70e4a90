/** Drafts for tokens, confusable names, and public keys found on chains. */
import { beforeAll, expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { hexToBytes } from '#lib/chain/bytes.ts';
import { ccAddress, tokenScript } from '#lib/chain/cryptocondition.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { ensureChain } from '#lib/server/chains/indexer/chains.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { createSource } from '#lib/server/chains/indexer/source.ts';
import { ChainSync } from '#lib/server/chains/indexer/sync.ts';
import { findKey } from '#lib/server/wallet/address-book/findKey.ts';
import { alikeWarning, confusableTokens } from '#lib/server/wallet/drafts/confusableTokens.ts';
import { createDrafts, MOST_DRAFTS } from '#lib/server/wallet/drafts/drafts.ts';
import { describeOnBothDatabases, isWaiting } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { heldResult } from '../../support/heldResult.ts';
import { permissiveRights } from '../../support/permissive.ts';
import { auditOf, gatewayTo, made, reviewed, senderOver } from '../transactions/support.ts';
import { shared } from '../../support/shared.ts';

const LEASE = { renew: () => Promise.resolve() };

describeOnBothDatabases('tokens that are not there yet', (database) => {
	const index = shared(() => openIndex(database.options));
	let sync: ChainSync;
	let gold: string;
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(net, database));
	const sender = shared(() => senderOver(database, gateway));
	beforeAll(async () => {
		gold = await made(net, sender, { name: 'Berth Gold' });
		const source = createSource(gateway, 'ALPHA');
		sync = new ChainSync(await ensureChain(index, 'ALPHA', 0), { index, lease: LEASE, source });
		await sync.catchUp();
	});

	test('a name that is there, or only looks like one that is, is found on its chain and named in the review', async () => {
		for (const name of [
			'berth gold',
			'BERTH  GOLD',
			'B\u0435rth Gold',
			'Berth\u200b Gold',
			'Berth G0ld',
			'BerthGold'
		]) {
			expect(await confusableTokens(index, 'ALPHA', name), name).toMatchObject([
				{ tokenid: gold, same: false, name: 'Berth Gold' }
			]);
		}
		const same = await confusableTokens(index, 'ALPHA', 'Berth Gold');
		expect(same).toMatchObject([{ tokenid: gold, same: true }]);
		expect(await confusableTokens(index, 'ALPHA', 'Berth Silver')).toEqual([]);
		expect(await confusableTokens(index, 'BETA', 'Berth Gold')).toEqual([]);
		expect(await confusableTokens(index, 'ALPHA', '')).toEqual([]);
		const warning = alikeWarning('ALPHA', same)!;
		const request = {
			kind: 'token-create',
			name: 'Berth Gold',
			description: '',
			supply: 5n,
			data: ''
		} as const;
		const id = await sender.createToken('ALPHA', request, 'ada', [warning]);
		expect((await reviewed(sender, id)).warnings[0]).toEqual({
			code: 'name.taken',
			params: { chain: 'ALPHA', tokenid: gold }
		});
		await sender.discard(id, 'ada');
	});

	test('a token that a reorganisation takes back takes its name with it', async () => {
		await made(net, sender, { name: 'Fleeting' });
		await sync.catchUp();
		expect(await confusableTokens(index, 'ALPHA', 'fleeting')).toHaveLength(1);
		await net.control.reorg('ALPHA', 1, true);
		await sync.catchUp();
		expect(await confusableTokens(index, 'ALPHA', 'fleeting')).toEqual([]);
		await net.control.mine('ALPHA');
		await sync.catchUp();
		expect(await confusableTokens(index, 'ALPHA', 'fleeting')).toHaveLength(1);
	});

	test('the key of an address is found in a transaction that shows it, by index or by daemon, or not at all', async () => {
		const { pubkey } = net.chains.get('ALPHA')!;
		const ask = (): PageClient => new PageClient(gateway, 'test');
		const places = [addressOfPubkey(pubkey), ccAddress(tokenScript(hexToBytes(pubkey)))];
		for (const address of places) {
			const found = await findKey(index, ask(), address);
			expect(found, address).toMatchObject({ pubkey });
			expect(found!.txid).toMatch(/^[0-9a-f]{64}$/);
		}
		// BETA is not indexed here: its daemon is asked.
		const beta = net.chains.get('BETA')!.pubkey;
		expect(await findKey(index, ask(), addressOfPubkey(beta))).toMatchObject({
			pubkey: beta,
			chain: 'BETA'
		});
		const silent = await net.rpc<string>('ALPHA', 'getnewaddress');
		await net.rpc('ALPHA', 'sendtoaddress', silent, 0.5);
		await net.control.mine('ALPHA');
		await sync.catchUp();
		expect(await findKey(index, ask(), silent)).toBeNull();
	});

	test('a draft is kept as it was typed, opened and changed by anybody of the team, and removed', async () => {
		const audit = auditOf(database);
		const drafts = createDrafts(database.db, audit, permissiveRights(gateway));
		const typed = {
			kind: 'fungible',
			name: 'Not yet',
			supply: 'ten, I think',
			decimals: '2',
			description: '<script>alert(1)</script>\nsecond line',
			data: ''
		};
		const kept = await drafts.keep('ALPHA', typed, 'ada', null);
		const id = kept.ok ? kept.id : '';
		expect(await drafts.get(id)).toMatchObject({ typed, createdBy: 'ada', writtenBy: 'ada' });
		const changed = { ...typed, supply: '10' };
		expect(await drafts.keep('ALPHA', changed, 'grace', id)).toEqual({ ok: true, id });
		expect(await drafts.list('ALPHA')).toMatchObject([
			{ id, typed: changed, createdBy: 'ada', writtenBy: 'grace' }
		]);
		expect(await drafts.list('BETA')).toEqual([]);
		expect(await drafts.keep('ALPHA', { ...typed, name: ' ' }, 'ada', null)).toMatchObject({
			ok: false,
			errors: { name: expect.stringMatching(/Give the draft a name/) as string }
		});
		expect(
			await drafts.keep(
				'ALPHA',
				{ ...typed, description: 'a\0b', data: 'f'.repeat(50_000) },
				'ada',
				null
			)
		).toMatchObject({
			ok: false,
			errors: { description: expect.any(String) as string, data: expect.any(String) as string }
		});
		expect(await drafts.remove(id, 'ada')).toBe(true);
		expect(await drafts.remove(id, 'ada')).toBe(false);
		expect((await audit.list({ limit: 3 })).map(({ actor, action }) => [actor, action])).toEqual([
			['ada', 'draft.removed'],
			['grace', 'draft.kept'],
			['ada', 'draft.kept']
		]);
	});

	test('a draft that one member removes while another saves it is kept as a new one', async () => {
		const audit = auditOf(database);
		const rights = permissiveRights(gateway);
		const drafts = createDrafts(database.db, audit, rights);
		const typed = {
			kind: 'fungible',
			name: 'Both at once',
			supply: '',
			decimals: '',
			description: '',
			data: ''
		};
		const kept = await drafts.keep('ALPHA', typed, 'ada', null);
		const id = kept.ok ? kept.id : '';
		const held = heldResult(database.db, (_rows, text) =>
			text.startsWith('delete from "token_drafts"')
		);
		const removing = createDrafts(held.db, audit, rights).remove(id, 'ada');
		await held.isHeld;
		const saving = drafts.keep('ALPHA', { ...typed, supply: '5' }, 'grace', id);
		await isWaiting(database, database.db);
		held.release();
		const [isRemoved, saved] = await Promise.all([removing, saving]);
		expect(isRemoved).toBe(true);
		const anew = saved.ok ? saved.id : '';
		expect(anew).not.toBe(id);
		expect(await drafts.get(anew)).toMatchObject({ typed: { supply: '5' } });
		expect(await drafts.remove(anew, 'grace')).toBe(true);
	});

	test('a chain has no more drafts than its list shows, and those that are there can be changed and removed', async () => {
		const drafts = createDrafts(database.db, auditOf(database), permissiveRights(gateway));
		const typed = {
			kind: 'fungible',
			name: 'One of many',
			supply: '',
			decimals: '',
			description: '',
			data: ''
		};
		const kept = await Promise.all(
			Array.from({ length: MOST_DRAFTS + 5 }, () => drafts.keep('ALPHA', typed, 'ada', null))
		);
		const ids = kept.flatMap((one) => (one.ok ? [one.id] : []));
		expect(new Set((await drafts.list('ALPHA')).map(({ id }) => id))).toEqual(new Set(ids));
		expect(ids).toHaveLength(MOST_DRAFTS);
		expect(await drafts.keep('ALPHA', typed, 'grace', null)).toEqual({
			ok: false,
			errors: { name: expect.stringMatching(/Finish or remove one/) as string }
		});
		const [first = ''] = ids;
		expect(await drafts.keep('ALPHA', typed, 'grace', first)).toEqual({ ok: true, id: first });
		expect(await drafts.keep('BETA', typed, 'grace', null)).toMatchObject({ ok: true });
		expect(await drafts.remove(first, 'ada')).toBe(true);
		expect(await drafts.keep('ALPHA', typed, 'grace', null)).toMatchObject({ ok: true });
	});
});
