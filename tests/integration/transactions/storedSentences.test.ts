/**
 * Transactions and batch transfers with sentences that earlier releases stored, read by a release that stores
 * codes.
 */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { meanings } from '#lib/messages/transactions/meanings.ts';
import { rejections } from '#lib/messages/transactions/rejections.ts';
import { createAudit } from '#lib/server/access/audit/audit.ts';
import type { Db } from '#lib/server/database.ts';
import { locks } from '#lib/server/locks.ts';
import { createBatchTransferStore } from '#lib/server/wallet/batch-transfers/store.ts';
import { createStore } from '#lib/server/wallet/transactions/store.ts';
import { describeOldDatabase } from '../../support/oldDatabase.ts';

type Old = readonly (readonly [sentence: string, code: string, params: object])[];

const TXID = 'ab'.repeat(32);

const REJECTIONS: Old = [
	[
		'Something else spends the same coins. Wait. The daemon said: 16: mempool conflict',
		'daemon.refused',
		{ response: '16: mempool conflict' }
	],
	[
		'The daemon refused it: 16: bad-txns-something-new',
		'daemon.refused',
		{ response: '16: bad-txns-something-new' }
	],
	['The daemon refused it. Its wallet left it unsigned.', 'daemon.refused', { response: '' }],
	[
		`Another import of the same source is on SELF already: ${TXID}. Sent again it would create the coins twice.`,
		'import.elsewhere',
		{ chain: 'SELF', txid: TXID }
	],
	['Some other words.', 'legacy', { text: 'Some other words.' }]
];

const WARNINGS: Old = [
	[
		'The payload has 209 bytes. Daemons that were not started with datacarriersize=10001 relay 208 and refuse it.',
		'payload.relay-unknown',
		{ bytes: 209, most: 10_001, usual: 208 }
	],
	[
		'The approval carries 300 bytes of data. Daemons that were not started with datacarriersize=10001 refuse it.',
		'approval.relay-unknown',
		{ bytes: 300, most: 10_001 }
	],
	[
		'Do not count on carrying a fungible token to another chain: few networks allow it, and notaries approve non-fungible ones only.',
		'migration.fungible',
		{}
	],
	[
		'It would be too large to be carried to another chain: its burn would have about 5100 bytes.',
		'migration.too-large',
		{ bytes: 5100 }
	],
	[
		'It can be carried to another chain, with little room: its burn has about 3100 bytes.',
		'migration.tight',
		{ bytes: 3100 }
	],
	[
		'It can be carried to another chain, where the network supports that.',
		'migration.possible',
		{}
	],
	['The recipient is this wallet itself: the units stay where they are.', 'recipient.own', {}],
	[
		'This address was never used on SELF. Make sure that somebody has its key.',
		'address.unused',
		{ chain: 'SELF' }
	],
	[
		'The daemon of SELF keeps no addressindex, so it cannot tell whether this address was ever used. Make sure that somebody has its key.',
		'address.not-told',
		{ chain: 'SELF' }
	],
	[
		'SELF:a does not tell whether this address was used on SELF before.',
		'address.unknown',
		{ daemon: 'SELF:a', chain: 'SELF' }
	],
	[
		'ALPHA has a token with this name already (abababab…abababab). People tell the two apart by their ids only.',
		'legacy',
		{
			text: 'ALPHA has a token with this name already (abababab…abababab). People tell the two apart by their ids only.'
		}
	]
];

const MEANINGS: Old = [
	['coins', 'input.coins', {}],
	['units of the token', 'input.token', {}],
	['change, back to this wallet', 'change', {}],
	['marker: puts the token into the list; it is not yours any more', 'token.marker', {}],
	['the units, to this wallet', 'token.supply', {}],
	['name, description and owner', 'token.facts', {}],
	['units, destroyed for ever', 'token.burned', {}],
	['units, to the recipient', 'token.paid', {}],
	['units that are left, back to this wallet', 'token.left', {}],
	['which token it is, and who receives', 'token.move', {}],
	['everything, back to this wallet in one output', 'consolidated', {}],
	['to the recipient, from the wallet', 'self-import.payment', {}],
	['names the amount that the import creates', 'self-import.amount', {}],
	['created, to the recipient', 'self-import.created', {}],
	[
		'proof: the source transaction, and the object 0123456789… that stands for a burn',
		'self-import.proof',
		{ object: '0123456789' }
	],
	['back to the notary', 'approval.own', {}],
	['the proof of the burn', 'approval.proof', {}]
];

