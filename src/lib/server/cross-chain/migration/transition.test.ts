import { describe, expect, test } from 'vitest';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { serializeTransaction, transparent, txidOf } from '#lib/chain/transaction.ts';
import { USUAL_FINALITY } from '../../platform/config/finality.ts';
import type { Dead } from '../../wallet/transactions/refusedOutlook.ts';
import type { ImportSearch } from '../../chains/daemon/findImport.ts';
import { resumeState } from './resume.ts';
import { transition, evidenceDamaged, type Decision, type StepEvent } from './transition.ts';
import { currentStep } from './decisions/currentStep.ts';
import type { Candidate } from './decisions/stepEvent.ts';
import type { Refusal, Verdict } from './refusals.ts';
import { STATES, type MigrationState } from './states.ts';
import type { StepId } from './steps.ts';
import type { Evidence } from './evidence.ts';
import {
	stepsFrom,
	type MigrationRecord,
	type MigrationRow,
	type StepRow
} from './migrationRecord.ts';

const NOW = 1_700_000_000_000;
const BURN = 'b1'.repeat(32);
const IMPORT = '1a'.repeat(32);
const OTHER = '0f'.repeat(32);

const row = (state: MigrationState, more: Partial<MigrationRow> = {}): MigrationRow => ({
	id: 'one',
	path: 'notarized',
	source: 'ALPHA',
	destination: 'BETA',
	source_daemon: 'ALPHA',
	destination_daemon: 'BETA',
	kmd_daemon: 'KMD',
	ccid: 777n,
	pubkey: null,
	tokenid: null,
	token_name: null,
	address: 'R',
	amount: 115_000_000n,
	payouts: '00',
	burn_txid: BURN,
	import_scan_from: 10n,
	created_by: 'ada',
	policy: 'automatic',
	state,
	approved_by: null,
	approved_too: null,
	due_at: BigInt(NOW),
	lease_owner: 'me',
	lease_until: BigInt(NOW + 1_000),
	fencing_token: 1n,
	reason: null,
	state_since: BigInt(NOW),
	created_at: BigInt(NOW),
	updated_at: BigInt(NOW),
	...more
});

const stepOf = <Id extends StepId>(step: Id, more: Partial<StepRow<Id>> = {}): StepRow =>
	({
		step,
		hex: null,
		txid: null,
		evidence: {},
		startedAt: NOW,
		doneAt: null,
		...more
	}) as unknown as StepRow;

const migrationIn = (
	state: MigrationState,
	steps: readonly StepRow[] = [],
	more: Partial<MigrationRow> = {}
): MigrationRecord => ({
	row: row(state, more),
	steps: stepsFrom(steps),
	approvers: [more.approved_by, more.approved_too].filter((name) => typeof name === 'string')
});

const burned = (evidence: Evidence<'burn'> = {}): StepRow =>
	stepOf('burn', { hex: 'aa', txid: BURN, evidence });
const burnStep = burned();
const completed = (evidence: Evidence<'completion'> = {}): StepRow =>
	stepOf('completion', { hex: 'cc', txid: IMPORT, evidence, doneAt: NOW });
const importStep = (evidence: Evidence<'import-sent'> = {}): StepRow =>
	stepOf('import-sent', { hex: 'cc', txid: IMPORT, evidence });

const refusal = (verdict: Verdict, response = 'said'): Refusal => ({ verdict, response });
const mempool = { where: 'mempool', hex: 'aa' } as const;
const mined = { where: 'mined', hex: 'aa', height: 7, blockhash: 'bb' } as const;
const absent = { where: 'absent' } as const;
const nothing = { found: null, from: 10n, complete: true } as const;

const candidate = (offset: number, known: boolean | null, root: string): Candidate => ({
	offset,
	hex: `c${offset}`,
	known,
	review: { txid: IMPORT, size: 500, notarization: 'n', root }
});

const arrivedStep = stepOf('import-confirmed', { txid: IMPORT, evidence: { height: 7 } });
const chainAt = (tip: number) => ({ tip, notarized: 0, rule: USUAL_FINALITY });

