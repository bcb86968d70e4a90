/**
 * A database that becomes unavailable after a form has acted: no member is told that it failed, and repeats it.
 */
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import {
	startRuledProduct,
	type Member,
	type RuledProduct
} from '../integration/policies/ruledProduct.ts';
import { databaseErrorMessage } from '#lib/messages/database.ts';
import { ERROR_PAGE, ERROR_TITLES } from '#lib/messages/pages/errors.ts';
import { FAILED_BEHIND } from '#lib/messages/requests.ts';
import { setDisabled } from '#lib/server/access/accounts/accounts.ts';
import { describeOnPostgres, isWaiting, withoutLog } from '../support/database.ts';

const UNKNOWN_ADDRESS = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';
const { safe: DOUBT, next: CHECK } = FAILED_BEHIND;
const { safe: UNPROCESSED } = databaseErrorMessage('gone');
/** Part of every text that denies that a request was processed. */
const DENIAL = 'was not processed';

describeOnPostgres('a form, when the database goes behind what it did', (database) => {
	let product: RuledProduct;
	let member: Member;
	const name = () => new URL(database.options.url!).pathname.slice(1);

	/** Runs statements on the PostgreSQL server, outside the test's database. */
	async function onServer(...statements: string[]): Promise<void> {
		const client = new pg.Client({ connectionString: inject('postgresUrl') });
		await client.connect();
		try {
			for (const statement of statements) await client.query(statement);
		} finally {
			await client.end();
		}
	}

	const goes = (): Promise<void> =>
		onServer(
			`alter database ${name()} allow_connections false`,
			`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name()}'`
		);
	const comesBack = async (): Promise<void> => {
		await onServer(`alter database ${name()} allow_connections true`);
		await vi.waitFor(
			async () => expect(await (await fetch(`${product.url}/readyz`)).text()).toBe('ready\n'),
			{ timeout: 20_000, interval: 100 }
		);
	};

	/** Posts a form like a page without JavaScript, and follows no redirect. */
	const posted = (path: string, fields: Record<string, string>): Promise<Response> =>
		fetch(`${product.url}${path}`, {
			method: 'POST',
			redirect: 'manual',
			headers: { origin: product.url, accept: 'text/html', cookie: member.cookie },
			body: new URLSearchParams(fields)
		});
	const inMempool = () => product.net.rpc<string[]>('ALPHA', 'getrawmempool');

	beforeAll(async () => {
		product = await startRuledProduct(database);
		member = await product.member('operator');
	});
	afterEach(comesBack);
	afterAll(() => product.stop());

	test('says of a payment of the console that it may be made, and does not make it again', async () => {
		const fields = {
			daemon: 'ALPHA',
			way: 'written',
			written: `["${UNKNOWN_ADDRESS}",1]`,
			confirmed: '',
			'idempotency-key': `form-${crypto.randomUUID()}`
		};
		const asked = await (await posted('/console/sendtoaddress', fields)).text();
		const [, confirmed = ''] = /name="confirmed" value="([\w-]{43})"/.exec(asked) ?? [];
		const before = (await inMempool()).length;
		await product.net.control.fault('ALPHA', 'latency', {
			ms: 2_500,
			method: 'sendtoaddress',
			phase: 'after'
		});
		const sending = posted('/console/sendtoaddress', { ...fields, confirmed });
		// The daemon has created it, and delays its response.
		await vi.waitFor(async () => expect(await inMempool()).toHaveLength(before + 1), {
			timeout: 20_000,
			interval: 20
		});
		await goes();
		const answer = await sending;
		const text = await answer.text();
		await product.net.control.fault('ALPHA', 'none');
		expect(answer.status).toBe(503);
		expect(answer.headers.get('retry-after')).toBeNull();
		expect(text).toContain(DOUBT);
		expect(text).toContain(CHECK);
		expect(text).not.toContain(DENIAL);
		expect(text).not.toContain('Try again');

		// The redirect to a page that cannot be shown does not claim that the form failed.
		const headers = { accept: 'text/html', cookie: member.cookie };
		const page = await fetch(`${product.url}/transactions`, { headers });
		const shown = await page.text();
		expect(page.status).toBe(503);
		expect(shown).toContain(databaseErrorMessage('gone', 'page').safe);
		expect(shown).not.toContain(DENIAL);

		await comesBack();
		await (await posted('/console/sendtoaddress', { ...fields, confirmed })).text();
		expect(await inMempool()).toHaveLength(before + 1);
	});

	test('says so of a transaction whose sending could not be written down', async () => {
		const review = await posted('/wallets/ALPHA/send', { recipient: UNKNOWN_ADDRESS, amount: '2' });
		const place = review.headers.get('location') ?? '';
		const before = (await inMempool()).length;
		await sql`create function no_change() returns trigger language plpgsql as $$ begin
			raise exception 'cannot execute UPDATE in a read-only transaction' using errcode = '25006';
			end $$`.execute(database.db);
		await sql`create trigger no_change before update on transactions for each row
			when (new.state in ('broadcast', 'unknown')) execute function no_change()`.execute(database.db);
		const fields = { 'idempotency-key': `form-${crypto.randomUUID()}` };
		const answer = await posted(`${place}?/send`, fields);
		const text = await answer.text();
		await sql`drop function no_change() cascade`.execute(database.db);
		expect(answer.status).toBe(503);
		expect(text).toContain(DOUBT);
		expect(text).toContain(CHECK);
		expect(text).not.toContain(DENIAL);
		expect(await inMempool()).toHaveLength(before + 1);

		// A repeated send finds it and does not send it twice.
		expect((await posted(`${place}?/send`, fields)).status).toBe(303);
		expect(await inMempool()).toHaveLength(before + 1);
	});

	test('ends no session whose end it does not take, so that the next try is on record', async () => {
		const leaving = await product.member('viewer');
		const headers = { origin: product.url, cookie: leaving.cookie };
		const logout = () =>
			fetch(`${product.url}/logout`, { method: 'POST', redirect: 'manual', headers });
		const recorded = async () => {
			const events = await product.auth.audit.list({ actor: leaving.account.name, limit: 9 });
			return events.filter(({ action }) => action === 'sign-out').length;
		};
		const failed = await withoutLog(database.db, logout);
		expect(failed.status).toBe(503);
		expect(await recorded()).toBe(0);
		expect((await logout()).status).toBe(303);
		expect(await recorded()).toBe(1);
	});

	test('of an admin who is disabled while it waits changes nothing, and is answered as a right that is gone', async () => {
		const { account, cookie } = await product.member('admin');
		let answer: Promise<Response> | undefined;
		await database.db.transaction().execute(async (trx) => {
			await product.auth.audit.lock(trx);
			const body = new URLSearchParams({
				section: 'sessions',
				'session-idle-hours': '9',
				'session-days': '9'
			});
			answer = fetch(`${product.url}/admin/security?/save`, {
				method: 'POST',
				headers: { origin: product.url, accept: 'text/html', cookie },
				body
			});
			await isWaiting(database, trx);
			await setDisabled(trx, account.id, true);
			await product.auth.audit.append({ actor: 'a test', action: 'account.disabled' }, trx);
		});
		const said = await answer!;
		expect(said.status).toBe(403);
		const text = await said.text();
		expect(text).toContain('data-code="account.not-admin"');
		expect(text).toContain(ERROR_TITLES[403]);
		expect(text).not.toContain(ERROR_PAGE.failed);
	});

	test('still says of what had not begun that it was not processed', async () => {
		await goes();
		const answer = await posted('/wallets/ALPHA/send', { recipient: UNKNOWN_ADDRESS, amount: '2' });
		const text = await answer.text();
		expect(answer.status).toBe(503);
		expect(text).toContain(UNPROCESSED);
		expect(text).toContain('Try again');
	});
});
