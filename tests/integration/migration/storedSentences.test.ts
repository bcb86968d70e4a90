/** Rows with sentences that earlier releases stored, read by a release that stores codes. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { events } from '#lib/messages/migration/events.ts';
import { createAudit } from '#lib/server/access/audit/audit.ts';
import { MigrationStore } from '#lib/server/cross-chain/migration/store.ts';
import type { Db } from '#lib/server/database.ts';
import { locks } from '#lib/server/locks.ts';
import { describeOldDatabase } from '../../support/oldDatabase.ts';

/** Every sentence of an earlier release, with its code and parameters. */
const OLD: readonly (readonly [sentence: string, code: string, params: object])[] = [
	[
		'Built a burn of 1.15000000 coins of ALPHA for BETA.',
		'draft.built',
		{ amount: '115000000', token: null, source: 'ALPHA', destination: 'BETA' }
	],
	['Built the burn again: its outputs had been spent meanwhile.', 'draft.rebuilt', {}],
	['ada confirmed the burn.', 'burn.confirmed', { actor: 'ada' }],
	['ada gave the migration up. Nothing was burned.', 'migration.discarded', { actor: 'ada' }],
	['ada had it tried again.', 'migration.retried', { actor: 'ada' }],
	['ada took up a burn made on ALPHA.', 'migration.recovered', { actor: 'ada', chain: 'ALPHA' }],
	['Sent the burn to ALPHA.', 'burn.sent', { chain: 'ALPHA' }],
	['The burn waits in the mempool of ALPHA.', 'burn.pending', { chain: 'ALPHA' }],
	['Block 7 of ALPHA holds the burn.', 'burn.mined', { chain: 'ALPHA', height: 7 }],
	[
		'After a reorganization block 8 of ALPHA holds the burn.',
		'burn.moved',
		{ chain: 'ALPHA', height: 8 }
	],
	[
		'The burn is no longer known on ALPHA: the same transaction is sent again.',
		'burn.lost',
		{ chain: 'ALPHA' }
	],
	[
		"Waits until notaries have recorded the burn's block on KMD and back on ALPHA.",
		'back-notarization.awaited',
		{ chain: 'ALPHA' }
	],
	['Built the import with the proof from ALPHA.', 'import.built', { chain: 'ALPHA' }],
	['Built the import again with the present proof of ALPHA.', 'import.rebuilt', { chain: 'ALPHA' }],
	[
		'ada published the burn, so that notaries approve it on BETA.',
		'burn.published',
		{ actor: 'ada', chain: 'BETA' }
	],
	[
		'ada took the burn off the published list; it goes on with notarizations.',
		'burn.withdrawn',
		{ actor: 'ada' }
	],
	[
		'3 of 5 notaries have approved the burn. 1 more approval waits for a block. 2 ids could not be looked up yet.',
		'approvals.awaited',
		{ counted: 3, pending: 1, unknown: 2 }
	],
	[
		'0 of 5 notaries have approved the burn.',
		'approvals.awaited',
		{ counted: 0, pending: 0, unknown: 0 }
	],
	[
		'Built the import on ALPHA with the approvals of 5 notaries.',
		'import.built-approved',
		{ chain: 'ALPHA', notaries: 5 }
	],
	[
		'BETA does not accept the approvals: they are looked up again.',
		'approvals.doubted',
		{ chain: 'BETA' }
	],
	[
		'BETA refused the import with these approvals, although each of them holds. It is tried again with later blocks; more approvals may help.',
		'approvals.refused',
		{ chain: 'BETA' }
	],
	[
		'ALPHA does not build the import with approvals (No vins in the burnTx). The burn is safe in the chain.',
		'approvals.not-built',
		{ chain: 'ALPHA', response: 'No vins in the burnTx' }
	],
	['Waits until BETA is notarized on KMD after the burn.', 'target.awaited', { chain: 'BETA' }],
	[
		'Completion with offset 0: Proof check failed. Completion with offset 4: completed.',
		'completion.tried',
		{
			tried: [
				{ offset: 0, response: 'Proof check failed' },
				{ offset: 4, response: 'completed' }
			]
		}
	],
	[
		'KMD completed the proof with offset 4. BETA knows the root of the proof.',
		'completion.done',
		{ offset: 4, chain: 'BETA' }
	],
	[
		"Waits until notaries have recorded the proof's root on BETA.",
		'momom.awaited',
		{ chain: 'BETA' }
	],
	[
		'ada confirmed a burn that was on ALPHA already: it was taken up and not sent again.',
		'burn.found',
		{ actor: 'ada', chain: 'ALPHA' }
	],
	['The import is ready. It is sent when somebody approves it.', 'approval.asked', {}],
	[
		'The import is ready. It is sent when two different people have approved it.',
		'approval.asked-two',
		{}
	],
	[
		'ada approved the import. It is sent when somebody else approves it too.',
		'approval.first',
		{ actor: 'ada' }
	],
	['ada approved the import.', 'import.approved', { actor: 'ada' }],
	['The import is going to be sent to BETA.', 'import.chosen', { chain: 'BETA' }],
	['Sent the import to BETA.', 'import.sent', { chain: 'BETA' }],
	['The import waits in the mempool of BETA.', 'import.pending', { chain: 'BETA' }],
	['Block 9 of BETA holds the import.', 'import.mined', { chain: 'BETA', height: 9 }],
	[
		'The import is no longer known on BETA: it is looked up and sent again.',
		'import.lost',
		{ chain: 'BETA' }
	],
	[
		'BETA does not accept the proof yet; waits for its next notarization.',
		'import.early',
		{ chain: 'BETA' }
	],
	['Looks for an import of this burn on BETA.', 'import.searched', { chain: 'BETA' }],
	[
		'BETA does not answer: BETA did not answer within 5 seconds.',
		'daemon.no-answer',
		{ chain: 'BETA', detail: 'BETA did not answer within 5 seconds.' }
	],
	[
		'An answer of BETA cannot be used: it is about another transaction.',
		'daemon.unreadable',
		{ chain: 'BETA', detail: 'it is about another transaction.' }
	],
	[
		'BETA refuses this at the moment (66: mempool full). It may pass: the same is tried again. The mempool is full.',
		'refusal.passing',
		{ chain: 'BETA', response: '66: mempool full' }
	],
	[
		'BETA has refused this for a long time (busy). Nothing is lost; choose Try again when the daemon is in order.',
		'refusal.lasting',
		{ chain: 'BETA', response: 'busy' }
	],
	[
		'The connection to ALPHA ended three times while it built the import: its daemon may have crashed. The burn is safe; look at that daemon, then choose Try again.',
		'build.broken',
		{ chain: 'ALPHA' }
	],
	[
		'The block is watched until it is final on BETA; should it be taken back, the same import is sent again.',
		'import.not-final',
		{ chain: 'BETA' }
	],
	['Block 9 of BETA is final.', 'import.final', { chain: 'BETA', height: 9 }],
	[
		'After a reorganization block 9 of BETA holds the import.',
		'import.moved',
		{ chain: 'BETA', height: 9 }
	],
	[
		'A reorganization of BETA took the block of the import back: it is looked up, and the same bytes are sent again.',
		'import.reorganized',
		{ chain: 'BETA' }
	],
	[
		'A reorganization of ALPHA took the block of the burn back: it is looked up, and the same bytes are sent again.',
		'burn.reorganized',
		{ chain: 'ALPHA' }
	],
	[
		'The import that was found on BETA is gone and its bytes are not known here: the proof is made anew.',
		'import.gone',
		{ chain: 'BETA' }
	],
	[
		"KMD does not have the notarization of ALPHA that the proof begins with, or not yet. Waits until notaries have recorded the burn's block there and back on ALPHA; if that takes days, publish the burn, so that notaries approve it.",
		'notarization.unknown',
		{ chain: 'ALPHA' }
	],
	[
		'The connection to ALPHA broke while sending: it is looked up before anything is sent again.',
		'send.unknown',
		{ chain: 'ALPHA' }
	],
	[
		'ALPHA took the transaction and does not show it yet: it is looked up again.',
		'send.not-shown',
		{ chain: 'ALPHA' }
	],
	[
		'BETA says that it is there already (18: import tombstone exists): it is looked up before anything is sent again.',
		'send.claimed',
		{ chain: 'BETA', response: '18: import tombstone exists' }
	],
	[
		'ALPHA refused the burn (16: bad), and so far it is in no block. It could still get into one, so do not start again yet: it is looked for, and this page says when that is safe.',
		'burn.refused',
		{ chain: 'ALPHA', response: '16: bad' }
	],
	[
		'ALPHA refused the burn (16: bad), and it cannot get into a block any more: nothing was burned. Start again.',
		'burn.dead',
		{ chain: 'ALPHA', response: '16: bad' }
	],
	[
		'The proof cannot be completed on this route (Failed merkle). The burn is safe in the chain; the backup route with approvals of notaries is left.',
		'proof.dead',
		{ response: 'Failed merkle' }
	],
	[
		'Nothing was sent, a check stopped it: BETA is not configured.',
		'preflight.failed',
		{ check: { code: 'legacy', params: { text: 'BETA is not configured.' } } }
	],
	['The import is for another burn.', 'legacy', { text: 'The import is for another burn.' }],
	['<b>an odd\nsentence</b>', 'legacy', { text: '<b>an odd\nsentence</b>' }]
];

