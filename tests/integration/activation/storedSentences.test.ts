/** Activations with sentences that earlier releases stored, read by a release that stores codes. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { activationEvents } from '#lib/messages/activation/events.ts';
import { activationReasons } from '#lib/messages/activation/reasons.ts';
import { readStored } from '#lib/messages/catalogue.ts';
import type { Db } from '#lib/server/database.ts';
import { describeOldDatabase } from '../../support/oldDatabase.ts';

/** Every sentence of an earlier release, with its code and parameters. */
const OLD: readonly (readonly [sentence: string, code: string, params: object])[] = [
	['ada began it', 'begun', { actor: 'ada' }],
	['bob asked for the same and joined', 'joined', { actor: 'bob' }],
	['1 of 1 server answered', 'servers.answered', { online: 1, all: 1 }],
	['2 of 3 servers answered', 'servers.answered', { online: 2, all: 3 }],
	['Try 2 begins', 'attempt.begun', { attempt: 2 }],
	['Try 2 failed; the next one is in 15 seconds', 'attempt.failed', { attempt: 2, seconds: 15 }],
	['It failed: try 6 was the last one', 'attempt.last-failed', { attempt: 6 }],
	['It failed', 'failed', {}],
	['It is active', 'active', {}],
	['It was active already', 'active.before', {}],
	['It is active; its task was read elsewhere', 'active.read-elsewhere', {}],
	['The node works on it as task 4', 'task.begun', { task: 4 }],
	["Task 4 is another coin's now", 'task.other-coin', { task: 4 }],
	['The node does not know task 4 any more', 'task.unknown', { task: 4 }],
	['The task was ended', 'task.ended', {}],
	['The task had finished before it could be ended', 'task.finished-before', {}],
	['The node was restarted, so task 4 is void', 'task.lost', { task: 4 }],
	['It was ended before the node was asked', 'ended.before', {}],
	['The device waits for a person', 'device.asked', {}],
	['ada asked to end it', 'end.asked', { actor: 'ada' }],
	['ada asked to try now', 'retry.asked', { actor: 'ada' }],
	['ada took the pad', 'pad.taken', { actor: 'ada' }],
	['ada answered the device (2)', 'pad.answered', { actor: 'ada', count: 2 }],
	['Something else happened', 'legacy', { text: 'Something else happened' }]
];

async function insertOld(db: Db): Promise<void> {
	const activation = (id: string, reason: string | null) =>
		sql`insert into activations (id, node, coin, method, params, state, attempt, reason, begun_by, fence,
				attempt_since, state_since, created_at, updated_at)
			values (${id}, 'mm2', 'KMD', 'task::enable_utxo', '{}', 'running', 1, ${reason}, 'ada', 0, 1, 1, 1, 1)`.execute(
			db
		);
	await activation('away', 'The trading node does not answer.');
	await activation('quiet', null);
	for (const [at, [sentence]] of OLD.entries()) {
		await sql`insert into activation_events (activation, seq, time, words)
			values ('quiet', ${at + 1}, 1, ${sentence})`.execute(db);
	}
}

describeOldDatabase('230_', insertOld, (db) => {
	test('has a code for every event that is known', async () => {
		const rows = await db()
			.selectFrom('activation_events')
			.select('message')
			.orderBy('seq')
			.execute();
		const told = rows.map(({ message }) => readStored(activationEvents.parse, message));
		expect(told).toEqual(OLD.map(([, code, params]) => ({ code, params })));
	});

	test('shows the reasons as they were', async () => {
		const rows = await db().selectFrom('activations').select('reason').orderBy('id').execute();
		expect(
			rows.map(({ reason }) =>
				reason === null ? null : activationReasons.text(readStored(activationReasons.parse, reason))
			)
		).toEqual(['The trading node does not answer.', null]);
	});
});