const noAnswer: StepEvent = {
	about: 'no-answer',
	reason: { code: 'daemon.no-answer', params: { chain: 'KMD', detail: 'refused' } }
};

type Row = readonly [
	title: string,
	migration: MigrationRecord,
	seen: StepEvent | null,
	state: MigrationState | undefined,
	next: Decision['next']
];

describe('what is decided', () => {
	const cases: readonly Row[] = [
		[
			'a confirmed burn that is nowhere is sent',
			migrationIn('burn-unknown', [burnStep]),
			{ about: 'burn', found: absent, outlook: null },
			undefined,
			'send-burn'
		],
		[
			'a burn in the mempool waits for its block and is not sent',
			migrationIn('burn-unknown', [burnStep]),
			{ about: 'burn', found: mempool, outlook: null },
			'burn-pending',
			'rest'
		],
		[
			'a mined burn goes on at once',
			migrationIn('burn-unknown', [burnStep]),
			{ about: 'burn', found: mined, outlook: null },
			'burn-confirmed',
			'again'
		],
		[
			'a burn that fell out of the mempool is looked up again before it is sent',
			migrationIn('burn-pending', [burnStep]),
			{ about: 'burn', found: absent, outlook: null },
			'burn-unknown',
			'again'
		],
		[
			'a refused burn that is nowhere stops, and is not sent again',
			migrationIn('burn-unknown', [burned({ refused: 'spent' })]),
			{ about: 'burn', found: absent, outlook: null },
			'stuck',
			'rest'
		],
		[
			'a burn that was refused without words stops too',
			migrationIn('burn-unknown', [burned({ refused: '' })]),
			{ about: 'burn', found: absent, outlook: null },
			'stuck',
			'rest'
		],
		[
			'a refused burn that is found after all goes on',
			migrationIn('burn-unknown', [burned({ refused: 'spent' })]),
			{ about: 'burn', found: mined, outlook: null },
			'burn-confirmed',
			'again'
		],
		[
			'a sent burn is looked for',
			migrationIn('burn-unknown', [burnStep]),
			{ about: 'burn-sent', refusal: null },
			undefined,
			'again'
		],
		[
			'"already in the chain" is no failure',
			migrationIn('burn-unknown', [burnStep]),
			{ about: 'burn-sent', refusal: refusal('already') },
			undefined,
			'again'
		],
		[
			'a burn whose answer got lost rests as unknown',
			migrationIn('burn-unknown', [burnStep]),
			{ about: 'burn-sent', refusal: refusal('unknown') },
			undefined,
			'rest'
		],
		[
			'a refused burn is looked up once more',
			migrationIn('burn-unknown', [burnStep]),
			{ about: 'burn-sent', refusal: refusal('spent') },
			undefined,
			'again'
		],
		[
			'without a back-notarization the import waits',
			migrationIn('burn-confirmed', [burnStep]),
			{ about: 'build-refused', refusal: refusal('wait') },
			'waiting-back-notarization',
			'rest'
		],
		[
			'a burn that left its block is looked up again',
			migrationIn('waiting-back-notarization', [burnStep]),
			{ about: 'build-refused', refusal: refusal('back-to-burn') },
			'burn-unknown',
			'rest'
		],
		[
			'a proof that can never be made stops',
			migrationIn('waiting-back-notarization', [burnStep]),
			{ about: 'build-refused', refusal: refusal('final') },
			'stuck',
			'rest'
		],
		[
			'no offset that gives a proof waits for the destination',
			migrationIn('import-built', [burnStep]),
			{ about: 'completion-refused', refusal: refusal('next-offset') },
			'waiting-target-notarization',
			'rest'
		],
		[
			'a notarization that KMD lost is waited for again',
			migrationIn('waiting-target-notarization', [burnStep]),
			{ about: 'completion-refused', refusal: refusal('no-notarization', '') },
			'waiting-back-notarization',
			'rest'
		],
		[
			'a completed proof whose root the destination lacks waits',
			migrationIn('import-built', [burnStep]),
			{ about: 'completion', candidates: [candidate(0, false, 'r0')], tried: [] },
			'waiting-target-notarization',
			'rest'
		],
		[
			'a completed proof whose root is known is ready',
			migrationIn('import-built', [burnStep]),
			{ about: 'completion', candidates: [candidate(0, true, 'r0')], tried: [] },
			'ready-to-import',
			'again'
		],
		[
			'where the policy asks, somebody is waited for',
			migrationIn('import-built', [burnStep], { policy: 'ask' }),
			{ about: 'completion', candidates: [candidate(0, true, 'r0')], tried: [] },
			'needs-approval',
			'rest'
		],
		[
			'where the policy asks two, one word is not enough',
			migrationIn('import-built', [burnStep], { policy: 'ask-two', approved_by: 'grace' }),
			{ about: 'completion', candidates: [candidate(0, true, 'r0')], tried: [] },
			'needs-approval',
			'rest'
		],
		[
			'an approval holds for a later proof, too',
			migrationIn('import-built', [burnStep], { policy: 'ask', approved_by: 'grace' }),
			{ about: 'completion', candidates: [candidate(0, true, 'r0')], tried: [] },
			'ready-to-import',
			'again'
		],
		[
			'while a person is asked, the burn goes on being watched',
			migrationIn('needs-approval', [burnStep, completed()], { policy: 'ask' }),
			{ about: 'approval-awaited' },
			undefined,
			'rest'
		],
		[
			'a burn that a reorganization took back is sent again, whoever is asked',
			migrationIn('needs-approval', [burnStep, completed()], { policy: 'ask' }),
			{ about: 'burn-gone' },
			'burn-unknown',
			'rest'
		],
		[
			'the bytes of an import stand on disk before it is sent',
			migrationIn('ready-to-import', [burnStep, completed()]),
			null,
			'import-unknown',
			'again'
		],
		[
			'an import that is nowhere, and no other of this burn, is sent',
			migrationIn('import-unknown', [burnStep, completed(), importStep()]),
			{ about: 'import', found: absent, search: nothing },
			undefined,
			'send-import'
		],
		[
			'nothing is sent before all blocks were searched',
			migrationIn('import-unknown', [burnStep, completed(), importStep()]),
			{ about: 'import', found: absent, search: { found: null, from: 510n, complete: false } },
			undefined,
			'rest'
		],
		[
			"somebody else's import in the mempool is waited for",
			migrationIn('import-unknown', [burnStep, completed(), importStep()]),
			{
				about: 'import',
				found: absent,
				search: { ...nothing, found: { txid: OTHER, where: 'mempool' } }
			},
			'import-pending',
			'rest'
		],
		[
			"somebody else's mined import is the end",
			migrationIn('import-unknown', [burnStep, completed(), importStep()]),
			{
				about: 'import',
				found: absent,
				search: { ...nothing, found: { txid: OTHER, where: 'mined', height: 9 } }
			},
			'done',
			'rest'
		],
		[
			'an import that fell out of the mempool is looked up again',
			migrationIn('import-pending', [burnStep, completed(), importStep()]),
			{ about: 'import', found: absent, search: nothing },
			'import-unknown',
			'again'
		],
		[
			'an early import waits for the next notarization',
			migrationIn('import-unknown', [burnStep, completed(), importStep()]),
			{ about: 'import-sent', refusal: refusal('wait') },
			'waiting-target-notarization',
			'rest'
		],
		[
			'a tombstone proves nothing: it is looked up',
			migrationIn('import-unknown', [burnStep, completed(), importStep()]),
			{ about: 'import-sent', refusal: refusal('claimed', '18: import tombstone exists') },
			undefined,
			'rest'
		],
		[
			'a refused import that is nowhere stops',
			migrationIn('import-unknown', [
				burnStep,
				completed(),
				importStep({ refused: '64: scriptpubkey' })
			]),
			{ about: 'import', found: absent, search: nothing },
			'stuck',
			'rest'
		],
		[
			'an import that was refused without words stops too',
			migrationIn('import-unknown', [burnStep, completed(), importStep({ refused: '' })]),
			{ about: 'import', found: absent, search: nothing },
			'stuck',
			'rest'
		],
		[
			'bytes that are not what was asked for are asked for again',
			migrationIn('import-built', [burnStep]),
			{ about: 'review', error: { code: 'review.other-burn', params: {} } },
			undefined,
			'rest'
		],
		[
			'bytes that are never what was asked for stop',
			migrationIn('import-built', [burnStep, stepOf('completion', { evidence: { tries: 18 } })]),
			{ about: 'review', error: { code: 'review.other-burn', params: {} } },
			'stuck',
			'rest'
		],
		[
			'a token that arrived as another one stops',
			migrationIn('import-pending', [burnStep, completed(), importStep()]),
			{ about: 'review', error: { code: 'review.token-other-facts', params: {} } },
			'stuck',
			'rest'
		],
		[
			'nothing is built before the burn was seen in a block',
			migrationIn('burn-confirmed', [burnStep]),
			{ about: 'burn-gone' },
			'burn-unknown',
			'rest'
		],
		[
			'a build after three that ended without an answer waits for a person',
			migrationIn('burn-confirmed', [burnStep, stepOf('import-built', { evidence: { asked: 3 } })]),
			{ about: 'burn-stands', approvals: null },
			'stuck',
			'rest'
		],
		[
			'an import whose block was taken back is looked up again',
			migrationIn('done', [burnStep, completed(), importStep(), arrivedStep]),
			{ about: 'import', found: absent, search: nothing, chain: chainAt(9) },
			'import-unknown',
			'again'
		],
		[
			'an import in a block that is not final is watched',
			migrationIn('done', [burnStep, completed(), importStep(), arrivedStep]),
			{ about: 'import', found: mined, search: null, chain: chainAt(15) },
			undefined,
			'rest'
		],
		[
			'an import in a final block is the end',
			migrationIn('done', [burnStep, completed(), importStep(), arrivedStep]),
			{ about: 'import', found: mined, search: null, chain: chainAt(16) },
			'final',
			'rest'
		],
		[
			'a stopped migration goes on when a block holds its burn',
			migrationIn('stuck', [burned({ refused: 'spent' })]),
			{ about: 'burn', found: mined, outlook: null },
			'burn-confirmed',
			'again'
		],
		[
			'a stopped migration goes on when a block holds its import',
			migrationIn('stuck', [burnStep, completed(), importStep({ refused: 'no' })]),
			{ about: 'import', found: mined, search: null, chain: chainAt(9) },
			'done',
			'rest'
		],
		[
			'an import of others that is gone, without bytes of our own, is made anew',
			migrationIn('import-unknown', [burnStep, stepOf('import-sent', { txid: OTHER })]),
			{ about: 'import', found: absent, search: nothing, chain: chainAt(9) },
			'burn-unknown',
			'again'
		],
		[
			'a chain that does not answer changes no state',
			migrationIn('import-built', [burnStep]),
			noAnswer,
			undefined,
			'rest'
		]
	];

	test.each(cases)('%s', (_, migration, event, state, next) => {
		const decision = transition(migration, event, NOW);
		expect(decision.next).toBe(next);
		expect(decision.patch.state).toBe(state);
	});

	test('whatever rests is due later, unless it ends', () => {
		const ends: (MigrationState | undefined)[] = ['final'];
		for (const [, migration, event, state, next] of cases) {
			if (next !== 'rest') continue;
			const { due } = transition(migration, event, NOW).patch;
			if (ends.includes(state)) expect(due).toBeNull();
			else expect(due).toBeGreaterThanOrEqual(NOW);
		}
	});

	test('only a look that found nothing leads to a send', () => {
		for (const [, , event, , next] of cases) {
			if (next === 'send-burn')
				expect(event).toMatchObject({ about: 'burn', found: absent, outlook: null });
			if (next === 'send-import') {
				expect(event).toMatchObject({ about: 'import', found: absent, search: { found: null } });
			}
		}
	});
});

