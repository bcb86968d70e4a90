/**
 * A rule that asks for approval, for each kind of send, over HTTP: the send waits and says so, nothing is sent;
 * it is sent once after the approval, and never after a rejection, which frees its UTXOs.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseTransaction, txidOf } from '#lib/chain/transaction.ts';
import { problems } from '#lib/messages/batch-transfers/problems.ts';
import { queueProblems } from '#lib/messages/notary-approvals/queueProblems.ts';
import { batchPage } from '#lib/messages/pages/batchTransfer.ts';
import { migrationPage } from '#lib/messages/pages/migration.ts';
import { approvalQueuePage, publishedBurnPage } from '#lib/messages/pages/notaryApprovals.ts';
import { POLICIES } from '#lib/messages/pages/policies.ts';
import { selfImportPage } from '#lib/messages/pages/selfImport.ts';
import { sentTransaction } from '#lib/messages/pages/transactions.ts';
import type { RuleKind } from '#lib/messages/policies/kinds.ts';
import { meanings } from '#lib/messages/transactions/meanings.ts';
import { rejections } from '#lib/messages/transactions/rejections.ts';
import type { RuleBody } from '#lib/server/access/policy/rules/rule.ts';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import { doubtRestored } from '#lib/server/wallet/transactions/doubtRestored.ts';
import { TRADING_NODE } from '#lib/server/platform/config/discover.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import {
	approve,
	reject,
	startRuledProduct,
	waitingFor,
	type Member,
	type RuledProduct
} from './ruledProduct.ts';

const UNKNOWN_ADDRESS = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';
/** What the form and the review say of a send that one other member has to approve under the only rule. */
const AHEAD = sentTransaction.approval.aheadText(1, 1);
/** What became of a send whose approval was rejected. */
const REJECTED = rejections.text({ code: 'approval.missing', params: { why: 'rejected' } });
/** Wait for server rounds, which run every few seconds. */
const ROUNDS = { timeout: 30_000, interval: 250 };