/** Stored evidence and its decoded form; null if it cannot be decoded. */
const EVIDENCE: readonly (readonly [step: string, stored: string, read: object | null])[] = [
	[
		'burn',
		'{"refused":"16: bad","passing":true,"tries":3,"spentSince":null,"refusedAt":50}',
		{ refused: '16: bad', passing: true, tries: 3, spentSince: null }
	],
	[
		'burn-confirmed',
		'{"height":7,"blockhash":"bb","refused":null,"passing":null,"tries":0,"asked":0,"refusedAt":null}',
		{ height: 7, blockhash: 'bb', tries: 0 }
	],
	['back-notarization', '{"notarization":"aa","tries":0}', { notarization: 'aa', tries: 0 }],
	[
		'approvals',
		'{"publishedAt":1700000000000,"publishedBy":"ada","counted":1,"pending":0,"unknown":2}',
		{ publishedAt: 1_700_000_000_000, publishedBy: 'ada', counted: 1, pending: 0, unknown: 2 }
	],
	[
		'import-built',
		'{"root":null,"notarization":null,"asked":0,"tries":0}',
		{ root: null, notarization: null, asked: 0, tries: 0 }
	],
	[
		'completion',
		'{"offset":4,"root":"cc","notarization":"aa","ladder":"Completion with offset 0: No MoMs found. Completion with offset 4: completed.","tries":0,"said":"No MoMs found"}',
		{
			offset: 4,
			root: 'cc',
			notarization: 'aa',
			tries: 0,
			refused: 'No MoMs found',
			tried: [
				{ offset: 0, response: 'No MoMs found' },
				{ offset: 4, response: 'completed' }
			]
		}
	],
	[
		'import-sent',
		'{"refused":null,"refusedRoot":"cc","refusedTxid":"dd","refusedTimes":2,"refusedUntil":44}',
		{ refused: null, refusedRoot: 'cc', refusedTxid: 'dd', refusedTimes: 2, refusedUntil: 44 }
	],
	[
		'import-confirmed',
		'{"height":9,"confirmations":3,"needed":10,"notarized":false,"awaitsNotarization":true}',
		{ height: 9, confirmations: 3, needed: 10, notarized: false, awaitsNotarization: true }
	]
];