describe('an import whose approver may not approve any more', () => {
	const bytes = [1n, 2n].map((value) =>
		transparent({ vin: [], vout: [{ value, script: new Uint8Array(1) }] })
	);
	const [one, other] = bytes.map((tx) => ({
		hex: bytesToHex(serializeTransaction(tx)),
		txid: txidOf(tx)
	}));
	const next = (seen: string | undefined): string => {
		const evidence = seen === undefined ? {} : { seen };
		const sent = stepOf('import-sent', { ...one!, evidence, doneAt: NOW });
		return transition(
			migrationIn('import-unknown', [burnStep, completed(), sent], { policy: 'ask' }),
			{ about: 'import', found: absent, search: nothing },
			NOW
		).next;
	};

	test('goes out again where a daemon listed it, and not because it listed another one', () => {
		expect(next(one!.txid)).toBe('send-import');
		expect(next(other!.txid)).toBe('rest');
		expect(next(undefined)).toBe('rest');
	});

	test('is told apart from another one by its txid when it is listed', () => {
		for (const found of [
			{ txid: OTHER, where: 'mempool' },
			{ txid: OTHER, where: 'mined', height: 9 }
		] as const) {
			const { patch } = transition(
				migrationIn('import-unknown', [burnStep, completed(), importStep()]),
				{ about: 'import', found: absent, search: { ...nothing, found }, chain: chainAt(9) },
				NOW
			);
			expect(patch.steps![0]).toMatchObject({ step: 'import-sent', evidence: { seen: OTHER } });
		}
	});
});

