import { beforeEach, expect, test } from 'vitest';
import { APPROVALS_NEEDED } from '#lib/chain/approval.ts';
import { createAudit } from '#lib/server/access/audit/audit.ts';
import { MOST_OF_ONE, MOST_UNKNOWN } from '#lib/server/cross-chain/notary-approvals/store.ts';
import { GIVEN_IN_TOTAL, GIVEN_EACH } from '#lib/server/cross-chain/notary-approvals/limits.ts';
import { describeOnBothDatabases, type TestDatabase } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { addRecorded } from '../../support/members.ts';
import { between } from '../transactions/support.ts';
import {
	approveBy,
	gatewayToAll,
	giveFromOutside,
	importsOf,
	NOTARIES,
	publishedBurn,
	roomOver
} from './support.ts';
import { shared } from '../../support/shared.ts';

const nobody = 'ab'.repeat(32);

describeOnBothDatabases('approvals that are given for a burn', (database: TestDatabase) => {
	let id: string;
	let burn: string;
	let amount = 0;
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayToAll(net));
	const room = shared(() => roomOver(database.db, gateway));
	beforeEach(async () => {
		amount += 1;
		({ id, txid: burn } = await publishedBurn(net, room, `0.${amount}`));
		await room.migrations.advance(id);
	});
	const give = (txid: string, of = burn) => giveFromOutside(room, of, txid);
	const refusal = async (txid: string, of = burn) => {
		const given = await give(txid, of);
		return given.kind === 'refused' ? given.code : given.kind;
	};
	const row = async () => (await room.migrations.get(id))!.row;
	const approvals = async () => (await room.notaryApprovals.published(burn))!.approvals;

	test('an id that the chain does not know, a payment and another burn’s approval are not taken', async () => {
		expect(await refusal('nonsense')).toBe('not-an-id');
		expect(await refusal(nobody)).toBe('absent');
		expect(await refusal(nobody, nobody)).toBe('no-such-burn');
		const to = await net.rpc<string>('BETA', 'getnewaddress');
		expect(await refusal(await net.rpc<string>('BETA', 'sendtoaddress', to, 1))).toBe(
			'no-approval'
		);
		const other = await publishedBurn(net, room, `0.0${amount}`);
		const ofOther = await approveBy(net, NOTARIES[0]!, other.txid);
		expect(await refusal(ofOther)).toBe('other-burn');
		expect(await refusal(ofOther, other.txid)).toBe('kept');
		expect(await approvals()).toEqual([]);
		await net.control.mine('BETA');
	});

	test('an approval by a wallet that is no notary’s, and one with a bent proof, do not count', async () => {
		const stranger = await approveBy(net, 'BETA', burn);
		expect(await refusal(stranger)).toBe('no-notary');
		const { TxOutProof } = await net.rpc<{ TxOutProof: string }>(
			'ALPHA',
			'migrate_checkburntransactionsource',
			burn
		);
		// The header's Merkle root is after the version and the previous block's hash.
		const at = 2 * 36;
		const bent = `${TxOutProof.slice(0, at)}${TxOutProof[at] === '0' ? '1' : '0'}${TxOutProof.slice(at + 1)}`;
		expect(await refusal(await approveBy(net, NOTARIES[0]!, burn, { proof: bent }))).toBe(
			'unsound'
		);
		await net.control.mine('BETA');
		await room.migrations.advance(id);
		expect((await row()).reason).toEqual({
			code: 'approvals.awaited',
			params: { counted: 0, pending: 0, unknown: 0 }
		});
	});

	test('each notary counts once, and the same id twice is one approval', async () => {
		const first = await approveBy(net, NOTARIES[0]!, burn);
		const twice = await Promise.all([give(first), give(first.toUpperCase()), give(` ${first} `)]);
		expect(twice.map(({ kind }) => kind)).toEqual(['kept', 'kept', 'kept']);
		await net.control.mine('BETA');
		for (let n = 1; n < MOST_OF_ONE; n++) {
			expect(await refusal(await approveBy(net, NOTARIES[0]!, burn))).toBe('kept');
			await net.control.mine('BETA');
		}
		expect(await refusal(await approveBy(net, NOTARIES[0]!, burn))).toBe('enough-of-one');
		await net.control.mine('BETA');
		await room.migrations.advance(id);
		expect((await row()).reason).toEqual({
			code: 'approvals.awaited',
			params: { counted: 1, pending: 0, unknown: 0 }
		});
		expect((await approvals()).filter(({ counts }) => counts)).toHaveLength(1);
		const found = (await room.notaryApprovals.published(burn))!;
		expect(await room.notaryApprovals.approve(found, NOTARIES[0]!, 'nora')).toMatchObject({
			problem: { code: 'wallet.approved' }
		});
	});

	test('while the chain is down ids are kept as unknown, within bounds, and looked up when it answers', async () => {
		const real = await approveBy(net, NOTARIES[0]!, burn);
		await net.control.mine('BETA');
		await net.control.fault('BETA', 'down');
		expect(await give(real)).toMatchObject({ kind: 'kept', status: 'unknown', counted: 0 });
		for (let n = 1; n < MOST_UNKNOWN; n++) {
			expect((await give(n.toString(16).padStart(64, '0'))).kind).toBe('kept');
		}
		expect(await refusal('cd'.repeat(32))).toBe('too-many-unknown');
		await room.migrations.advance(id);
		expect((await row()).state).toBe('backup-collecting');
		await net.control.fault('BETA', 'none');
		await room.migrations.advance(id);
		expect(await approvals()).toEqual([
			expect.objectContaining({ txid: real, status: 'mined', counts: true, givenBy: null })
		]);
		expect((await row()).reason).toEqual({
			code: 'approvals.awaited',
			params: { counted: 1, pending: 0, unknown: 0 }
		});
	});

	test('an id is kept, too, while the daemon has not read its whole chain, and looked up when it has', async () => {
		const real = await approveBy(net, NOTARIES[0]!, burn);
		await net.control.mine('BETA');
		const tip = await net.rpc<number>('BETA', 'getblockcount');
		const proxy = await between(net, 'BETA');
		const reading = gatewayToAll(net, { BETA: proxy.url });
		const behind = roomOver(database.db, reading);
		const unknown =
			'{"result":null,"error":{"code":-5,"message":"No information available about transaction"},"id":null}';
		proxy.rewrite = (method, body) =>
			method === 'getrawtransaction'
				? unknown
				: method === 'getinfo'
					? body
							.replace(/"blocks": ?\d+/, `"blocks":${tip - 1}`)
							.replace(/"longestchain": ?\d+/, `"longestchain":${tip}`)
					: body;
		expect(await giveFromOutside(behind, burn, real)).toMatchObject({
			kind: 'kept',
			status: 'unknown'
		});
		await behind.migrations.advance(id);
		expect(await approvals()).toMatchObject([{ txid: real, status: 'unknown' }]);
		proxy.rewrite = null;
		await behind.migrations.advance(id);
		expect(await approvals()).toMatchObject([{ txid: real, status: 'mined', counts: true }]);
		await reading.close();
		await proxy.stop();
	});

	test('without an index of transactions an approval counts on when its outputs, or those it spent, are spent', async () => {
		const [notary] = NOTARIES;
		const { daemons } = await net.control.state();
		const own = daemons.find((one) => one.id === notary)!.address;
		const spendAll = async () => {
			const unspent = await net.rpc<{ txid: string; vout: number; amount: number }[]>(
				notary!,
				'listunspent'
			);
			const sum = unspent.reduce((all, { amount }) => all + amount, 0);
			const to = { [own]: Number((sum - 0.001).toFixed(8)) };
			const built = await net.rpc<string>(notary!, 'createrawtransaction', unspent, to);
			const { hex } = await net.rpc<{ hex: string }>(notary!, 'signrawtransaction', built);
			await net.rpc(notary!, 'sendrawtransaction', hex);
			await net.control.mine('BETA');
		};
		await net.control.txIndex('BETA', false);
		try {
			await spendAll();
			const approval = await approveBy(net, notary!, burn);
			expect(await give(approval)).toMatchObject({ kind: 'kept', status: 'pending' });
			await net.control.mine('BETA');
			await room.migrations.advance(id);
			const counted = { txid: approval, status: 'mined', counts: true };
			expect(await approvals()).toEqual([expect.objectContaining(counted)]);
			await spendAll();
			await expect(net.rpc('BETA', 'getrawtransaction', approval, 1)).rejects.toThrow(
				/No information/
			);
			await room.migrations.advance(id);
			expect(await approvals()).toEqual([expect.objectContaining(counted)]);

			const other = await approveBy(net, notary!, burn);
			await net.control.mine('BETA');
			expect(await give(other)).toMatchObject({ kind: 'kept', status: 'unknown' });
			await room.migrations.advance(id);
			expect(await approvals()).toMatchObject([
				counted,
				{ txid: other, status: 'unknown', counts: false }
			]);
		} finally {
			await net.control.txIndex('BETA', true);
		}
		await room.migrations.advance(id);
		expect(await approvals()).toMatchObject([{ status: 'mined' }, { status: 'mined' }]);
	});

	test('ids that come together are no more than ids that come one after the other', async () => {
		const ofOne: string[] = [];
		for (let n = 0; n < 2 * MOST_OF_ONE; n++) {
			ofOne.push(await approveBy(net, NOTARIES[0]!, burn));
			await net.control.mine('BETA');
		}
		const elsewhere = roomOver(await database.openAnother(), gateway);
		const given = await Promise.all(
			ofOne.map((txid, n) => giveFromOutside(n % 2 === 0 ? room : elsewhere, burn, txid))
		);
		expect(given.filter(({ kind }) => kind === 'kept')).toHaveLength(MOST_OF_ONE);
		expect(await approvals()).toHaveLength(MOST_OF_ONE);
		await net.control.fault('BETA', 'down');
		const unheard = Array.from({ length: MOST_UNKNOWN + 8 }, (_, n) =>
			giveFromOutside(n % 2 === 0 ? room : elsewhere, burn, n.toString(16).padStart(64, 'f'))
		);
		const kept = (await Promise.all(unheard)).filter(({ kind }) => kind === 'kept');
		await net.control.fault('BETA', 'none');
		expect(kept).toHaveLength(MOST_UNKNOWN);
	});

	test('an approval that is found while another look still misses it is kept', async () => {
		const real = await approveBy(net, NOTARIES[0]!, burn);
		await net.control.fault('BETA', 'down');
		expect(await give(real)).toMatchObject({ kind: 'kept', status: 'unknown' });
		await net.control.fault('BETA', 'none');
		let asked = false;
		const late = roomOver(database.db, {
			...gateway,
			async call(daemon, method, params, options) {
				if (method !== 'getrawtransaction' || params[0] !== real || asked)
					return gateway.call(daemon, method, params, options);
				asked = true;
				expect(await give(real)).toMatchObject({ kind: 'kept', status: 'pending' });
				// The daemon's response from before it had received the approval.
				return gateway.call(daemon, method, [nobody, 1] as never, options);
			}
		});
		await late.migrations.advance(id);
		expect(asked).toBe(true);
		expect(await approvals()).toMatchObject([{ txid: real, status: 'pending' }]);
		await net.control.mine('BETA');
	});

	test('approvals that a reorganisation takes back do not count until they are in a block again', async () => {
		for (const notary of NOTARIES.slice(0, 4)) await give(await approveBy(net, notary, burn));
		await net.control.mine('BETA');
		await room.migrations.advance(id);
		expect((await row()).reason).toEqual({
			code: 'approvals.awaited',
			params: { counted: 4, pending: 0, unknown: 0 }
		});
		await net.control.reorg('BETA', 1, true);
		await room.migrations.advance(id);
		expect((await row()).reason).toEqual({
			code: 'approvals.awaited',
			params: { counted: 0, pending: 4, unknown: 0 }
		});
		await net.control.mine('BETA');
		await give(await approveBy(net, NOTARIES[4]!, burn));
		await net.control.mine('BETA');
		await room.migrations.advance(id);
		await net.control.mine('BETA');
		await room.migrations.advance(id);
		expect((await row()).state).toBe('done');
		expect(await importsOf(gateway, burn)).toHaveLength(1);
	});

	test('a burn that a reorganisation puts into another block is named by that one', async () => {
		const { sourceHeight } = (await room.notaryApprovals.published(burn))!.burn;
		await net.control.reorg('ALPHA', 1, true);
		await net.control.mine('ALPHA');
		await room.migrations.advance(id);
		const moved = (await room.notaryApprovals.published(burn))!.burn;
		expect(moved.sourceHeight).toBe((sourceHeight ?? 0) + 2);
		expect(moved.sourceBlock).toBe(
			await net.rpc<string>('ALPHA', 'getblockhash', moved.sourceHeight)
		);
	});

	test('an import whose approvals went away before a person let it go out is collected for once more', async () => {
		const asked = await publishedBurn(net, room, `0.${amount}5`, 'ask');
		for (const notary of NOTARIES) {
			await give(await approveBy(net, notary, asked.txid), asked.txid);
		}
		await net.control.mine('BETA');
		await room.migrations.advance(asked.id);
		const state = async () => (await room.migrations.get(asked.id))!.row.state;
		expect(await state()).toBe('needs-approval');
		await net.control.reorg('BETA', 1, true);
		const { name } = await addRecorded(
			database.db,
			createAudit(database.db, new Uint8Array(32)),
			'operator'
		);
		expect(await room.migrations.approveStep(asked.id, name)).toBe('approved');
		await room.migrations.advance(asked.id);
		expect(await state()).toBe('backup-collecting');
		await room.migrations.advance(asked.id);
		const { counted } = (await room.notaryApprovals.published(asked.txid))!;
		expect(counted).toBe(0);
		await net.control.mine('BETA');
		await room.migrations.advance(asked.id);
		expect(await state()).toBe('import-pending');
		await net.control.mine('BETA');
		await room.migrations.advance(asked.id);
		expect(await state()).toBe('done');
		expect(await importsOf(gateway, asked.txid)).toHaveLength(1);
	});

	test('an address with a zero byte in it finds nothing, and fails nothing', async () => {
		expect((await room.notaryApprovals.waiting(`${Date.now()}000.a\0b`)).next).toBeNull();
		expect(await room.migrations.get('a\0b')).toBeNull();
	});

	test('one address may give so many ids, and others are not kept from giving theirs', async () => {
		const loud = { address: '192.0.2.77', account: null };
		for (let n = 0; n < GIVEN_EACH; n++) await room.notaryApprovals.give(burn, nobody, loud);
		expect(await room.notaryApprovals.give(burn, nobody, loud)).toMatchObject({
			kind: 'refused',
			code: 'throttled',
			retryAfter: expect.any(Number) as number
		});
		const real = await approveBy(net, NOTARIES[0]!, burn);
		expect(await give(real)).toMatchObject({ kind: 'kept' });
		await net.control.mine('BETA');
	});

	test('strangers who give ids from many addresses keep no member from giving theirs', async () => {
		const strangers = Array.from({ length: GIVEN_IN_TOTAL + 1 }, (_, n) =>
			room.notaryApprovals.give(nobody, nobody, { address: `203.0.113.${n % 250}`, account: null })
		);
		const codes = (await Promise.all(strangers)).map(
			(given) => given.kind === 'refused' && given.code
		);
		expect(codes).toContain('throttled');
		const real = await approveBy(net, NOTARIES[0]!, burn);
		const nora = { address: '203.0.113.1', account: 'nora' };
		expect(await room.notaryApprovals.give(burn, real, { ...nora, account: null })).toMatchObject({
			code: 'throttled'
		});
		expect(await room.notaryApprovals.give(burn, real, nora)).toMatchObject({ kind: 'kept' });
		for (let n = 1; n < GIVEN_EACH; n++) await room.notaryApprovals.give(burn, nobody, nora);
		expect(await room.notaryApprovals.give(burn, nobody, nora)).toMatchObject({
			code: 'throttled'
		});
		await database.db.deleteFrom('throttle').execute();
		await net.control.mine('BETA');
	});

	test('a burn that is taken off the list takes no approvals, and goes on with notarizations', async () => {
		expect(await room.migrations.withdraw(id, 'ada')).toBe(true);
		expect(await room.notaryApprovals.published(burn)).toBeNull();
		expect(await refusal(nobody)).toBe('no-such-burn');
		expect(await room.migrations.withdraw(id, 'ada')).toBe(false);
		await room.migrations.advance(id);
		expect(await row()).toMatchObject({ path: 'notarized', state: 'waiting-back-notarization' });
		expect(await room.migrations.publish(id, 'ada')).toBe(true);
		expect(await room.migrations.publish(id, 'ada')).toBe(false);
		expect((await room.notaryApprovals.published(burn))!.burn.open).toBe(true);
	});

	test(`more than ${APPROVALS_NEEDED} approvals do no harm`, async () => {
		const more = NOTARIES.concat(NOTARIES[0]!);
		for (const notary of more) {
			await give(await approveBy(net, notary, burn));
			await net.control.mine('BETA');
		}
		await room.migrations.advance(id);
		await net.control.mine('BETA');
		await room.migrations.advance(id);
		expect((await row()).state).toBe('done');
	});
});
