/**
 * Who can read a request for approval, over HTTP: its page, the lists, their exports, and the responses of its
 * page's forms.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalVoidWords } from '#lib/messages/approvalVoid.ts';
import { APPROVALS } from '#lib/messages/pages/approvals.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import {
	approve,
	startRuledProduct,
	waitingFor,
	type Member,
	type RuledProduct
} from './ruledProduct.ts';

const UNKNOWN_ADDRESS = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';

describeOnBothDatabases('a request for approval', (database) => {
	let product: RuledProduct;
	let author: Member;
	let asked: Member;
	let ofRole: Member;
	let admin: Member;
	let mate: Member;
	let elsewhere: Member;
	let viewer: Member;
	let id: string;
	/** The page of its transaction. */
	let review: string;

	beforeAll(async () => {
		product = await startRuledProduct(database);
		author = await product.member('operator');
		asked = await product.member('viewer');
		ofRole = await product.member('notary', []);
		admin = await product.member('admin', []);
		mate = await product.member('operator', ['BETA', 'ALPHA']);
		elsewhere = await product.member('operator', ['BETA']);
		viewer = await product.member('viewer');
		await product.rule({
			kind: 'coin-send',
			effect: { is: 'approve', needed: 1, members: [asked.account.id], roles: ['notary'] }
		});
		const built = await author.submit('/wallets/ALPHA/send', {
			recipient: UNKNOWN_ADDRESS,
			amount: '2'
		});
		if (built.kind !== 'redirect') throw new Error(built.shown);
		review = built.location;
		await author.submit(`${review}?/send`, {});
		id = (await waitingFor(asked))[0]!.id;
	});
	afterAll(() => product.stop());

	const rowsOf = async (member: Member, show: string): Promise<string[]> => {
		const { list } = await member.page(`/approvals?show=${show}`);
		return (list as { rows: { id: string }[] }).rows.map((row) => row.id);
	};
	const filesOf = async (member: Member, show: string): Promise<string> => {
		const csv = await member.text(`/approvals/approvals.csv?show=${show}`);
		const json = await member.text(`/approvals/approvals.json?show=${show}`);
		expect([csv.status, json.status]).toEqual([200, 200]);
		return csv.text + json.text;
	};

	test('is there for its author, who is asked, admins, and who may build with the wallet', async () => {
		for (const member of [author, asked, ofRole, admin, mate]) {
			const { status, text } = await member.text(`/approvals/${id}`);
			expect(status, member.account.name).toBe(200);
			expect(text, member.account.name).toContain(UNKNOWN_ADDRESS);
		}
	});

	test('is there for no one else, and looks like one that there is not', async () => {
		const none = crypto.randomUUID();
		for (const member of [elsewhere, viewer]) {
			const other = await member.text(`/approvals/${none}`);
			const there = await member.text(`/approvals/${id}`);
			expect([there.status, other.status], member.account.name).toEqual([404, 404]);
			expect(there.text).not.toContain(UNKNOWN_ADDRESS);
			for (const form of ['approve', 'reject', 'withdraw']) {
				const fields = { hash: 'ab', reason: 'no' };
				for (const one of [id, none]) {
					const said = await member.shown(`/approvals/${one}?/${form}`, fields);
					expect(said, form).toContain(APPROVALS.noSuch);
				}
			}
			expect(await rowsOf(member, 'waiting')).toEqual([]);
		}
		expect(await rowsOf(mate, 'waiting')).toEqual([]);
		expect(await rowsOf(admin, 'waiting')).toEqual([]);
		expect(await rowsOf(ofRole, 'waiting')).toEqual([id]);
		expect(await rowsOf(author, 'own')).toEqual([id]);
	});

	test('has a transaction that is there for the same members, as far as they build', async () => {
		const listed = async (member: Member): Promise<boolean> => {
			const page = await member.text('/transactions');
			const csv = await member.text('/transactions/transactions.csv');
			expect([page.status, csv.status]).toEqual([200, 200]);
			return [page.text, csv.text].some((text) => text.includes(author.account.name));
		};
		for (const member of [author, admin, mate]) {
			const { status, text } = await member.text(review);
			expect([status, text.includes(UNKNOWN_ADDRESS)], member.account.name).toEqual([200, true]);
			expect(await listed(member), member.account.name).toBe(true);
		}
		expect((await ofRole.text(review)).status).toBe(200);
		const other = await elsewhere.text(review);
		expect([other.status, other.text.includes(UNKNOWN_ADDRESS)]).toEqual([404, false]);
		expect(await listed(elsewhere)).toBe(false);
		for (const [member, isAll] of [
			[admin, true],
			[elsewhere, false]
		] as const)
			expect((await member.text('/transactions')).text.includes('as far as you may read it')).toBe(
				!isAll
			);
		// Forms do not reveal its existence, either.
		for (const form of ['send', 'discard'])
			for (const path of [review, `/transactions/${crypto.randomUUID()}`])
				await expect(elsewhere.submit(`${path}?/${form}`, {}), form).rejects.toThrow(
					'There is no such transaction here.'
				);
	});

	test('has a review counted beside the list of transactions for those who read it there', async () => {
		const isCounted = async (member: Member): Promise<boolean> =>
			(await member.text('/approvals')).text.includes('1 transaction awaits review');
		const fields = { recipient: UNKNOWN_ADDRESS, amount: '1' };
		const built = await author.submit('/wallets/ALPHA/send', fields);
		if (built.kind !== 'redirect') throw new Error(built.shown);
		expect([await isCounted(author), await isCounted(elsewhere)]).toEqual([true, false]);
		await author.submit(`${built.location}?/discard`, {});
	});

	test('is in the lists and files of the same members once it is past, and of who approved and is asked no more', async () => {
		await approve(ofRole, id);
		await product.auth.members.setRole(null, ofRole.account.id, 'viewer');
		await author.submit(`/approvals/${id}?/withdraw`, {});
		for (const member of [author, asked, ofRole, admin, mate]) {
			expect(await rowsOf(member, 'past'), member.account.name).toEqual([id]);
			expect(await filesOf(member, 'past'), member.account.name).toContain(id);
			const { text } = await member.text(`/approvals/${id}`);
			expect(text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).toMatch(
				new RegExp(`Void .*Closed .* by ${author.account.name} `)
			);
		}
		for (const member of [elsewhere, viewer]) {
			expect(await rowsOf(member, 'past'), member.account.name).toEqual([]);
			expect(await filesOf(member, 'past'), member.account.name).not.toContain(id);
			expect((await member.text(`/approvals/${id}`)).status).toBe(404);
		}
		expect((await author.text('/approvals/approvals.csv?show=all')).status).toBe(400);
		expect((await author.text('/approvals/approvals.xml')).status).toBe(404);
	});

	test('stands in files with the reason in words, as far as the policies gave it', async () => {
		const set = (state: 'voided' | 'rejected', reason: string | null) =>
			database.db
				.updateTable('approval_requests')
				.set({ state, reason })
				.where('id', '=', id)
				.execute();
		const before = await database.db
			.selectFrom('approval_requests')
			.select(['state', 'reason'])
			.where('id', '=', id)
			.executeTakeFirstOrThrow();
		const told = async (): Promise<boolean[]> => {
			const paths = ['csv', 'json'].map((form) => `/approvals/approvals.${form}?show=past`);
			const files = await Promise.all(paths.map((path) => author.text(path)));
			return files.flatMap(({ text }) => [
				text.includes(approvalVoidWords('rule-changed')),
				text.includes('rule-changed')
			]);
		};
		await set('voided', 'rule-changed');
		expect(await told()).toEqual([true, false, true, false]);
		// The words of a member who rejected it.
		await set('rejected', 'rule-changed');
		expect(await told()).toEqual([false, true, false, true]);
		await database.db.updateTable('approval_requests').set(before).where('id', '=', id).execute();
	});

	test('stands on pages of fifty, the newest first, each once', async () => {
		const row = await database.db
			.selectFrom('approval_requests')
			.selectAll()
			.where('id', '=', id)
			.executeTakeFirstOrThrow();
		for (let at = 0; at < 60; at += 1) {
			await database.db
				.insertInto('approval_requests')
				.values({ ...row, id: `${id}-${at}`, created_at: row.created_at - BigInt(1 + (at >> 1)) })
				.execute();
		}
		const seen: string[] = [];
		let cursor: string | null = '';
		for (let pages = 0; cursor !== null; pages += 1) {
			expect(pages).toBeLessThan(3);
			const place: string = cursor === '' ? '' : `&cursor=${cursor}`;
			const { list } = (await author.page(`/approvals?show=past${place}`)) as {
				list: { rows: { id: string }[]; next: string | null };
			};
			seen.push(...list.rows.map((one) => one.id));
			cursor = list.next;
		}
		expect(seen[0]).toBe(id);
		expect(new Set(seen).size).toBe(61);
		expect(seen).toHaveLength(61);
	});

	test('has a queue of notary approvals that shows what a wallet signed to those who may use it', async () => {
		const row = await database.db
			.selectFrom('transactions')
			.selectAll()
			.where('id', '=', review.split('/').at(-1)!)
			.executeTakeFirstOrThrow();
		const { id: transaction, queue } = { id: crypto.randomUUID(), queue: crypto.randomUUID() };
		const now = BigInt(Date.now());
		await database.db
			.insertInto('transactions')
			.values({ ...row, id: transaction, state: 'reviewed', expires_at: now + 3_600_000n })
			.execute();
		await database.db
			.insertInto('approval_queues')
			.values({
				id: queue,
				state: 'open',
				created_by: mate.account.name,
				built_by: mate.account.name,
				created_at: now,
				active_until: now
			})
			.execute();
		await database.db
			.insertInto('approval_queue_items')
			.values({
				queue,
				n: 1n,
				burn_txid: 'ab'.repeat(32),
				source: 'BETA',
				destination: 'ALPHA',
				daemon: 'ALPHA',
				state: 'underway',
				transaction_id: transaction
			})
			.execute();
		const shown = async (member: Member): Promise<boolean> => {
			const { status, text } = await member.text(`/notary-approvals/queue/${queue}`);
			expect(status).toBe(200);
			return text.includes(UNKNOWN_ADDRESS);
		};
		const inRole = await product.member('notary', ['ALPHA']);
		const outside = await product.member('notary', []);
		expect([await shown(inRole), await shown(outside)]).toEqual([true, false]);
	});

	test('leads from a new token to its transaction where that may be read, and to its chain otherwise', async () => {
		await product.rule({ kind: 'coin-send', over: 10n ** 15n });
		const fields = { kind: 'fungible', name: 'mine', supply: '1', description: '', data: '' };
		const built = await author.submit('/chains/ALPHA/tokens/new', fields);
		if (built.kind !== 'redirect') throw new Error(built.shown);
		await author.submit(`${built.location}?/send`, {});
		const linked = async (member: Member): Promise<boolean> =>
			(await member.text('/chains/ALPHA/tokens')).text.includes(`href="${built.location}"`);
		expect([await linked(author), await linked(elsewhere)]).toEqual([true, false]);
	});
});
