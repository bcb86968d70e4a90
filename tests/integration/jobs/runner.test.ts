import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { RowLeases, type Lease } from '#lib/server/platform/jobs/rows.ts';
import { Runner, type Held, type RunnerParts } from '#lib/server/platform/jobs/runner.ts';
import { describeOnBothDatabases, type TestDatabase } from '../../support/database.ts';

const LEASE_MS = 15_000;

/** A promise that a test resolves. */
function gate(): { opened: Promise<void>; open(): void } {
	let open = (): void => undefined;
	const opened = new Promise<void>((resolve) => (open = resolve));
	return { opened, open: () => open() };
}

describeOnBothDatabases('the runner of jobs', (database: TestDatabase) => {
	const running: Runner[] = [];
	let now: number;
	beforeAll(async () => {
		await database.db.schema
			.createTable('works')
			.addColumn('id', 'text', (c) => c.primaryKey())
			.addColumn('due_at', 'bigint')
			.addColumn('fencing_token', 'bigint', (c) => c.notNull())
			.addColumn('lease_owner', 'text')
			.addColumn('lease_until', 'bigint')
			.execute();
	});
	beforeEach(() => {
		now = Date.now();
	});
	afterEach(async () => {
		await Promise.all(running.splice(0).map((runner) => runner.stop()));
		await sql`delete from works`.execute(database.db);
	});

	async function put(id: string, due: number | null): Promise<void> {
		await sql`insert into works (id, due_at, fencing_token)
			values (${id}, ${due === null ? null : BigInt(due)}, 0)`.execute(database.db);
	}

	/** The write of a step; it is refused without the lease. */
	async function write({ id, fencingToken }: Lease, due: number | null): Promise<void> {
		const { rows } = await sql`update works set due_at = ${due === null ? null : BigInt(due)}
			where id = ${id} and fencing_token = ${fencingToken} returning id`.execute(database.db);
		if (rows.length === 0) throw new AppError('lease.lost', { id });
	}

	async function rowOf(id: string) {
		const { rows } = await sql<{ lease_owner: string | null; lease_until: bigint | null }>`
			select lease_owner, lease_until from works where id = ${id}`.execute(database.db);
		return rows[0]!;
	}

	const leasesOf = (db = database.db): RowLeases =>
		new RowLeases({ db, table: 'works', clock: () => now });

	function runnerOf(step: RunnerParts['step'], more: Partial<RunnerParts> = {}): Runner {
		const runner = new Runner({
			leases: leasesOf(),
			maxConcurrency: 4,
			leaseMs: LEASE_MS,
			step,
			...more
		});
		running.push(runner);
		return runner;
	}

	test('takes first what has been due the longest, and nothing that is not due', async () => {
		await put('later', now - 1);
		await put('first', now - 3);
		await put('next', now - 2);
		await put('tomorrow', now + 86_400_000);
		await put('ended', null);
		const done: string[] = [];
		const runner = runnerOf(async (held) => {
			done.push(held.id);
			await write(held, null);
		});
		await runner.advanceDue();
		expect(done).toEqual(['first', 'next', 'later']);
		expect(await runner.advance('ended')).toBe('held');
		expect(await runner.advance('tomorrow')).toBe('moved');
	});

	test('looks again when the step said that it is due again', async () => {
		await put('one', now);
		let steps = 0;
		runnerOf(async (held) => {
			steps += 1;
			await write(held, steps < 3 ? now : null);
		}).start();
		await vi.waitFor(() => expect(steps).toBe(3));
	});

	test('two workers never hold the same row', async () => {
		const ids = Array.from({ length: 40 }, (_, n) => `row ${n}`);
		for (const id of ids) await put(id, now - 1);
		const held = new Set<string>();
		const done: string[] = [];
		const step = async (lease: Held): Promise<void> => {
			expect(held.has(lease.id)).toBe(false);
			held.add(lease.id);
			await wait(5);
			await write(lease, null);
			held.delete(lease.id);
			done.push(lease.id);
		};
		const errors: unknown[] = [];
		const onError = (error: unknown): void => void errors.push(error);
		runnerOf(step, { onError }).start();
		runnerOf(step, { leases: leasesOf(await database.openAnother()), onError }).start();
		await vi.waitFor(() => expect(done).toHaveLength(ids.length), { timeout: 10_000 });
		expect([...done].sort()).toEqual([...ids].sort());
		expect(errors).toEqual([]);
	});

	test('a lease that ended lets another take over, and what the first writes late is refused', async () => {
		await put('slow', now);
		const late = gate();
		const first = runnerOf(async (held) => {
			await late.opened;
			await expect(held.keep()).rejects.toMatchObject({ code: 'lease.lost' });
			await write(held, null);
		});
		const outcome = first.advance('slow');
		await vi.waitFor(async () => expect((await rowOf('slow')).lease_owner).not.toBeNull());
		const tokens: bigint[] = [];
		const second = runnerOf(async (held) => {
			tokens.push(held.fencingToken);
			await held.keep();
			await write(held, now + 60_000);
		});
		expect(await second.advance('slow')).toBe('held');
		// The worker was killed or suspended, so its lease was not renewed.
		now += LEASE_MS;
		expect(await second.advance('slow')).toBe('moved');
		late.open();
		expect(await outcome).toBe('lost');
		expect(tokens).toEqual([2n]);
		expect((await rowOf('slow')).lease_owner).toBeNull();
	});

	test('what a killed worker held is done when its lease has ended', async () => {
		await put('left', now);
		await leasesOf().take('left', LEASE_MS);
		const done: string[] = [];
		runnerOf(async (held) => {
			done.push(held.id);
			await write(held, null);
		}).start();
		await wait(100);
		expect(done).toEqual([]);
		now += LEASE_MS;
		await vi.waitFor(() => expect(done).toEqual(['left']), { timeout: 5_000 });
	});

	test('a lease is renewed while a step takes long, and ends the step when it is lost', async () => {
		await put('long', now);
		const late = gate();
		let lost = false;
		const runner = runnerOf(
			async ({ signal }) => {
				signal.addEventListener('abort', () => (lost = true));
				await late.opened;
			},
			{ leaseMs: 60 }
		);
		const outcome = runner.advance('long');
		for (let n = 0; n < 3; n += 1) {
			now += 50;
			await vi.waitFor(async () =>
				expect(Number((await rowOf('long')).lease_until)).toBe(now + 60)
			);
		}
		expect(lost).toBe(false);
		await sql`update works set fencing_token = fencing_token + 1 where id = 'long'`.execute(
			database.db
		);
		await vi.waitFor(() => expect(lost).toBe(true));
		late.open();
		await outcome;
		// The lease now belongs to another worker: nothing was released.
		expect((await rowOf('long')).lease_owner).not.toBeNull();
	});

	test('after an error the waits grow, and others are not held up', async () => {
		await put('bad', now - 5);
		await put('good', now);
		const tries: number[] = [];
		const errors: unknown[] = [];
		const outcomes: string[] = [];
		const runner = runnerOf(
			async (held) => {
				if (held.id === 'good') return write(held, null);
				tries.push(now);
				if (tries.length <= 3) throw new Error('It does not work.');
				await write(held, null);
			},
			{
				onError: (error) => errors.push(error),
				onStep: (outcome) => outcomes.push(outcome)
			}
		);
		const began = now;
		runner.start();
		await vi.waitFor(() => expect(outcomes.sort()).toEqual(['failed', 'moved']));
		for (const [n, pause] of [1_000, 2_000, 4_000].entries()) {
			now += pause - 1;
			runner.wake();
			await wait(60);
			expect(tries).toHaveLength(n + 1);
			now += 1;
			runner.wake();
			await vi.waitFor(() => expect(tries).toHaveLength(n + 2), { timeout: 3_000 });
		}
		expect(tries.map((at) => at - began)).toEqual([0, 1_000, 3_000, 7_000]);
		// The third one says what the second one said.
		expect(errors).toHaveLength(2);
	});

	test('a step that a caller asked for tells the caller what failed', async () => {
		await put('bad', now);
		const runner = runnerOf(() => Promise.reject(new Error('It does not work.')));
		await expect(runner.advance('bad')).rejects.toThrow('It does not work.');
		expect(await runner.advance('bad')).toBe('held');
	});

	test('wakes up when it is poked, and by itself for what another process made due', async () => {
		const done: string[] = [];
		const runner = runnerOf(async (held) => {
			done.push(held.id);
			await write(held, null);
		});
		runner.start();
		await wait(100);
		const here = ['a', 'b', 'c', 'd', 'e'];
		const began = performance.now();
		for (const id of here) {
			await put(id, now);
			runner.wake();
			await vi.waitFor(() => expect(done.at(-1)).toBe(id), { timeout: 5_000, interval: 5 });
		}
		// Without being woken, the runner looks once a second.
		expect(performance.now() - began).toBeLessThan(here.length * 600);
		await put('elsewhere', now);
		await vi.waitFor(() => expect(done).toEqual([...here, 'elsewhere']), { timeout: 5_000 });
	});

	test('does so much at the same time, and sets aside what hangs', async () => {
		for (const id of ['a', 'b', 'c']) await put(id, now);
		const late = gate();
		const begun: string[] = [];
		runnerOf(
			async (held) => {
				begun.push(held.id);
				await late.opened;
				await write(held, null);
			},
			{ maxConcurrency: 2 }
		).start();
		await vi.waitFor(() => expect(begun).toHaveLength(2));
		await wait(200);
		expect(begun).toHaveLength(2);
		await vi.waitFor(() => expect(begun).toHaveLength(3), { timeout: 3_000 });
		late.open();
	});

	test('stops after what it is at, gives the leases back, and takes nothing more', async () => {
		await put('under way', now);
		const late = gate();
		const begun: Held[] = [];
		const runner = runnerOf(async (held) => {
			begun.push(held);
			await late.opened;
			await write(held, null);
		});
		runner.start();
		await vi.waitFor(() => expect(begun).toHaveLength(1));
		await put('waiting', now);
		let ended = false;
		const stopped = runner.stop().then(() => (ended = true));
		expect(begun[0]!.signal.aborted).toBe(true);
		await wait(50);
		expect(ended).toBe(false);
		late.open();
		await stopped;
		expect(await rowOf('under way')).toEqual({ lease_owner: null, lease_until: null });
		expect(begun).toHaveLength(1);
		runner.start();
		await vi.waitFor(() => expect(begun.map(({ id }) => id)).toEqual(['under way', 'waiting']));
	});

	test('waits for a step no longer than its timeout', async () => {
		await put('hangs', now);
		const late = gate();
		let begun = false;
		const runner = runnerOf(
			async (held) => {
				begun = true;
				await late.opened;
				await write(held, null);
			},
			{ timeoutMs: 50 }
		);
		runner.start();
		await vi.waitFor(() => expect(begun).toBe(true));
		await runner.stop();
		expect((await rowOf('hangs')).lease_owner).not.toBeNull();
		late.open();
		await vi.waitFor(async () => expect((await rowOf('hangs')).lease_owner).toBeNull());
	});

	// SQLite has only one connection.
	if (database.dialect === 'PostgreSQL') {
		test('leaves connections to who waits for an answer, however much is done at once', async () => {
			const { opened, open } = gate();
			const begun = gate();
			await put('much', now);
			const runner = runnerOf(async (held) => {
				const holds = Array.from({ length: 12 }, () =>
					database.db.transaction().execute(() => opened)
				);
				begun.open();
				await Promise.all(holds);
				await write(held, null);
			});
			runner.start();
			await begun.opened;
			const asked = Array.from({ length: 4 }, () => sql`select 1`.execute(database.db));
			await expect(Promise.all(asked).finally(open)).resolves.toHaveLength(4);
			await expect.poll(async () => (await rowOf('much')).lease_until).toBeNull();
		});
	}
});