async function insertOld(db: Db): Promise<void> {
	const row = (id: string, reason: string | null) =>
		sql`insert into migrations
		(id, route, source, destination, source_daemon, destination_daemon, kmd_daemon, ccid, address, amount,
			burn_txid, import_scan_from, created_by, policy, state, fence, reason, state_since, created_at, updated_at)
		values (${id}, 'notarized', 'ALPHA', 'BETA', 'ALPHA', 'BETA', 'KMD', 777, 'R', 1,
			${id}, 0, 'ada', 'ask', 'stuck', 0, ${reason}, 1, 1, 1)`.execute(db);
	for (const [at, [sentence]] of OLD.entries()) {
		await row(`m${at}`, sentence);
		await sql`insert into migration_events (migration, seq, time, step, words, detail, times)
			values ('m0', ${at + 1}, 1, 'burn', ${sentence}, '{}', 2)`.execute(db);
	}
	await row('silent', null);
	await row('damaged', 'It stopped.');
	for (const [step, stored] of EVIDENCE) {
		await sql`insert into migration_steps (migration, step, evidence)
			values ('m0', ${step}, ${stored})`.execute(db);
	}
	await sql`insert into migration_steps (migration, step, evidence)
		values ('damaged', 'burn', '{"refused":7}'), ('damaged', 'completion', 'no JSON')`.execute(db);
}

describeOldDatabase('210_migration_codes', insertOld, (db) => {
	const storeOf = (): MigrationStore =>
		new MigrationStore({ db: db(), locks, audit: createAudit(db(), new Uint8Array(32)) });

	test('has a code for every sentence that is known, and shows any other as it was', async () => {
		const told = await storeOf().events('m0');
		expect(told.map(({ message }) => message)).toEqual(
			OLD.map(([, code, params]) => ({ code, params }))
		);
		expect(told.every(({ times }) => times === 2)).toBe(true);
		for (const [at, [sentence, code]] of OLD.entries()) {
			if (code === 'legacy') expect(events.text(told[at]!.message)).toBe(sentence);
		}
	});

	test('has the reasons of its migrations', async () => {
		const store = storeOf();
		expect((await store.load('m7'))!.row.reason).toEqual({
			code: 'burn.pending',
			params: { chain: 'ALPHA' }
		});
		expect((await store.load('silent'))!.row.reason).toBeNull();
		expect(await store.list({ limit: 500 })).toHaveLength(OLD.length + 2);
	});

	test('has what the steps found', async () => {
		const { steps, damaged } = (await storeOf().load('m0'))!;
		expect(damaged).toBeUndefined();
		for (const [step, , read] of EVIDENCE) {
			expect(steps.get(step as 'burn')!.evidence, step).toEqual(read);
		}
	});

	test('reports a step that does not fit instead of failing over it', async () => {
		const migration = (await storeOf().load('damaged'))!;
		expect(['burn', 'completion']).toContain(migration.damaged);
		expect(migration.steps.get('burn')!.evidence).toEqual({});
	});
});