const codesOf = (old: Old) => old.map(([, code, params]) => ({ code, params }));
const part = (meaning: string) => ({ txid: TXID, vout: 0, value: { $bigint: '1' }, meaning });

async function insertOld(db: Db): Promise<void> {
	const review = JSON.stringify({
		review: {
			txid: TXID,
			fee: { $bigint: '10000' },
			inputs: MEANINGS.map(([sentence]) => part(sentence)),
			outputs: [part('something else')]
		},
		warnings: WARNINGS.map(([sentence]) => sentence)
	});
	const transaction = (id: string, refusal: string | null, stored = review) =>
		sql`insert into transactions (id, kind, chain, daemon, pubkey, txid, hex, state, refusal, request, review,
				created_by, created_at, expires_at)
			values (${id}, 'token-create', 'ALPHA', 'ALPHA', '02', ${TXID}, '00', 'refused', ${refusal}, '{}', ${stored},
				'ada', 1, 1)`.execute(db);
	for (const [at, [sentence]] of REJECTIONS.entries()) await transaction(`s${at}`, sentence);
	await transaction('silent', null);
	await transaction('torn', null, '{"review":');
	const series = (id: string, problem: string | null) =>
		sql`insert into batch_transfers (id, chain, tokenid, daemon, pubkey, state, problem, created_by, created_at)
			values (${id}, 'ALPHA', ${TXID}, 'ALPHA', '02', 'stopped', ${problem}, 'ada', 1)`.execute(db);
	await series(
		'replaced',
		'The wallet of ALPHA is another one than when the series was reviewed. Nothing more was sent.'
	);
	await series('other', 'Nothing answers.');
	await series('quiet', null);
	for (const [at, problem] of [
		'This transaction was discarded by hand. It was not sent.',
		...REJECTIONS.map(([sentence]) => sentence)
	].entries()) {
		await sql`insert into batch_transfer_items (batch_transfer, n, recipient, units, state, problem)
			values ('other', ${at + 1}, '02', 1, 'failed', ${problem})`.execute(db);
	}
}

describeOldDatabase('230_', insertOld, (db) => {
	const store = () => createStore(db(), locks);
	const batches = () =>
		createBatchTransferStore(db(), createAudit(db(), new Uint8Array(32)), () => 1);

	test('has a code for every rejection that is known, and shows any other as it was', async () => {
		const found = await Promise.all(REJECTIONS.map((_, at) => store().get(`s${at}`)));
		expect(found.map((one) => one!.rejection)).toEqual(codesOf(REJECTIONS));
		expect(rejections.text(found.at(-1)!.rejection!)).toBe('Some other words.');
		expect((await store().get('silent'))!.rejection).toBeNull();
	});

	test('has codes in the reviews, and every amount as it was', async () => {
		const { review, warnings } = (await store().get('silent'))!;
		expect(warnings).toEqual(codesOf(WARNINGS));
		expect(review.inputs.map(({ meaning }) => meaning)).toEqual(codesOf(MEANINGS));
		expect(meanings.text(review.outputs[0]!.meaning)).toBe('something else');
		expect(review.fee).toBe(10_000n);
		expect(review.inputs[0]!.value).toBe(1n);
	});

	test('leaves a review that cannot be read as it was', async () => {
		const { rows } = await sql<{ review: string }>`select review from transactions
			where id = 'torn'`.execute(db());
		expect(rows).toEqual([{ review: '{"review":' }]);
	});

	test('has a code for why batch transfers do not go on', async () => {
		expect((await batches().get('replaced'))!.problem).toEqual({
			code: 'wallet.replaced',
			params: { chain: 'ALPHA' }
		});
		expect((await batches().get('other'))!.problem).toEqual({
			code: 'legacy',
			params: { text: 'Nothing answers.' }
		});
		expect((await batches().get('quiet'))!.problem).toBeNull();
		const [discarded, ...rejected] = (await batches().lines('other')).map(({ problem }) => problem);
		expect(discarded).toEqual({ code: 'transaction.discarded', params: {} });
		expect(rejected).toEqual(
			codesOf(REJECTIONS).map((rejection) =>
				rejection.code === 'legacy'
					? rejection
					: { code: 'transaction.rejected', params: { rejection } }
			)
		);
	});
});