describe('which proof is chosen', () => {
	const choose = (candidates: readonly Candidate[], refusedRoot?: string): string | undefined => {
		const before = refusedRoot === undefined ? [] : [importStep({ refusedRoot })];
		const { patch } = transition(
			migrationIn('waiting-target-notarization', [burnStep, ...before]),
			{ about: 'completion', candidates, tried: [] },
			NOW
		);
		return patch.steps?.find(({ step }) => step === 'completion')?.hex?.to;
	};

	test('the one whose root the destination knows, whatever its offset', () => {
		expect(choose([candidate(0, false, 'r0'), candidate(3, true, 'r3')])).toBe('c3');
	});

	test('one after the other, where the destination knows several roots and refuses one', () => {
		const three = ['r0', 'r1', 'r2'].map((root, offset) => candidate(offset, offset !== 1, root));
		expect(choose(three)).toBe('c0');
		expect(choose(three, 'r0')).toBe('c2');
		expect(choose(three, 'r2')).toBe('c0');
		expect(choose(three, 'r1')).toBe('c0');
	});

	test('none, while the destination knows no root', () => {
		expect(choose([candidate(0, false, 'r0'), candidate(3, false, 'r3')])).toBeUndefined();
	});

	test('where that cannot be asked, another than the one that was refused', () => {
		expect(choose([candidate(0, null, 'r0'), candidate(3, null, 'r3')])).toBe('c0');
		expect(choose([candidate(0, null, 'r0'), candidate(3, null, 'r3')], 'r0')).toBe('c3');
		expect(choose([candidate(0, null, 'r0')], 'r0')).toBe('c0');
	});
});