describeOnBothDatabases('a rule that asks others to approve', (database) => {
	let product: RuledProduct;
	let ada: Member;
	let nora: Member;
	let ben: Member;
	/** A key that belongs to no wallet here. */
	let key: string;

	beforeAll(async () => {
		product = await startRuledProduct(database);
		ada = await product.member('admin');
		nora = await product.member('notary');
		ben = await product.member('viewer');
		key = product.net.chains.get('BETA')!.pubkey;
	});
	afterAll(async () => {
		await product.stop();
	});
	beforeEach(async () => {
		for (const chain of ['ALPHA', 'BETA', 'SELF']) await product.net.control.mine(chain);
	});

	const rpc = <T>(chain: string, method: string, ...params: unknown[]): Promise<T> =>
		product.net.rpc<T>(chain, method, ...params);
	const mempool = (chain: string): Promise<string[]> => rpc(chain, 'getrawmempool');
	const asks = (kind: RuleKind, more: Partial<RuleBody> = {}): Promise<void> =>
		product.rule({
			kind,
			effect: { is: 'approve', needed: 1, members: [ben.account.id], roles: [] },
			...more
		});
	/**
	 * Submits a form that redirects.
	 * @returns the address
	 */
	async function led(member: Member, path: string, fields: Parameters<Member['submit']>[1]) {
		const done = await member.submit(path, fields);
		if (done.kind !== 'redirect') throw new Error(`${path}: ${done.status} ${done.shown}`);
		return done.location;
	}
	/**
	 * Drafts a migration from ALPHA to an address on BETA.
	 * @returns the address of its page
	 */
	const drafted = (member: Member, address: string, amount: string): Promise<string> =>
		led(member, '/migrations/new', {
			source: 'ALPHA',
			destination: 'BETA',
			address,
			amount,
			proof: 'notarizations',
			policy: 'automatic'
		});
	const text = async (member: Member, path: string): Promise<string> =>
		(await member.text(path)).text;
	const sentOf = async (txid: string): Promise<number> =>
		(await product.auth.audit.list({ action: 'send.sent', limit: 200 })).filter(
			({ target }) => target === txid
		).length;
	/** Number of UTXOs of a wallet that reviews and requests lock. */
	async function locked(wallet: string): Promise<number> {
		const { locks } = (await ada.page(`/wallets/${wallet}`)) as { locks: { count: number }[] };
		return locks.reduce((sum, { count }) => sum + count, 0);
	}

	interface Reviewed {
		review: { inputs: readonly { txid: string; vout: number }[] };
	}
	const utxosOf = ({ review }: Reviewed): string[] =>
		review.inputs.map(({ txid, vout }) => `${txid}:${vout}`);
	/** The inputs of the reviewed transaction on a page. */
	async function inputsOf(member: Member, page: string): Promise<string[]> {
		const { send, parts } = (await member.page(page)) as { send?: Reviewed; parts?: Reviewed[] };
		return utxosOf((send ?? parts?.[0])!);
	}

	interface Listed {
		state: string;
		isApproved: boolean;
	}

	interface Output {
		address: string | null;
		meaning: string;
	}

	interface Single {
		chain: string;
		kind: RuleKind;
		by: () => Member;
		/**
		 * Builds one through its form.
		 * @returns the address of its page
		 */
		review: () => Promise<string>;
	}

	async function waits({ chain, kind, by, review }: Single): Promise<void> {
		await asks(kind);
		const page = await review();
		expect(await text(by(), page)).toContain(AHEAD);
		await led(by(), `${page}?/send`, {});
		expect(await mempool(chain)).toEqual([]);
		const shown = await text(by(), page);
		expect(shown).toContain('Awaiting approval');
		const [asked] = await waitingFor(ben);
		expect(asked).toMatchObject({ kind, state: 'open' });
		expect(shown).toContain(`/approvals/${asked!.id}`);
		await led(by(), `${page}?/send`, {});
		expect(await mempool(chain)).toEqual([]);
		const listed = async () => {
			const { list } = (await by().page('/transactions')) as { list: { rows: Listed[] } };
			return list.rows
				.filter(({ state }) => state === 'needs-approval')
				.map(({ isApproved }) => isApproved);
		};
		expect((await listed()).some(Boolean)).toBe(false);
		await approve(ben, asked!.id);
		expect((await listed()).filter(Boolean)).toHaveLength(1);
		expect(await waitingFor(ben)).toEqual([]);
		await led(by(), `${page}?/send`, {});
		await led(by(), `${page}?/send`, {});
		const out = await mempool(chain);
		expect(out).toHaveLength(1);
		expect(await sentOf(out[0]!)).toBe(1);
		await product.net.control.mine(chain);

		const refused = await review();
		await led(by(), `${refused}?/send`, {});
		const [again] = await waitingFor(ben);
		await reject(ben, again!.id);
		await expect.poll(() => text(by(), refused), ROUNDS).toContain(REJECTED);
		await led(by(), `${refused}?/send`, {});
		expect(await mempool(chain)).toEqual([]);
		// Its UTXOs are free: the next transaction spends them.
		const next = await review();
		const inputs = await inputsOf(by(), refused);
		expect((await inputsOf(by(), next)).some((utxo) => inputs.includes(utxo))).toBe(true);
		await led(by(), `${next}?/discard`, {});
	}

	/** A token of the wallet of ALPHA. */
	async function newToken(): Promise<string> {
		const { hex } = await rpc<{ hex: string }>(
			'ALPHA',
			'tokencreate',
			'BERTH',
			'0.00001',
			'berths'
		);
		const txid = await rpc<string>('ALPHA', 'sendrawtransaction', hex);
		await product.net.control.mine('ALPHA');
		return txid;
	}

	test('holds a payment back', () =>
		waits({
			chain: 'ALPHA',
			kind: 'coin-send',
			by: () => ada,
			review: () => led(ada, '/wallets/ALPHA/send', { recipient: UNKNOWN_ADDRESS, amount: '2' })
		}));

	test('says until which block the bytes of a payment are good: a fast chain is there before the time', async () => {
		await asks('coin-send');
		const page = await led(ada, '/wallets/ALPHA/send', { recipient: UNKNOWN_ADDRESS, amount: '2' });
		await led(ada, `${page}?/send`, {});
		const [asked] = await waitingFor(ben);
		const { blocks } = await rpc<{ blocks: number }>('ALPHA', 'getinfo');
		const { bytes } = (await ben.page(`/approvals/${asked!.id}`)) as {
			bytes: { lastBlock: number };
		};
		expect(bytes.lastBlock).toBeGreaterThan(blocks);
		expect(await text(ben, `/approvals/${asked!.id}`)).toContain(
			`or until block ${bytes.lastBlock} of ALPHA, whichever comes first`
		);
		await led(ada, `${page}?/discard`, {});
	});

	test('says of each output of the bytes what its review says, and of bytes without one what comes back', async () => {
		const outputsOf = async (id: string) =>
			((await ben.page(`/approvals/${id}`)) as { bytes: { outputs: readonly Output[] } }).bytes
				.outputs;
		await asks('coin-send');
		const page = await led(ada, '/wallets/ALPHA/send', { recipient: UNKNOWN_ADDRESS, amount: '2' });
		await led(ada, `${page}?/send`, {});
		const [reviewed] = await waitingFor(ben);
		expect(await outputsOf(reviewed!.id)).toEqual(
			((await ada.page(page)) as { send: { review: { outputs: readonly Output[] } } }).send.review
				.outputs
		);
		expect(await text(ben, `/approvals/${reviewed!.id}`)).toContain(
			meanings.text({ code: 'change', params: {} })
		);
		await led(ada, `${page}?/discard`, {});

		const to = { [UNKNOWN_ADDRESS]: 2, [await rpc<string>('ALPHA', 'getnewaddress')]: 1 };
		const funded = await rpc<{ hex: string }>(
			...(['ALPHA', 'fundrawtransaction'] as const),
			await rpc<string>('ALPHA', 'createrawtransaction', [], to)
		);
		const { hex } = await rpc<{ hex: string }>('ALPHA', 'signrawtransaction', funded.hex);
		await ada.rpc('ALPHA', JSON.stringify({ method: 'sendrawtransaction', params: [hex] }));
		const [asked] = await waitingFor(ben);
		const outputs = await outputsOf(asked!.id);
		expect(outputs.map(({ address, meaning }) => [address === UNKNOWN_ADDRESS, meaning])).toEqual(
			outputs.map(({ address }) =>
				address === UNKNOWN_ADDRESS ? [true, 'P2PKH'] : [false, 'Change, back to this wallet']
			)
		);
		expect(outputs).toHaveLength(3);
		await reject(ben, asked!.id);
	});

	test('holds the creation of a token back', () =>
		waits({
			chain: 'ALPHA',
			kind: 'token-create',
			by: () => ada,
			review: () =>
				led(ada, '/chains/ALPHA/tokens/new', {
					kind: 'fungible',
					name: 'PIER',
					supply: '100',
					decimals: '',
					description: '',
					data: '',
					draft: '',
					do: ''
				})
		}));

	test('holds the transfer of a token back', async () => {
		const token = await newToken();
		await waits({
			chain: 'ALPHA',
			kind: 'token-transfer',
			by: () => ada,
			review: () =>
				led(ada, `/chains/ALPHA/token/${token}/transfer`, { recipient: key, amount: '10' })
		});
	});

	test('holds the burn of a token back', async () => {
		const token = await newToken();
		await waits({
			chain: 'ALPHA',
			kind: 'token-burn',
			by: () => ada,
			review: () =>
				led(ada, `/chains/ALPHA/token/${token}/burn`, { amount: '10', confirmation: 'BERTH' })
		});
	});

	test('holds a self-import back, and says of its second part what it waits for', async () => {
		const address = await rpc<string>('ALPHA', 'getnewaddress');
		const review = () => led(ada, '/chains/SELF/self-import', { address, amount: '1.15' });
		await waits({ chain: 'SELF', kind: 'self-import', by: () => ada, review });
		const page = await review();
		await led(ada, `${page}?/send`, {});
		expect(await text(ada, page)).toContain(selfImportPage.sourceAwaits);
		expect((await ada.page(page))['parts']).toMatchObject([
			{ step: 'source', state: 'needs-approval' },
			{ step: 'import', state: 'needs-approval' }
		]);
		await led(ada, `${page}?/discard`, {});
	});

	test('offers a self-import to a member who approves it without its wallet neither to send nor to discard', async () => {
		const outside = await product.member('operator', ['ALPHA']);
		await product.rule({
			kind: 'self-import',
			effect: { is: 'approve', needed: 1, members: [outside.account.id], roles: [] }
		});
		const address = await rpc<string>('ALPHA', 'getnewaddress');
		const page = await led(ada, '/chains/SELF/self-import', { address, amount: '1.15' });
		await led(ada, `${page}?/send`, {});
		const offered = async (member: Member): Promise<string[]> =>
			[...(await member.text(page)).text.matchAll(/action="\?\/(send|discard)"/g)].map(
				([, action]) => action!
			);
		expect(await offered(ada)).toEqual(['discard']);
		expect(await offered(outside)).toEqual([]);
		await approve(outside, (await waitingFor(outside))[0]!.id);
		expect(await offered(ada)).toEqual(['send', 'discard']);
		expect(await offered(outside)).toEqual([]);
		expect(await text(outside, page)).toContain('access to the SELF wallet');
		await led(ada, `${page}?/discard`, {});
	});

	test('gives the approvals of a payment back that reached no daemon, and lets it out on them later', async () => {
		await asks('coin-send');
		const page = await led(ada, '/wallets/ALPHA/send', { recipient: UNKNOWN_ADDRESS, amount: '2' });
		await led(ada, `${page}?/send`, {});
		const [asked] = await waitingFor(ben);
		await approve(ben, asked!.id);
		await product.net.control.fault('ALPHA', 'work-queue-full', { method: 'sendrawtransaction' });
		const failed = await ada.submit(`${page}?/send`, {});
		await product.net.control.fault('ALPHA', 'none');
		expect(failed).toMatchObject({ kind: 'refused' });
		expect(await mempool('ALPHA')).toEqual([]);
		expect(await text(ada, page)).toContain(`/approvals/${asked!.id}`);
		expect(await ben.page(`/approvals/${asked!.id}`)).toMatchObject({
			state: 'approved',
			standing: { missing: 0 }
		});
		expect(await waitingFor(ben)).toEqual([]);
		await led(ada, `${page}?/send`, {});
		expect(await mempool('ALPHA')).toHaveLength(1);
		expect(await waitingFor(ben)).toEqual([]);
	});

	test('holds each transfer of a batch back, and sends what was approved by itself', async () => {
		const token = await newToken();
		await asks('token-transfer');
		const other = product.net.chains.get('KMD')!.pubkey;
		const batch = await led(ada, `/chains/ALPHA/token/${token}/batch-transfer?/review`, [
			...([
				['recipient', key],
				['amount', '3'],
				['recipient', other],
				['amount', '4']
			] as const)
		]);
		const ahead = await text(ada, batch);
		expect(ahead).toContain(batchPage.foreseen.text(1, 1, 2, 2));
		for (const row of [1, 2]) expect(ahead).not.toContain(batchPage.foreseen.refused(row));
		await led(ada, `${batch}?/confirm`, {});
		const next = async () => {
			await expect.poll(() => waitingFor(ben), ROUNDS).toHaveLength(1);
			return (await waitingFor(ben))[0]!.id;
		};
		const first = await next();
		await expect
			.poll(() => text(ada, batch), ROUNDS)
			.toContain(problems.text({ code: 'transaction.needs-approval', params: {} }));
		expect(await text(ada, batch)).toContain(`/approvals/${first}`);
		expect(await mempool('ALPHA')).toEqual([]);
		await approve(ben, first);
		await expect.poll(() => mempool('ALPHA'), ROUNDS).toHaveLength(1);
		const [txid] = await mempool('ALPHA');
		await product.net.control.mine('ALPHA');
		const second = await next();
		expect(second).not.toBe(first);
		const held = await locked('ALPHA');
		await reject(ben, second);
		await expect.poll(() => text(ada, batch), ROUNDS).toContain(REJECTED);
		expect(await locked('ALPHA')).toBeLessThan(held);
		expect(await sentOf(txid!)).toBe(1);
		expect(await mempool('ALPHA')).toEqual([]);
		const units = async (pubkey: string): Promise<number> =>
			(await rpc<{ balance: number }>('ALPHA', 'tokenbalance', token, pubkey)).balance;
		expect(await units(other)).toBe(0);
		expect(await units(key)).not.toBe(0);
	});

	test('says of a batch beforehand which transfers would be refused, after those before them', async () => {
		const token = await newToken();
		const window = { hours: 24, total: 10n, count: null };
		await product.rule({
			kind: 'token-transfer',
			asset: { is: 'token', chain: 'ALPHA', tokenid: token },
			window
		});
		const rows = [3, 4, 5].flatMap((amount) => [
			['recipient', key] as const,
			['amount', String(amount)] as const
		]);
		const batch = await led(ada, `/chains/ALPHA/token/${token}/batch-transfer?/review`, rows);
		const shown = await text(ada, batch);
		expect(shown).toContain(batchPage.foreseen.refused(3));
		expect(shown).toContain(new AppError('policy.denied', { rule: 1 }).message);
		expect(shown).not.toContain(batchPage.foreseen.title);
		await led(ada, `${batch}?/discard`, {});
	});

	test('holds a migration back, which goes on by itself after the approval', async () => {
		const address = await rpc<string>('BETA', 'getnewaddress');
		const draft = (): Promise<string> => drafted(ada, address, '1.5');
		await asks('migration');
		const page = await draft();
		const ahead = await text(ada, page);
		const asksFirst = sentTransaction.approval.aheadNext(migrationPage.buttons.confirm);
		expect(ahead).toContain(AHEAD);
		expect(ahead).toContain(asksFirst);
		expect(await waitingFor(ben)).toEqual([]);
		await led(ada, `${page}?/confirm`, {});
		expect(await text(ada, page)).toContain('Awaiting approval');
		expect(await text(ada, page)).not.toContain(asksFirst);
		const [asked] = await waitingFor(ben);
		expect(asked).toMatchObject({ kind: 'migration' });
		expect(await mempool('ALPHA')).toEqual([]);
		await approve(ben, asked!.id);
		await expect.poll(() => mempool('ALPHA'), ROUNDS).toHaveLength(1);
		await product.net.control.mine('ALPHA');

		const refused = await draft();
		await led(ada, `${refused}?/confirm`, {});
		const [again] = await waitingFor(ben);
		const held = await locked('ALPHA');
		await reject(ben, again!.id);
		expect(await text(ada, refused)).toContain(
			'The burn was not approved, so Komodeck did not send it.'
		);
		await led(ada, `${refused}?/discard`, {});
		expect(await locked('ALPHA')).toBeLessThan(held);
		expect(await mempool('ALPHA')).toEqual([]);
	});

	test('holds back that a member takes over the burn of another one, and goes on by itself after the approval', async () => {
		await product.rule({ kind: 'activation' });
		const olga = await product.member('operator');
		const address = await rpc<string>('BETA', 'getnewaddress');
		const page = await drafted(olga, address, '1.5');
		await product.net.control.fault('ALPHA', 'work-queue-full', { method: 'sendrawtransaction' });
		await led(olga, `${page}?/confirm`, {});
		const wallets = createWallets(database.db, product.auth.audit);
		await wallets.set(null, olga.account.id, { every: false, daemons: ['BETA'] });
		await expect.poll(() => text(ada, page), ROUNDS).toContain('action="?/retry"');
		// Not before: a step that was allowed to send would still be on its way.
		await product.net.control.fault('ALPHA', 'none');
		await asks('migration');
		await led(ada, `${page}?/retry`, {});
		const [asked] = await waitingFor(ben);
		expect(await text(ada, page)).toContain(`/approvals/${asked!.id}`);
		expect(await text(ben, `/approvals/${asked!.id}`)).toContain(page);
		expect(await mempool('ALPHA')).toEqual([]);
		await approve(ben, asked!.id);
		await expect.poll(() => mempool('ALPHA'), ROUNDS).toHaveLength(1);
		await product.net.control.mine('ALPHA');
	});

	test('says of a payment whose review a backup brought back why it is not sent again, and what to do', async () => {
		await asks('coin-send');
		const page = await led(ada, '/wallets/ALPHA/send', { recipient: UNKNOWN_ADDRESS, amount: '2' });
		await doubtRestored(database.db, Date.now());
		const again = 'action="?/send"';
		const held = await text(ada, page);
		expect(held).toContain('Send status unknown');
		expect(held).toContain('Rule 1 of the policies asks one other member to approve this.');
		expect(held).toContain('Approvals cannot be requested for bytes that may have been sent.');
		expect(held).not.toContain('Sending the same bytes again is safe');
		expect(held).not.toContain(again);
		await product.rule({ kind: 'activation' });
		const free = await text(ada, page);
		expect(free).toContain('Sending the same bytes again is safe');
		expect(free).toContain(again);
		// Who has sent it once may send it again, whatever a later rule says.
		await product.net.control.fault('ALPHA', 'drop', {
			method: 'sendrawtransaction',
			phase: 'before'
		});
		await led(ada, `${page}?/send`, {});
		await asks('coin-send');
		expect(await text(ada, page)).toContain(again);
		expect(await text(await product.member('operator'), page)).not.toContain(again);
		await product.net.control.fault('ALPHA', 'none');
		await led(ada, `${page}?/send`, {});
		await expect.poll(() => mempool('ALPHA'), ROUNDS).toHaveLength(1);
		await product.net.control.mine('ALPHA');
	});

	test('says of a draft whom its burn may not pay, to those alone who could send it', async () => {
		const address = await rpc<string>('BETA', 'getnewaddress');
		await product.rule({ kind: 'activation' });
		const page = await drafted(ada, address, '1.5');
		const ahead = 'Sending would be refused now';
		expect(await text(ada, page)).not.toContain(ahead);
		const rule = { kind: 'migration', effect: { is: 'deny' } } as const;
		const listed = (one: string): RuleBody['recipient'] => ({
			is: 'listed',
			listed: [{ address: one, label: null }]
		});
		// Only the payouts name the recipient of the import.
		await product.rule({ ...rule, recipient: listed(UNKNOWN_ADDRESS) });
		expect(await text(ada, page)).not.toContain(ahead);
		await product.rule({ ...rule, recipient: listed(address) });
		expect(await text(ada, page)).toContain(ahead);
		expect(await text(ben, page)).not.toContain(ahead);
		await led(ada, `${page}?/discard`, {});
		expect(await text(ada, page)).not.toContain(ahead);
	});

	test('leaves a draft to its creator after its daemon was renamed', async () => {
		await asks('migration');
		const olga = await product.member('operator', ['ALPHA']);
		const page = await drafted(olga, await rpc<string>('BETA', 'getnewaddress'), '1.5');
		/** Stores a draft that a daemon of another name built. */
		const renamed = (more: { pubkey?: null } = {}) =>
			database.db
				.updateTable('migrations')
				.set({ source_daemon: 'ALPHA:treasury', ...more })
				.where('id', '=', page.split('/').at(-1)!)
				.execute();
		await renamed();
		await expect
			.poll(() => olga.page(page), ROUNDS)
			.toMatchObject({ foreign: null, foreseen: { is: 'approval' } });
		expect(await olga.submit(`${page}?/confirm`, {})).toMatchObject({
			kind: 'refused',
			status: 409
		});
		expect(await olga.page(page)).toMatchObject({ wallet: 'ALPHA', foreign: null });

		const wallets = createWallets(database.db, product.auth.audit);
		await wallets.set(null, olga.account.id, { every: false, daemons: ['BETA'] });
		await expect.poll(() => text(olga, page), ROUNDS).not.toContain('action="?/confirm"');
		expect(await text(olga, page)).toContain('action="?/discard"');
		const bea = await product.member('operator', ['BETA']);
		expect(await text(bea, page)).not.toContain('action="?/discard"');
		// Without a daemon of its wallet there is nothing to measure the burn with.
		await renamed({ pubkey: null });
		expect(await ada.page(page)).toMatchObject({ foreign: null, foreseen: null });
		await led(olga, `${page}?/discard`, {});
	});

	/** A confirmed and published burn on ALPHA for BETA. */
	async function publishedBurn(): Promise<string> {
		await product.rule({ kind: 'activation' });
		const address = await rpc<string>('BETA', 'getnewaddress');
		const page = await drafted(ada, address, '1.25');
		await led(ada, `${page}?/confirm`, {});
		await expect.poll(() => mempool('ALPHA'), ROUNDS).toHaveLength(1);
		const [txid] = await mempool('ALPHA');
		await product.net.control.mine('ALPHA');
		await expect
			.poll(async () => {
				await ada.submit(`${page}?/publish`, {});
				return text(ada, `/notary-approvals/${txid}`);
			}, ROUNDS)
			.toContain(publishedBurnPage.progress(0, 5));
		return txid!;
	}

	test('holds the approval of a notary back', async () => {
		const burn = await publishedBurn();
		const other = await publishedBurn();
		const burns = [burn, other, other];
		await product.net.control.mine('BETA');
		await waits({
			chain: 'BETA',
			kind: 'notary-approval',
			by: () => nora,
			review: () =>
				led(nora, `/notary-approvals/${burns.shift()}/approve?/build`, { daemon: 'BETA:notary-1' })
		});
	});

	test('lets neither an operator nor an API token of that role send the approval of a notary', async () => {
		const burn = await publishedBurn();
		await product.net.control.mine('BETA');
		const form = `/notary-approvals/${burn}/approve?/build`;
		const page = await led(nora, form, { daemon: 'BETA:notary-1' });
		const operator = await product.member('operator');
		const admin = await product.member('admin');
		const { token } = await product.auth.tokens.create(
			{
				account: admin.account,
				name: 'for approvals',
				role: 'operator'
			},
			admin.account
		);
		const { foreign } = await operator.page(page);
		expect(foreign).toBe('Only a notary operator sends an approval.');
		expect(await operator.submit(`${page}?/send`, {})).toMatchObject({
			kind: 'refused',
			status: 403
		});
		const answer = await fetch(`${product.url}${page}?/send`, {
			method: 'POST',
			headers: { authorization: `Bearer ${token}`, accept: 'text/html' },
			body: new URLSearchParams({})
		});
		expect(answer.status).toBe(403);
		expect(await answer.text()).toContain('Only a notary operator sends an approval.');
		expect(await mempool('BETA')).toEqual([]);
		await led(nora, `${page}?/send`, {});
		expect(await mempool('BETA')).toHaveLength(1);
		await product.net.control.mine('BETA');
	});

	/** Signed bytes that pay a stranger, as from another wallet program. */
	async function signedElsewhere(): Promise<{ hex: string; txid: string }> {
		const unsigned = await rpc<string>('ALPHA', 'createrawtransaction', [], {
			[UNKNOWN_ADDRESS]: 3
		});
		const { hex: funded } = await rpc<{ hex: string }>('ALPHA', 'fundrawtransaction', unsigned);
		const { hex } = await rpc<{ hex: string }>('ALPHA', 'signrawtransaction', funded);
		return { hex, txid: txidOf(parseTransaction(hex)) };
	}

	/** A way to submit bytes; returns the text that is shown. */
	type Way = (hex: string) => Promise<string>;

	async function waitsAsBytes(way: Way): Promise<void> {
		await asks('call');
		const { hex, txid } = await signedElsewhere();
		const shown = await way(hex);
		const [asked] = await waitingFor(ben);
		expect(shown).toContain(`/approvals/${asked!.id}`);
		await way(hex);
		expect(await waitingFor(ben)).toHaveLength(1);
		expect(await mempool('ALPHA')).toEqual([]);
		await approve(ben, asked!.id);
		expect(await way(hex)).toContain(txid);
		expect(await mempool('ALPHA')).toEqual([txid]);
		await product.net.control.mine('ALPHA');

		const refused = await signedElsewhere();
		await way(refused.hex);
		const [again] = await waitingFor(ben);
		await reject(ben, again!.id);
		// A new request is made, and nothing is sent.
		expect(await way(refused.hex)).toMatch(/\/approvals\/[0-9a-f-]{36}/);
		const [third] = await waitingFor(ben);
		expect(third!.id).not.toBe(again!.id);
		expect(await mempool('ALPHA')).toEqual([]);
		await led(ada, `/approvals/${third!.id}?/withdraw`, {});
	}

	const byScript = async (method: string, params: unknown): Promise<string> =>
		(await ada.rpc('ALPHA', JSON.stringify({ id: 1, method, params }))).text;

	async function byConsole(method: string, params: unknown[]): Promise<string> {
		const typed = { daemon: 'ALPHA', way: 'written', written: JSON.stringify(params) };
		const asked = await ada.shown(`/console/${method}`, typed);
		const [, confirmed = ''] = /name="confirmed" value="([^"]+)"/.exec(asked) ?? [];
		return ada.shown(`/console/${method}`, { ...typed, confirmed });
	}

	test('holds bytes back that a script sends by the RPC API', () =>
		waitsAsBytes((hex) => byScript('sendrawtransaction', [hex])));

	test('holds bytes back that a member sends by the console', () =>
		waitsAsBytes((hex) => byConsole('sendrawtransaction', [hex])));

	test('asks for the approval of what a script has signed, and gives it the signed bytes afterwards', async () => {
		await asks('coin-send');
		const unsigned = await rpc<string>('ALPHA', 'createrawtransaction', [], {
			[UNKNOWN_ADDRESS]: 1
		});
		const { hex } = await rpc<{ hex: string }>('ALPHA', 'fundrawtransaction', unsigned);
		const sign = () => byScript('signrawtransaction', [hex]);
		const [, request = ''] = /\/approvals\/([0-9a-f-]{36})/.exec(await sign()) ?? [];
		await approve(ben, request);
		expect(await sign()).toContain('"complete":true');
	});

	test('asks no one to approve what each call builds anew, and names the pages that ask', async () => {
		const method = 'migrate_createburntransaction';
		for (const [kind, call, params] of [
			['token-create', 'tokencreate', ['QUAY', '0.00001', 'quays']],
			['migration', method, ['BETA', await rpc<string>('BETA', 'getnewaddress'), '1']]
		] as const) {
			await asks(kind);
			for (const way of [byScript, byConsole]) {
				const told = await way(call, [...params]);
				expect(told).toContain(new AppError('policy.built-anew', { rule: 1, needed: 1 }).message);
			}
		}
		expect(await waitingFor(ben)).toEqual([]);
	});

	test('refuses calls without bytes that others could approve, and lets reading pass', async () => {
		await asks('call');
		const said = new AppError('policy.not-approvable', { rule: 1 }).message;
		for (const call of [byScript, byConsole]) {
			expect(await call('getnewaddress', [])).toContain(said);
			expect(await call('sendtoaddress', [UNKNOWN_ADDRESS, 1])).toContain(said);
		}
		expect(await byScript('getinfo', [])).toContain('"error":null');
		expect(await waitingFor(ben)).toEqual([]);
		expect(await mempool('ALPHA')).toEqual([]);
	});

	test('takes what went out unmeasured for all that its window lets out', async () => {
		const { db } = database;
		await db.deleteFrom('policy_uses').execute();
		await product.rule({ kind: 'sign' });
		const unmeasured = { id: 1, method: 'sendtoaddress', params: [UNKNOWN_ADDRESS, '1e12'] };
		await ada.rpc('ALPHA', JSON.stringify(unmeasured));
		expect(await db.selectFrom('policy_uses').select('amount').execute()).toContainEqual({
			amount: -1n
		});
		const window = { hours: 1, total: 10n ** 15n, count: null };
		await asks('coin-send', { asset: { is: 'coin', chain: 'ALPHA' }, window });
		const typed = { recipient: UNKNOWN_ADDRESS, amount: '1' };
		const page = await led(ada, '/wallets/ALPHA/send', typed);
		expect(await text(ada, page)).toContain(AHEAD);
		await led(ada, `${page}?/discard`, {});
		await db.deleteFrom('policy_uses').execute();
	});

	test('lets an entry of the key-value store take no more of its window than the entry costs', async () => {
		const { db } = database;
		await db.deleteFrom('policy_uses').execute();
		await product.rule({ kind: 'sign' });
		const entry = { id: 1, method: 'kvupdate', params: ['key', 'value', '1'] };
		await ada.rpc('ALPHA', JSON.stringify(entry));
		const uses = db.selectFrom('policy_uses').select(['kind', 'amount']);
		expect(await uses.where('kind', '=', 'coin-send').execute()).toEqual([
			{ kind: 'coin-send', amount: 110_000n }
		]);
		const window = { hours: 1, total: 200_000_000n, count: null };
		await asks('coin-send', { asset: { is: 'coin', chain: 'ALPHA' }, window });
		const typed = { recipient: UNKNOWN_ADDRESS, amount: '1' };
		const page = await led(ada, '/wallets/ALPHA/send', typed);
		expect(await text(ada, page)).not.toContain(AHEAD);
		await led(ada, `${page}?/discard`, {});
		await db.deleteFrom('policy_uses').execute();
	});

	test('refuses activations and signatures, by pages and scripts alike, and is not accepted for them', async () => {
		const node = (method: string, params: unknown) =>
			ada.rpc(TRADING_NODE, JSON.stringify({ mmrpc: '2.0', id: 1, method, params }));
		const active = async () => (await node('get_enabled_coins', {})).text;
		const before = await active();
		await asks('activation');
		const said = 'Rule 1 of the policies asks for an approval';
		const { initial } = (await ada.page('/kdf/KMD')) as {
			initial: Record<string, string | string[]>;
		};
		const filledIn = Object.fromEntries(
			Object.entries(initial).map(([name, value]) => [name, [value].flat()[0] ?? ''])
		);
		expect(await ada.shown('/kdf/KMD?/activate', filledIn)).toContain(said);
		expect(await ada.shown('/kdf?/device', {})).toContain(said);
		const activation = {
			ticker: 'KMD',
			activation_params: { mode: { rpc: 'Electrum', rpc_data: { servers: [] } } }
		};
		expect((await node('task::enable_utxo::init', activation)).text).toContain('Rule 1');
		expect(await active()).toBe(before);
		await product.rule({ kind: 'activation', effect: { is: 'deny' } });
		expect(await ada.shown('/kdf/KMD?/activate', filledIn)).toContain(
			'Rule 1 of the policies denies this'
		);
		await asks('sign');
		const address = await rpc<string>('ALPHA', 'getnewaddress');
		for (const call of [byScript, byConsole]) {
			expect(await call('signmessage', [address, 'm'])).toContain(said);
		}
		expect(await waitingFor(ben)).toEqual([]);
		for (const kind of ['activation', 'sign']) {
			const typed = { kind, who: 'anyone', wallet: 'any', asset: 'any', recipient: 'anyone' };
			const fields = { ...typed, effect: 'approve', needed: '1', members: ben.account.id };
			const form = await ada.shown('/admin/policies?/add', fields);
			expect(form).toContain(POLICIES.faults.noBytes);
		}
	});

	test('is listed with what a later release asks for, which this one has no word for', async () => {
		const { db } = database;
		const asked = {
			account: ada.account.id,
			author: ada.account.name,
			open_key: null,
			created_at: Date.now(),
			expires_at: Date.now() + 3_600_000,
			state: 'open' as const
		};
		const moves = { kind: 'vault', chain: 'ALPHA', tokenid: null, parts: [], rest: '0' };
		const unheard = [moves, { ...moves, parts: [{ recipient: { is: 'vault' }, amount: null }] }];
		const terms = [
			{ rule: 'r', revision: 1, place: 1, needed: 1, members: [ben.account.id], roles: [] }
		];
		for (const [n, facts] of unheard.entries()) {
			await db
				.insertInto('approval_requests')
				.values({
					...asked,
					id: `later-${n}`,
					kind: 'bytes',
					subject: null,
					token: null,
					wallet: 'ALPHA',
					chain: 'ALPHA',
					hex: '',
					hash: '',
					payouts: null,
					facts: JSON.stringify([facts]),
					terms: JSON.stringify(terms)
				})
				.execute();
		}
		await db
			.insertInto('change_proposals')
			.values({
				...asked,
				id: 'later',
				code: 'vault.open' as never,
				params: '{}',
				facts: '{}',
				base: '',
				needed: 1
			})
			.execute();
		const words = 'Known to another release only';
		expect(await text(ben, '/approvals')).toContain(words);
		expect(await text(ben, '/approvals/later-1')).toContain(words);
		expect(await text(ada, '/approvals?show=own')).toContain(words);
		await db.deleteFrom('approval_requests').where('id', 'like', 'later-%').execute();
		await db.deleteFrom('change_proposals').where('id', '=', 'later').execute();
	});

	test('counts no activation that could not be begun', async () => {
		const window = { hours: 24, total: null, count: 1 };
		const ended = await led(ada, '/kdf?/device', {});
		await ada.shown(`${ended}?/cancel`, {});
		await expect.poll(() => text(ada, ended)).toContain('/repeat');
		await product.rule({ kind: 'activation', effect: { is: 'deny' }, window });
		await database.db.deleteFrom('policy_uses').execute();
		const isPostgres = database.dialect === 'PostgreSQL';
		for (const statement of isPostgres
			? [
					`create function away() returns trigger language plpgsql as $$ begin raise 'away'; end $$`,
					'create trigger away before insert on activations execute function away()'
				]
			: [`create trigger away before insert on activations begin select raise(abort, 'away'); end`])
			await sql.raw(statement).execute(database.db);
		const { initial } = (await ada.page('/kdf/KMD')) as {
			initial: Record<string, string | string[]>;
		};
		const filledIn = Object.fromEntries(
			Object.entries(initial).map(([name, value]) => [name, [value].flat()[0] ?? ''])
		);
		try {
			for (const [form, fields] of [
				['/kdf?/device', {}],
				['/kdf/KMD?/activate', filledIn],
				[`${ended}?/repeat`, {}]
			] as const) {
				await expect(ada.submit(form, fields)).rejects.toThrow('500');
			}
		} finally {
			await sql.raw(`drop trigger away${isPostgres ? ' on activations' : ''}`).execute(database.db);
		}
		const begun = await led(ada, '/kdf?/device', {});
		await ada.shown(`${begun}?/cancel`, {});
		// Until it has ended, the next attempt joins it.
		await expect.poll(() => text(ada, begun)).toContain('/repeat');
	});

	test('counts an activation that was joined for whoever began it alone', async () => {
		const window = { hours: 24, total: null, count: 3 };
		await product.rule({ kind: 'activation', effect: { is: 'deny' }, window });
		const joined: string[] = [];
		for (let asked = 0; asked < 4; asked += 1) joined.push(await led(ada, '/kdf?/device', {}));
		expect(new Set(joined).size).toBe(1);
		await ada.shown(`${joined[0]!}?/cancel`, {});
	});

	test('says on the page who may end an activation to a member who may not', async () => {
		await product.rule({ kind: 'sign', effect: { is: 'deny' } });
		await product.net.control.kdfTasks({ hold: true });
		const task = await led(ada, '/kdf?/device', {});
		try {
			const oscar = await product.member('operator', []);
			const said = new AppError('wallet.activation-of-another', { holder: ada.account.name })
				.message;
			const refused = await oscar.submit(`${task}?/cancel`, {});
			expect(refused).toMatchObject({ kind: 'refused', status: 403 });
			expect((refused as { shown: string }).shown).toContain(said);
			expect(await oscar.shown(`${task}?/cancel`, {})).toContain(said);
		} finally {
			await ada.shown(`${task}?/cancel`, {});
			await product.net.control.kdfTasks({ hold: false });
		}
	});

	test('is not set with amounts of a token by decimals that its form did not show', async () => {
		const tokenid = await newToken();
		await led(ada, `/chains/ALPHA/token/${tokenid}/decimals`, { decimals: '2' });
		const typed = {
			kind: 'token-transfer',
			who: 'anyone',
			wallet: 'any',
			recipient: 'anyone',
			asset: 'token:ALPHA',
			tokenid,
			effect: 'deny'
		};
		const rules = async (): Promise<number> =>
			((await ada.page('/admin/policies')) as { rules: unknown[] }).rules.length;
		const before = await rules();
		const asked = await ada.shown('/admin/policies?/add', { ...typed, over: '500' });
		expect(asked).toContain(POLICIES.faults.decimals(2));
		expect(asked).toMatch(/name="shown.decimals" value="2"/);
		expect(asked).toContain('value="500"');
		expect(await rules()).toBe(before);
		const shown = { 'shown.tokenid': tokenid, 'shown.decimals': '2' };
		const added = await ada.shown('/admin/policies?/add', { ...typed, over: '5', ...shown });
		expect(added).toContain('more than 5 of it');
		expect(await rules()).toBe(before + 1);

		// Decimals that were shown for another token do not apply to this one.
		const other = { 'shown.tokenid': 'ab'.repeat(32), 'shown.decimals': '2' };
		const again = await ada.shown('/admin/policies?/add', { ...typed, over: '5', ...other });
		expect(again).toContain(POLICIES.faults.decimals(2));
		expect(await rules()).toBe(before + 1);
	});

	test('lets no form send for an API token while a rule is about API tokens', async () => {
		await product.rule({ who: { is: 'any-token' } });
		const id = crypto.randomUUID();
		const token = 'ab'.repeat(32);
		for (const form of [
			`/transactions/${id}?/send`,
			`/migrations/${id}?/confirm`,
			`/migrations/${id}?/retry`,
			'/migrations?/retryAll',
			`/chains/ALPHA/token/${token}/batch-transfer/${id}?/confirm`,
			`/chains/SELF/self-import/${id}?/send`,
			`/notary-approvals/queue/${id}?/send`,
			'/kdf/KMD?/activate',
			'/kdf?/device',
			`/kdf/tasks/${id}?/repeat`
		]) {
			const { status, text } = await ada.byToken(form);
			expect(status, form).toBe(403);
			expect(text, form).toContain(POLICIES.tokenForms);
		}
	});

	test('lets an API token stop and discard a batch while a rule is about API tokens', async () => {
		const token = await newToken();
		// Of two transfers, so that it still runs after it was allowed the first.
		const review = () =>
			led(ada, `/chains/ALPHA/token/${token}/batch-transfer?/review`, [
				['recipient', key],
				['amount', '3'],
				['recipient', product.net.chains.get('KMD')!.pubkey],
				['amount', '4']
			]);
		await asks('token-transfer');
		const [running, reviewed] = [await review(), await review()];
		await led(ada, `${running}?/confirm`, {});
		await product.rule({ who: { is: 'any-token' } });
		for (const [page, act] of [
			[running, 'stop'],
			[reviewed, 'discard']
		] as const) {
			expect((await ada.byToken(`${page}?/${act}`)).status, act).toBe(200);
		}
		const stateOf = async (page: string) =>
			((await ada.page(page)) as { batchTransfer: { state: string } }).batchTransfer.state;
		expect(await stateOf(running)).toBe('stopped');
		expect(await stateOf(reviewed)).toBe('discarded');
		expect((await ada.byToken(`${running}?/goOn`)).status).toBe(403);
		expect((await ada.byToken(`${running}?/retry`)).status).toBe(403);
	});

	interface QueuedApproval {
		daemon: string;
		mark: { word: string };
		isReady: boolean;
		problem: string | null;
		request: string | null;
		send: ({ id: string; txid: string } & Reviewed) | null;
	}

	test('holds back what a queue of notary approvals sends, wallet by wallet', async () => {
		const burn = await publishedBurn();
		await asks('notary-approval');
		const page = await led(nora, '/notary-approvals/queue', { burn });
		const items = async (): Promise<QueuedApproval[]> =>
			((await nora.page(page)) as { burns: { approvals: QueuedApproval[] }[] }).burns.flatMap(
				({ approvals }) => approvals
			);
		const ready = async () => (await items()).filter(({ isReady }) => isReady);
		await expect.poll(ready, ROUNDS).toHaveLength(5);
		expect((await text(nora, page)).split(AHEAD)).toHaveLength(1 + 5);
		const sends = (await ready()).map(({ send }) => ['send', send!.id] as const);
		await led(nora, `${page}?/send`, sends);
		await expect.poll(() => waitingFor(ben), ROUNDS).toHaveLength(5);
		expect(await text(nora, page)).toContain(approvalQueuePage.awaiting(5));
		expect((await items()).map(({ mark }) => mark.word)).toEqual(
			Array(5).fill('Awaiting approval')
		);
		expect(await mempool('BETA')).toEqual([]);

		const [first, second, ...others] = await items();
		await approve(ben, first!.request!);
		await expect.poll(() => mempool('BETA'), ROUNDS).toEqual([first!.send!.txid]);
		await reject(ben, second!.request!);
		const problemOf = async (daemon: string) =>
			(await items()).find((item) => item.daemon === daemon)!.problem;
		await expect.poll(() => problemOf(second!.daemon), ROUNDS).toContain(REJECTED);
		// The rounds that handled these two changed nothing about unapproved ones.
		expect(await waitingFor(ben)).toHaveLength(3);
		expect(await mempool('BETA')).toEqual([first!.send!.txid]);
		await led(nora, `${page}?/discard`, {});
		for (const { daemon } of others) {
			expect(await problemOf(daemon)).toBe(
				queueProblems.text({ code: 'approval.discarded', params: {} })
			);
		}
		expect(await waitingFor(ben)).toEqual([]);
		expect(await mempool('BETA')).toEqual([first!.send!.txid]);
		expect(await sentOf(first!.send!.txid)).toBe(1);
		await product.net.control.mine('BETA');
		await expect.poll(() => text(nora, page), ROUNDS).toContain(approvalQueuePage.done(1));
		// Rejected and discarded sends can be built again, from the same UTXOs.
		await led(nora, `${page}?/again`, {});
		await expect.poll(ready, ROUNDS).toHaveLength(4);
		for (const { daemon, send } of await ready()) {
			const before = [second!, ...others].find((item) => item.daemon === daemon);
			const inputs = utxosOf(before!.send!);
			expect(utxosOf(send!).some((utxo) => inputs.includes(utxo))).toBe(true);
		}
		await led(nora, `${page}?/discard`, {});
	});
});
