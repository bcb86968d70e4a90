/**
 * Admins' orders for the index: on the product's page, by a command beside the server, and across a restart.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { formatCoins } from '#lib/chain/amount.ts';
import { indexing } from '#lib/messages/pages/indexing.ts';
import { SESSION_COOKIE } from '#lib/server/access/accounts/sessions/sessionCookie.ts';
import type { Role } from '#lib/server/access/identity/roles.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { verb } from '../../../src/cli/verbs/index.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { addPerson, authOver } from '../../support/members.ts';
import { launchProduct, type Product } from '../../support/product.ts';
import { dump } from './support.ts';
import { shared } from '../../support/shared.ts';

const PAGE = '/chains/ALPHA/indexing';

interface ChainRow {
	name: string;
	state: string;
	height: number;
	paused: boolean;
	problem: string | null;
	reorgs: number;
}

describeOnBothDatabases('orders for the index', (database) => {
	const net = shared(() => startDevnet({ manual: true }));
	let product: Product;
	const auth = shared(() => authOver(database));
	const cookies = new Map<Role, string>();

	const launch = (env: Record<string, string> = {}) =>
		launchProduct({
			env: {
				...env,
				KOMODECK_DATA: database.dataDir,
				KOMODO_HOME: net.dir,
				KOMODECK_PUBLIC: '1',
				KOMODECK_REQUESTS: '1000000',
				DATABASE_URL: database.options.url ?? ''
			}
		});
	beforeAll(async () => {
		for (const [role, name] of [
			['admin', 'ada'],
			['operator', 'olga']
		] as const) {
			const { id } = await addPerson(database, role, name);
			const session = await auth.sessions.begin(id, { address: null, userAgent: null });
			cookies.set(role, `${SESSION_COOKIE}=${session}`);
		}
		product = await launch();
	});
	const index = shared(() => openIndex(database.options));
	afterAll(() => product.stop());

	/** Posts a form without JavaScript and returns the resulting page. */
	async function post(action: string, fields: Record<string, string> = {}, role: Role = 'admin') {
		const { url } = product;
		const answer = await fetch(`${url}${PAGE}?/${action}`, {
			method: 'POST',
			headers: { origin: url, accept: 'text/html', cookie: cookies.get(role)! },
			body: new URLSearchParams(fields)
		});
		return { status: answer.status, html: await answer.text() };
	}
	const fetchPage = async (): Promise<string> => {
		const headers = { accept: 'text/html', cookie: cookies.get('admin')! };
		return (await fetch(`${product.url}${PAGE}`, { headers })).text();
	};
	async function chain(name: string): Promise<ChainRow> {
		const answer = await fetch(`${product.url}/api/v1/chains`);
		const { rows } = (await answer.json()) as { rows: ChainRow[] };
		return rows.find((row) => row.name === name)!;
	}
	const reaches = (name: string, height: number) =>
		vi.waitFor(
			async () => expect(await chain(name)).toMatchObject({ state: 'current', height }),
			30_000
		);
	const heightOf = (name: string) => net.rpc<number>(name, 'getblockcount');
	async function command(...args: string[]): Promise<string> {
		let said = '';
		await verb.run(args, {
			env: {
				...process.env,
				KOMODECK_DATA: database.dataDir,
				DATABASE_URL: database.options.url ?? ''
			},
			out: (line) => void (said += `${line}\n`),
			err: (line) => void (said += `${line}\n`),
			readLine: () => Promise.resolve('')
		});
		return said;
	}

	it('pauses by the page, stands over a restart of the server, and resumes by the command line', async () => {
		const before = await heightOf('ALPHA');
		await reaches('ALPHA', before);
		expect((await post('pause', {}, 'operator')).status).toBe(403);
		expect((await chain('ALPHA')).paused).toBe(false);

		expect((await post('pause')).html).toContain(indexing.pause.paused);
		expect((await post('pause')).html).toContain(indexing.pause.wasPaused);
		await product.stop();
		await net.control.mine('ALPHA', 2);
		await net.control.mine('BETA', 1);
		product = await launch();
		// The indexer is running once another chain has its new block.
		await reaches('BETA', await heightOf('BETA'));
		const isPaused = new AppError('indexer.paused', { chain: 'ALPHA' }).message;
		expect(await chain('ALPHA')).toMatchObject({
			height: before,
			state: 'waiting',
			paused: true,
			problem: isPaused
		});
		const seen = await (await fetch(`${product.url}/chains/ALPHA/blocks`)).text();
		expect(seen).toContain(isPaused);
		// Only members see who paused it.
		expect(seen).not.toContain(indexing.pause.pausedBy(''));
		expect(await fetchPage()).toContain(indexing.pause.pausedBy('ada'));

		expect(await command('list')).toMatch(/^ALPHA +paused +\d+/m);
		expect(await command('resume', 'ALPHA')).toBe('ALPHA: indexing is resumed.\n');
		expect(await command('resume', 'ALPHA')).toMatch(/was not paused/);
		await reaches('ALPHA', before + 2);
	});

	it('reads the blocks from a height on again and no other, after a review, and ends as it was', async () => {
		const tip = await heightOf('ALPHA');
		await reaches('ALPHA', tip);
		const whole = await dump(index);
		const from = tip - 3;
		const { id } = await index
			.selectFrom('ix_chains')
			.select('id')
			.where('name', '=', 'ALPHA')
			.executeTakeFirstOrThrow();
		const { reorgs } = await chain('ALPHA');
		/** Changes a block's row in the index, which shows later whether the block was read again. */
		const mark = (height: number) =>
			index
				.updateTable('ix_blocks')
				.set({ size: 1n })
				.where('chain', '=', id)
				.where('height', '=', BigInt(height))
				.execute();
		await mark(from - 1);
		await mark(from);
		await mark(tip);
		const marked = async () =>
			(
				await index
					.selectFrom('ix_blocks')
					.select('height')
					.where('chain', '=', id)
					.where('size', '=', 1n)
					.orderBy('height')
					.execute()
			).map(({ height }) => Number(height));

		for (const [typed, words] of [
			['', 'Enter a block height.'],
			['-1', 'Enter a block height.'],
			[String(tip + 1), 'these blocks of ALPHA are indexed.']
		] as const) {
			for (const action of ['review', 'reindex']) {
				const answer = await post(action, { from: typed });
				expect(answer.status).toBe(400);
				expect(answer.html).toContain(words);
			}
		}
		const review = await post('review', { from: String(from) });
		expect(review.html).toContain(indexing.reindex.reviewTitle(from, tip));
		expect(review.html).toContain(`name="from" value="${from}"`);
		await post('pause');
		expect((await post('reindex', { from: String(from) }, 'operator')).status).toBe(403);
		expect((await post('reindex', { from: String(from) })).html).toContain(
			`Blocks from ${from} on are read again once indexing is resumed.`
		);
		expect(await marked()).toEqual([from - 1, from, tip]);
		// An order for fewer blocks does not replace the earlier one.
		expect(await command('reindex', 'ALPHA', '--from', String(tip))).toBe(
			`ALPHA: blocks from ${tip} on are read again once indexing is resumed.\n`
		);
		await post('resume');
		await vi.waitFor(async () => expect(await marked()).toEqual([from - 1]), 30_000);
		await reaches('ALPHA', tip);
		expect((await chain('ALPHA')).reorgs).toBe(reorgs);
		expect((await fetchPage()).includes('are read again')).toBe(false);

		expect(await command('reindex', 'ALPHA', '--from', String(from - 1))).toBe(
			`ALPHA: blocks from ${from - 1} on are read again.\n`
		);
		await vi.waitFor(async () => expect(await marked()).toEqual([]), 30_000);
		await reaches('ALPHA', tip);
		expect(await dump(index)).toEqual(whole);
		const events = await auth.audit.list({ limit: 20 });
		expect(
			events
				.filter(({ action }) => action.startsWith('index.'))
				.map(({ actor, action, target, detail }) => [actor, action, target, detail['from']])
				.slice(0, 5)
		).toEqual([
			['command line', 'index.reindexed', 'ALPHA', from - 1],
			['ada', 'index.resumed', 'ALPHA', undefined],
			['command line', 'index.reindexed', 'ALPHA', tip],
			['ada', 'index.reindexed', 'ALPHA', from],
			['ada', 'index.paused', 'ALPHA', undefined]
		]);
	});

	it('is no answer for an address before its first block is read: the daemon is asked', async () => {
		const tip = await heightOf('ALPHA');
		await reaches('ALPHA', tip);
		const { address } = await index
			.selectFrom('ix_addresses as a')
			.innerJoin('ix_chains as c', 'c.id', 'a.chain')
			.select('a.address')
			.where('c.name', '=', 'ALPHA')
			.orderBy('a.balance', 'desc')
			.executeTakeFirstOrThrow();
		const shown = async () =>
			(await fetch(`${product.url}/chains/ALPHA/address/${address}`)).text();
		const asked = { addresses: [address] };
		const { balance } = await net.rpc<{ balance: number }>('ALPHA', 'getaddressbalance', asked);
		await product.stop();
		// A daemon that is still reading its own chain: the index starts above its height.
		product = await launch({ KOMODECK_INDEX_FROM: `ALPHA=${tip + 1_000}` });
		await vi.waitFor(
			async () =>
				expect(await chain('ALPHA')).toMatchObject({ state: 'waiting', height: tip + 999 }),
			30_000
		);
		const page = (await shown()).replaceAll(/<[^>]*>|\s/g, '');
		expect(page).toContain(formatCoins(BigInt(balance)));
		expect(await (await fetch(`${product.url}/chains/ALPHA/blocks`)).text()).toContain(
			`/chains/ALPHA/block/${tip}"`
		);
	});
});