test('the pause grows with the wait, up to a minute', () => {
	const event: StepEvent = noAnswer;
	const pause = (waited: number): number =>
		transition(migrationIn('import-built', [], { state_since: BigInt(NOW - waited) }), event, NOW)
			.patch.due! - NOW;
	expect([0, 30_000, 86_400_000].map(pause)).toEqual([2_000, 3_000, 60_000]);
});

test('what a stopped migration says stays while the blocks are searched for an import', () => {
	const search = { found: null, from: 510n, complete: false };
	const reason = { code: 'proof.dead', params: { response: 'no' } } as const;
	const stopped = migrationIn('stuck', [burnStep, completed()], { reason });
	const { patch } = transition(stopped, { about: 'import', found: absent, search }, NOW);
	expect(patch).toEqual({ scanFrom: 510n, due: NOW });
});

test('blocks that a daemon has not yet are waited for, those that are left are read at once', () => {
	const open = migrationIn('import-unknown', [burnStep, completed(), importStep()]);
	const left = { found: null, from: 510n, complete: false };
	const after = (search: ImportSearch) =>
		transition(open, { about: 'import', found: absent, search }, NOW).patch;
	expect(after(left)).toMatchObject({ due: NOW, reason: { code: 'import.searched' } });
	const waits = after({ ...left, missing: { blocks: 510, tip: 515 } });
	expect(waits.due! - NOW).toBeGreaterThanOrEqual(1_000);
	expect(waits.reason).toEqual({
		code: 'import.blocks-missing',
		params: { chain: 'BETA', blocks: 510, tip: 515 }
	});
});

