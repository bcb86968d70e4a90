/** The page of a migration, over HTTP: which of its buttons a member is offered. */
import { load } from 'cheerio';
import { expect, test } from 'vitest';
import { migrationPage } from '#lib/messages/pages/migration.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { shared } from '../../support/shared.ts';
import { startRuledProduct, type Member } from '../policies/ruledProduct.ts';
import { round } from './support.ts';

/** Wait for server rounds, which run every few seconds. */
const ROUNDS = { timeout: 90_000, interval: 500 };

describeOnBothDatabases('the page of a migration', (database) => {
	const product = shared(() => startRuledProduct(database));

	/** Drafts a migration, and returns the address of its page. */
	async function draft(member: Member, policy: string): Promise<string> {
		const drafted = await member.submit('/migrations/new', {
			source: 'ALPHA',
			destination: 'BETA',
			address: await product.net.rpc<string>('BETA', 'getnewaddress'),
			amount: '1.5',
			proof: 'notarizations',
			policy
		});
		if (drafted.kind !== 'redirect') throw new Error(drafted.shown);
		return drafted.location;
	}

	/** Drafts a migration and confirms its burn; returns the address of its page. */
	async function confirmed(member: Member, policy: string): Promise<string> {
		const page = await draft(member, policy);
		await member.submit(`${page}?/confirm`, {});
		return page;
	}

	/** The text of the button of one of its actions; empty when the button is not there. */
	async function buttonOf(member: Member, page: string, action: string): Promise<string> {
		const $ = load((await member.text(page)).text);
		return $(`form[action="?/${action}"] button`).text().trim();
	}

	test('asks each member once to approve an import, and offers to send it only to the last', async () => {
		const [ada, bea] = [await product.member('operator'), await product.member('operator')];
		const page = await confirmed(ada, 'ask-two');
		await expect
			.poll(async () => {
				await round(product.net);
				return (await ada.page(page))['state'];
			}, ROUNDS)
			.toBe('needs-approval');
		const offered = async () => [
			await buttonOf(ada, page, 'approve'),
			await buttonOf(bea, page, 'approve')
		];
		const needing = async (member: Member) => {
			const { text } = await member.text('/');
			return {
				inSidebar: text.includes('1 migration needs you'),
				onOverview: text.includes('1 migration is ready: its import needs approval.')
			};
		};
		expect(await offered()).toEqual(['Approve import', 'Approve import']);
		expect(await needing(ada)).toEqual({ inSidebar: true, onOverview: true });
		await ada.submit(`${page}?/approve`, {});
		expect(await needing(ada)).toEqual({ inSidebar: false, onOverview: false });
		expect(await needing(bea)).toEqual({ inSidebar: true, onOverview: true });
		expect(await offered()).toEqual(['', 'Send import']);
		expect((await ada.text(page)).text).toContain(migrationPage.refused.sameMember);
		await bea.submit(`${page}?/approve`, {});
		expect(await offered()).toEqual(['', '']);
	});

	test('offers to publish or withdraw a burn only to members who may, and names what arrives in its own coin', async () => {
		const [ada, nora] = [await product.member('operator'), await product.member('notary')];
		const outside = await product.member('operator', ['BETA']);
		const page = await confirmed(ada, 'automatic');
		await expect
			.poll(async () => {
				await product.net.control.mine('ALPHA');
				return buttonOf(ada, page, 'publish');
			}, ROUNDS)
			.toBe('Request notary approvals');
		const denied = `${ada.account.name} has this in hand`;
		expect(await buttonOf(outside, page, 'publish')).toBe('');
		expect((await outside.text(page)).text).toContain(denied);
		await ada.submit(`${page}?/publish`, {});
		expect(await buttonOf(ada, page, 'withdraw')).not.toBe('');
		expect(await buttonOf(outside, page, 'withdraw')).toBe('');
		expect((await outside.text(page)).text).toContain(denied);

		const { page: publicPage } = (await ada.page(page))['backup'] as { page: string };
		const textOf = async (path: string): Promise<string> =>
			load((await nora.text(path)).text)('main')
				.text()
				.replaceAll(/\s+/g, ' ');
		for (const path of ['/notary-approvals', '/notary-approvals/queue', publicPage]) {
			expect(await textOf(path), path).toContain('1.50000000 BETA');
			expect(await textOf(path), path).not.toContain('1.50000000 ALPHA');
		}
		expect(await textOf(publicPage)).toContain('1.50010000 ALPHA');
		// A limit would cut what is pasted with a blank before the server removes it.
		const $ = load((await nora.text(publicPage)).text);
		expect($('main input[name="txid"]').attr('maxlength')).toBeUndefined();
		await ada.submit(`${page}?/withdraw`, {});
	});

	test('offers to retry a burn that may still have to be sent only to members who may use its wallet', async () => {
		const ada = await product.member('operator');
		const outside = await product.member('operator', ['BETA']);
		const page = await confirmed(ada, 'automatic');
		await database.db
			.updateTable('migrations')
			.set({ state: 'stuck', due_at: null, reason: 'It stopped.' })
			.where('id', '=', page.split('/').at(-1)!)
			.execute();
		expect(await buttonOf(ada, page, 'retry')).toBe('Try again');
		expect(await buttonOf(outside, page, 'retry')).toBe('');
		expect((await outside.text(page)).text).toContain('access to the ALPHA wallet');
	});

	test('offers to discard a burn that waits for approval only to members who may discard it', async () => {
		const ben = await product.member('viewer');
		await product.rule({
			kind: 'migration',
			effect: { is: 'approve', needed: 1, members: [ben.account.id], roles: [] }
		});
		const ada = await product.member('operator');
		const outside = await product.member('operator', ['BETA']);
		const page = await confirmed(ada, 'automatic');
		expect((await ada.page(page))['state']).toBe('burn-needs-approval');
		expect(await buttonOf(ada, page, 'discard')).toBe('Discard migration');
		expect(await buttonOf(outside, page, 'discard')).toBe('');
		expect((await outside.text(page)).text).toContain('access to the ALPHA wallet');
		await ada.submit(`${page}?/discard`, {});
	});

	test('is reached from a list that is filtered, sorted and exported by its address', async () => {
		const ada = await product.member('operator');
		const by = `by=${ada.account.name}`;
		const [first, second] = [await draft(ada, 'automatic'), await draft(ada, 'automatic')];
		const listed = async (query: string): Promise<string[]> => {
			const { list } = await ada.page(`/migrations?${by}${query}`);
			return (list as { rows: { id: string }[] }).rows.map(({ id }) => `/migrations/${id}`);
		};
		expect(await listed('')).toEqual([second, first]);
		expect(await listed('&sort=created&chain=BETA&state=draft')).toEqual([first, second]);
		expect(await listed('&chain=KMD')).toEqual([]);
		expect(await listed('&state=abandoned')).toEqual([]);
		const json = (await ada.text(`/migrations/migrations.json?${by}&sort=created`)).text;
		const route = { source: 'ALPHA', destination: 'BETA', amount: '1.50000000', tokenid: null };
		expect(JSON.parse(json)).toMatchObject(
			[first, second].map((page) => ({ id: page.split('/').at(-1), state: 'draft', ...route }))
		);
		const csv = (await ada.text(`/migrations/migrations.csv?${by}&state=draft`)).text;
		expect(csv.trim().split('\r\n')).toHaveLength(3);
		expect((await ada.text('/migrations/migrations.csv?shape=round')).status).toBe(400);
	});
});
