/**
 * The number of requests for approval that one member and one API token can have open, over HTTP: a refusal is
 * explained on every path, nothing is sent, and a closed request makes room.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MOST_OPEN, MOST_OPEN_OF_TOKEN } from '#lib/server/access/approvals/approvalRequester.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startRuledProduct, waitingFor, type Member, type RuledProduct } from './ruledProduct.ts';

const UNKNOWN_ADDRESS = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';
const OF_TOKEN = `${MOST_OPEN_OF_TOKEN} approval requests of this API token are open`;
const OF_MEMBER = `${MOST_OPEN} approval requests of yours are open`;

describeOnBothDatabases('open requests for approval', (database) => {
	let product: RuledProduct;
	let ada: Member;
	let ben: Member;
	/** Signed bytes that differ in their payments. */
	let bytes: string[];

	const rpc = <T>(method: string, ...params: unknown[]): Promise<T> =>
		product.net.rpc<T>('ALPHA', method, ...params);

	beforeAll(async () => {
		product = await startRuledProduct(database);
		ada = await product.member('operator');
		ben = await product.member('viewer');
		await product.rule({
			asset: { is: 'coin', chain: 'ALPHA' },
			effect: { is: 'approve', needed: 1, members: [ben.account.id], roles: [] }
		});
		bytes = [];
		for (let at = 0; at < MOST_OPEN + 2; at += 1) {
			const pays = { [UNKNOWN_ADDRESS]: 3 + at / 100 };
			const unsigned = await rpc<string>('createrawtransaction', [], pays);
			const { hex: funded } = await rpc<{ hex: string }>('fundrawtransaction', unsigned);
			bytes.push((await rpc<{ hex: string }>('signrawtransaction', funded)).hex);
		}
	});
	afterAll(() => product.stop());

	const byScript = async (hex: string): Promise<{ status: number; text: string }> => {
		const body = JSON.stringify({ id: 1, method: 'sendrawtransaction', params: [hex] });
		return ada.rpc('ALPHA', body);
	};
	async function byConsole(hex: string): Promise<string> {
		const typed = { daemon: 'ALPHA', way: 'written', written: JSON.stringify([hex]) };
		const asked = await ada.shown('/console/sendrawtransaction', typed);
		const [, confirmed = ''] = /name="confirmed" value="([^"]+)"/.exec(asked) ?? [];
		return ada.shown('/console/sendrawtransaction', { ...typed, confirmed });
	}
	async function led(path: string, fields: Record<string, string>): Promise<string> {
		const done = await ada.submit(path, fields);
		if (done.kind !== 'redirect') throw new Error(`${path}: ${done.status} ${done.shown}`);
		return done.location;
	}
	const requestIn = (text: string): string => /\/approvals\/([0-9a-f-]{36})/.exec(text)?.[1] ?? '';

	test('are bounded for an API token, then for its member, by every way alike', async () => {
		let next = 0;
		for (; next < MOST_OPEN_OF_TOKEN; next += 1) {
			expect(requestIn((await byScript(bytes[next]!)).text)).not.toBe('');
		}
		const refused = await byScript(bytes[next]!);
		expect(refused.status).toBe(403);
		expect(refused.text).toContain('"code":-32050');
		expect(refused.text).toContain(OF_TOKEN);
		expect(refused.text).toContain('/approvals?show=own');
		// An existing request is reported as before.
		expect(requestIn((await byScript(bytes[0]!)).text)).not.toBe('');

		for (; next < MOST_OPEN; next += 1) {
			expect(requestIn(await byConsole(bytes[next]!))).not.toBe('');
		}
		expect(await byConsole(bytes[next]!)).toContain(OF_MEMBER);
		const page = await led('/wallets/ALPHA/send', { recipient: UNKNOWN_ADDRESS, amount: '2' });
		const shown = await ada.submit(`${page}?/send`, {});
		expect(shown).toMatchObject({ kind: 'refused', status: 409 });
		expect(shown.kind === 'refused' && shown.shown).toContain(OF_MEMBER);
		expect((await ada.text(page)).text).not.toContain('Awaiting approval');
		const address = await product.net.rpc<string>('BETA', 'getnewaddress');
		const migration = await led('/migrations/new', {
			source: 'ALPHA',
			destination: 'BETA',
			address,
			amount: '1.5',
			proof: 'notarizations',
			policy: 'automatic'
		});
		expect(await ada.shown(`${migration}?/confirm`, {})).toContain(OF_MEMBER);
		expect((await ada.text(migration)).text).not.toContain('Awaiting approval');
		expect(await waitingFor(ben)).toHaveLength(MOST_OPEN);
		expect(await rpc<string[]>('getrawmempool')).toEqual([]);

		// A withdrawn request makes room for the member, but not for the API token.
		const [first] = (await waitingFor(ben)).slice(-1);
		await led(`/approvals/${first!.id}?/withdraw`, {});
		expect((await byScript(bytes[next]!)).text).toContain(OF_TOKEN);
		await led(`${page}?/send`, {});
		expect((await ada.text(page)).text).toContain('Awaiting approval');
		expect(await byConsole(bytes[next]!)).toContain(OF_MEMBER);
	});

	test('that are past their time make room before that is written down', async () => {
		const [one] = await waitingFor(ben);
		const { db } = database;
		const state = async (): Promise<string> =>
			(
				await db
					.selectFrom('approval_requests')
					.select('state')
					.where('id', '=', one!.id)
					.executeTakeFirstOrThrow()
			).state;
		await db.transaction().execute(async (trx) => {
			await trx
				.updateTable('approval_requests')
				.set({ expires_at: Date.now() - 1 })
				.where('id', '=', one!.id)
				.execute();
		});
		const text = await byConsole(bytes[MOST_OPEN]!);
		expect(requestIn(text)).not.toBe('');
		await expect.poll(state, { timeout: 10_000 }).toBe('expired');
		expect((await waitingFor(ben)).map(({ id }) => id)).not.toContain(one!.id);
		const { list } = await ada.page('/approvals?show=past');
		expect((list as { rows: { id: string }[] }).rows.map(({ id }) => id)).toContain(one!.id);
	});
});