test('the same reason is told once', () => {
	const event: StepEvent = noAnswer;
	const first = transition(migrationIn('import-built'), event, NOW).patch;
	expect(first.event?.message).toEqual(first.reason);
	const again = transition(
		migrationIn('import-built', [], { reason: first.reason! }),
		event,
		NOW
	).patch;
	expect(again.event).toBeUndefined();
});

describe('a refusal that may pass', () => {
	const said: StepEvent = { about: 'build-refused', refusal: refusal('passing', 'busy') };
	const after = (tries: number) =>
		transition(
			migrationIn('burn-confirmed', [burnStep, stepOf('import-built', { evidence: { tries } })]),
			said,
			NOW
		).patch;

	test('is tried again after pauses that double, up to five minutes', () => {
		const pauses = [0, 1, 2, 7, 8, 17].map((tries) => after(tries).due! - NOW);
		expect(pauses).toEqual([2_000, 4_000, 8_000, 256_000, 300_000, 300_000]);
		expect(after(3).reason?.code).toBe('refusal.passing');
	});

	test('waits for a person in the end, and recommends no other route', () => {
		expect(after(18)).toMatchObject({ state: 'stuck' });
		expect(after(18).reason).toEqual({
			code: 'refusal.lasting',
			params: { chain: 'ALPHA', response: 'busy' }
		});
	});
});

describe('a burn that was refused', () => {
	const at = (dead: Dead | null, state: MigrationState = 'burn-unknown') =>
		transition(
			migrationIn(state, [burned({ refused: '16: bad' })]),
			{ about: 'burn', found: absent, outlook: { dead, spentSince: null } },
			NOW
		).patch;

	test('is looked for as long as it could still get into a block', () => {
		expect(at(null)).toMatchObject({ state: 'stuck' });
		expect(at(null).reason?.code).toBe('burn.refused');
		expect(at(null).due).toBeGreaterThan(NOW);
	});

	test('goes out again by itself where it was out before, while no block spends its inputs', () => {
		const next = (spentSince: number | null, doneAt: number | null) => {
			const burn = { ...burned({ refused: '18: bad-txns-inputs-spent', passing: false }), doneAt };
			const outlook = { dead: null, spentSince };
			const event = { about: 'burn', found: absent, outlook } as const;
			return transition(migrationIn('stuck', [burn as StepRow]), event, NOW).next;
		};
		expect(next(null, NOW)).toBe('send-burn');
		expect(next(45, NOW)).toBe('rest');
		expect(next(null, null)).toBe('rest');
	});

	test.each<Dead>(['spent', 'expired'])('is over once it is %s', (dead) => {
		expect(at(dead, 'stuck').reason?.code).toBe('burn.dead');
		expect(at(dead, 'stuck').due).toBeNull();
	});
});

