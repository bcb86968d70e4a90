/** Leases that servers with different wall clocks hold over one PostgreSQL database. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { indexLeases } from '#lib/server/chains/indexer/indexer.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { INDEX_LEASE } from '#lib/server/chains/indexer/tables.ts';
import { RowLeases } from '#lib/server/platform/jobs/rows.ts';
import { describeOnPostgres } from '../../support/database.ts';
import { shared } from '../../support/shared.ts';
import { freeLease } from '../indexer/support.ts';

const LEASE_MS = 15_000;
const HOUR = 3_600_000;

describeOnPostgres('a server whose clock is an hour ahead of the others', (database) => {
	const index = shared(() => openIndex(database.options));
	const setAhead = (): void => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR });
	afterEach(async () => {
		vi.useRealTimers();
		await freeLease(index);
	});

	test('takes no work that another one does', async () => {
		const held = await indexLeases(index).take(INDEX_LEASE, LEASE_MS);
		setAhead();
		const ahead = indexLeases(index);
		expect(await ahead.take(INDEX_LEASE, LEASE_MS)).toBeNull();
		expect(await ahead.takeDue(LEASE_MS)).toBeNull();
		const ms = await ahead.untilDue();
		expect(ms).toBeGreaterThan(0);
		expect(ms).toBeLessThanOrEqual(LEASE_MS);
		vi.useRealTimers();
		await indexLeases(index).release(held!);
	});

	test('leaves its work to the others as soon as its lease has ended', async () => {
		setAhead();
		const lease = await indexLeases(index).take(INDEX_LEASE, LEASE_MS);
		expect(await indexLeases(index).renew(lease!, 300)).toBe(true);
		vi.useRealTimers();
		const others = indexLeases(index);
		expect(await others.take(INDEX_LEASE, LEASE_MS)).toBeNull();
		await sleep(400);
		expect(await others.take(INDEX_LEASE, LEASE_MS)).toMatchObject({ id: INDEX_LEASE });
	});

	test('lets the others try again as soon as its pause after a failure has ended', async () => {
		setAhead();
		const ahead = indexLeases(index);
		await ahead.rest((await ahead.take(INDEX_LEASE, LEASE_MS))!, 300);
		vi.useRealTimers();
		await sleep(400);
		expect(await indexLeases(index).takeDue(LEASE_MS)).toMatchObject({ id: INDEX_LEASE });
	});

	test('does its own work when it is due by its own clock, which set the time', async () => {
		setAhead();
		const leases = new RowLeases({ db: database.db, table: 'notice_jobs' });
		await database.db.deleteFrom('notice_jobs').execute();
		const due_at = Date.now() + 1_000;
		await database.db.insertInto('notice_jobs').values({ id: 'soon', due_at }).execute();
		expect(await leases.takeDue(LEASE_MS)).toBeNull();
		expect(await leases.untilDue()).toBeLessThanOrEqual(1_000);
		vi.setSystemTime(due_at);
		expect(await leases.takeDue(LEASE_MS)).toMatchObject({ id: 'soon' });
	});
});