describe('a notarization that KMD does not have', () => {
	const at = (lostSince: number | null) =>
		transition(
			migrationIn('import-built', [burnStep, stepOf('completion', { evidence: { lostSince } })]),
			{ about: 'completion-refused', refusal: refusal('no-notarization', '') },
			NOW
		).patch;

	test('is waited for, with a proof that is made anew', () => {
		expect(at(null)).toMatchObject({
			state: 'waiting-back-notarization',
			reason: { code: 'notarization.unknown' },
			steps: [{ step: 'completion', evidence: { lostSince: NOW } }]
		});
	});

	test('is left to a person after a day', () => {
		expect(at(NOW - 23 * 3_600_000).state).toBe('waiting-back-notarization');
		expect(at(NOW - 25 * 3_600_000)).toMatchObject({
			state: 'stuck',
			reason: { code: 'notarization.lost', params: { chain: 'ALPHA' } }
		});
	});
});

test('a stopped migration that left notary approvals is taken up with its burn, not with what they built', () => {
	const confirmed = stepOf('burn-confirmed', { doneAt: NOW });
	const resumed = (root: string | null): string =>
		resumeState(
			migrationIn('stuck', [
				burnStep,
				confirmed,
				stepOf('import-built', { hex: 'bb', evidence: { root } }),
				importStep()
			])
		);
	expect(resumed(null)).toBe('burn-confirmed');
	expect(resumed('r0')).toBe('import-unknown');
});

describe('a destination that refuses each proof', () => {
	const DAY = 24 * 3_600_000;
	const at = (refusedSince: number | null, proofsRefused: number) =>
		transition(
			migrationIn('import-unknown', [
				burnStep,
				completed(),
				importStep({ refusedSince, proofsRefused })
			]),
			{ about: 'import-sent', refusal: refusal('wait', '0: invalid-coin-import') },
			NOW
		).patch;

	test.each([
		['the first time', null, 0],
		['often, within a day', NOW - DAY / 2, 500],
		['seldom, as the server stood still', NOW - 3 * DAY, 1]
	])('is asked again: %s', (_when, since, times) => {
		expect(at(since, times)).toMatchObject({
			state: 'waiting-target-notarization',
			reason: { code: 'import.early' },
			steps: [{ evidence: { refusedSince: since ?? NOW, proofsRefused: times + 1 } }]
		});
	});

	test('is left to a person after a day', () => {
		expect(at(NOW - DAY - 1, 500)).toMatchObject({
			state: 'stuck',
			reason: { code: 'import.not-accepted', params: { chain: 'BETA' } }
		});
	});

	test('is asked anew when it knows no root any more', () => {
		const { patch } = transition(
			migrationIn('waiting-target-notarization', [
				burnStep,
				importStep({ refusedSince: NOW - DAY, proofsRefused: 500 })
			]),
			{ about: 'completion', candidates: [candidate(0, false, 'r0')], tried: [] },
			NOW
		);
		const { evidence } = patch.steps!.find(({ step }) => step === 'import-sent')!;
		expect(evidence).toEqual({ refusedSince: null, proofsRefused: 0 });
	});
});

test('evidence that does not fit leaves the migration to a person', () => {
	const { patch, next } = evidenceDamaged(migrationIn('burn-unknown', [burnStep]), 'burn', NOW);
	expect(next).toBe('rest');
	expect(patch).toMatchObject({
		state: 'stuck',
		reason: { code: 'evidence.unreadable', params: { step: 'burn' } }
	});
});

test('every state but the last has a step', () => {
	for (const state of STATES) {
		expect(currentStep(migrationIn(state, [burnStep])) === null).toBe(state === 'final');
	}
});

describe('the backup route', () => {
	const backup = { path: 'backup' } as const;
	const approvals = { txids: ['a1', 'a2'], notaries: ['02', '03'], height: 40 };
	const approved = (seen: Partial<typeof approvals> = {}): StepEvent => ({
		about: 'approved-build',
		hex: 'dd',
		txid: IMPORT,
		approvals: { ...approvals, ...seen }
	});
	const builtStep = stepOf('import-built', { hex: 'dd', txid: IMPORT, doneAt: NOW });
	const collecting = (
		steps: readonly StepRow[] = [],
		more: Partial<MigrationRow> = {}
	): MigrationRecord =>
		migrationIn('backup-collecting', [burnStep, stepOf('approvals'), ...steps], {
			...backup,
			...more
		});

	test('too few approvals are waited for, and said once', () => {
		const count = { counted: 3, pending: 1, unknown: 2 };
		const { patch, next } = transition(collecting(), { about: 'approvals', count }, NOW);
		expect(next).toBe('rest');
		expect(patch.reason).toEqual({ code: 'approvals.awaited', params: count });
		expect(patch.event?.message).toEqual(patch.reason);
		const again = collecting([], { reason: patch.reason ?? null });
		expect(transition(again, { about: 'approvals', count }, NOW).patch.event).toBeUndefined();
	});

	test('enough approvals make an import that goes out as the policy says', () => {
		expect(transition(collecting(), approved(), NOW)).toMatchObject({
			patch: { state: 'ready-to-import' },
			next: 'again'
		});
		expect(transition(collecting([], { policy: 'ask-two' }), approved(), NOW)).toMatchObject({
			patch: { state: 'needs-approval', due: NOW + 2_000 },
			next: 'rest'
		});
		const ready = migrationIn('ready-to-import', [burnStep, completed(), builtStep], backup);
		expect(transition(ready, null, NOW).patch).toMatchObject({
			state: 'import-unknown',
			steps: [{ step: 'import-sent', hex: { from: null, to: 'dd' }, txid: IMPORT }]
		});
	});

	test('an import that the chain refuses is tried again later each time, until the approvals are others', () => {
		const sent = (evidence: Evidence<'import-sent'>): StepRow =>
			stepOf('import-sent', { hex: 'dd', txid: IMPORT, evidence });
		const refusedOnce = transition(
			migrationIn(
				'import-unknown',
				[burnStep, stepOf('approvals', { evidence: { height: 40 } }), builtStep, sent({})],
				backup
			),
			{ about: 'import-sent', refusal: refusal('wait') },
			NOW
		).patch;
		expect(refusedOnce).toMatchObject({
			state: 'backup-collecting',
			steps: [{ evidence: { refusedTxid: IMPORT, refusedTimes: 1, refusedUntil: 41 } }]
		});
		const refused = { refusedTxid: IMPORT, refusedTimes: 3, refusedUntil: 48 };
		const waits = collecting([builtStep, sent(refused)]);
		expect(transition(waits, approved({ height: 47 }), NOW)).toMatchObject({
			patch: {
				reason: { code: 'approvals.refused', params: { chain: 'BETA' } }
			},
			next: 'rest'
		});
		expect(transition(waits, approved({ height: 48 }), NOW).next).toBe('again');
		const others = collecting([builtStep, sent({ ...refused, refusedTxid: OTHER })]);
		expect(transition(others, approved({ height: 41 }), NOW).next).toBe('again');
	});

	test('a burn that left its block is looked up before anything is built with its approvals', () => {
		const gone: StepEvent = { about: 'build-refused', refusal: refusal('back-to-burn') };
		expect(transition(collecting(), gone, NOW).patch.state).toBe('burn-unknown');
		const never: StepEvent = { about: 'build-refused', refusal: refusal('final') };
		expect(transition(collecting(), never, NOW).patch.state).toBe('stuck');
		const away: StepEvent = { about: 'build-refused', refusal: refusal('unreachable') };
		expect(transition(collecting(), away, NOW)).toMatchObject({ next: 'rest' });
	});

	test('stuck or not, it stands at a step of its own route', () => {
		const stuck = migrationIn('stuck', [burnStep, stepOf('approvals'), completed()], backup);
		expect(currentStep(stuck)).toBe('approvals');
		expect(currentStep(migrationIn('burn-confirmed', [burnStep], backup))).toBe('approvals');
		expect(currentStep(collecting())).toBe('approvals');
	});
});
