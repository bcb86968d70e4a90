import { describe, expect, test } from 'vitest';
import { currentStep, decide, type Candidate, type Observation } from './decide.ts';
import type { MigrationPolicy, MigrationState } from './states.ts';
import type { StepId } from './steps.ts';
import type { Evidence, Loaded, StepRow } from './store.ts';

const NOW = 1_800_000_000_000;

function step(id: StepId, more: Partial<StepRow> = {}): StepRow {
	return { step: id, hex: null, txid: null, evidence: {}, startedAt: null, doneAt: null, ...more };
}

function at(
	state: MigrationState,
	steps: readonly StepRow[] = [],
	more: { policy?: MigrationPolicy; approved_by?: string | null; reason?: string } = {}
): Loaded {
	const time = BigInt(NOW - 1_000);
	return {
		row: {
			id: 'm',
			route: 'notarized',
			source: 'ALPHA',
			destination: 'BETA',
			source_daemon: 'ALPHA',
			destination_daemon: 'BETA',
			kmd_daemon: 'KMD',
			ccid: 777n,
			pubkey: null,
			address: 'R',
			amount: 1n,
			payouts: '00',
			burn_txid: 'b'.repeat(64),
			import_scan_from: 5n,
			created_by: 'ada',
			policy: 'automatic',
			state,
			approved_by: null,
			due_at: time,
			lease_owner: null,
			lease_until: null,
			fence: 1n,
			reason: null,
			state_since: time,
			created_at: time,
			updated_at: time,
			...more
		},
		steps: new Map(steps.map((one) => [one.step, one]))
	};
}

const refused = (evidence: Evidence, id: StepId): StepRow => step(id, { evidence, txid: 't' });
const absent = { where: 'absent' } as const;
const mempool = { where: 'mempool', hex: '00' } as const;
const mined = { where: 'mined', hex: '00', height: 9, blockhash: 'h' } as const;
const searched = (complete = true) => ({ found: null, from: 5n, complete });
const refusal = (verdict: 'wait' | 'unknown' | 'unreachable' | 'spent' | 'final' | 'already') => ({
	verdict,
	words: 'said'
});
const candidate = (known: boolean | null, root = 'r'): Candidate => ({
	offset: 0,
	hex: `hex of ${root}`,
	review: { txid: `txid of ${root}`, size: 1, notarization: 'n', root },
	known
});
const completion = (...candidates: Candidate[]): Observation => ({
	about: 'completion',
	candidates,
	tried: [{ offset: 0, outcome: 'completed' }]
});

type Row = [name: string, loaded: Loaded, seen: Observation | null, state: string, next: string];

describe('what is done next', () => {
	test.each<Row>([
		[
			'a confirmed burn that nobody knows is sent',
			at('burn-unknown'),
			{ about: 'burn', found: absent },
			'burn-unknown',
			'send-burn'
		],
		[
			'a burn in the mempool waits',
			at('burn-unknown'),
			{ about: 'burn', found: mempool },
			'burn-pending',
			'rest'
		],
		[
			'a mined burn goes on',
			at('burn-pending'),
			{ about: 'burn', found: mined },
			'burn-confirmed',
			'again'
		],
		[
			'a burn that vanished is looked up before it is sent',
			at('burn-pending'),
			{ about: 'burn', found: absent },
			'burn-unknown',
			'again'
		],
		[
			'a burn sent is looked up',
			at('burn-unknown'),
			{ about: 'burn-sent', refusal: null },
			'burn-unknown',
			'again'
		],
		[
			'a burn that was there already is looked up',
			at('burn-unknown'),
			{ about: 'burn-sent', refusal: refusal('already') },
			'burn-unknown',
			'again'
		],
		[
			'a send whose answer got lost rests first',
			at('burn-unknown'),
			{ about: 'burn-sent', refusal: refusal('unknown') },
			'burn-unknown',
			'rest'
		],
		[
			'a refused burn is looked up once more',
			at('burn-unknown'),
			{ about: 'burn-sent', refusal: refusal('spent') },
			'burn-unknown',
			'again'
		],
		[
			'a refused burn that is nowhere stops',
			at('burn-unknown', [refused({ refused: 'said' }, 'burn')]),
			{ about: 'burn', found: absent },
			'stuck',
			'rest'
		],
		[
			'a refused burn that is mined after all goes on',
			at('burn-unknown', [refused({ refused: 'said' }, 'burn')]),
			{ about: 'burn', found: mined },
			'burn-confirmed',
			'again'
		],
		[
			'no notarization yet waits',
			at('burn-confirmed'),
			{ about: 'build-refused', refusal: refusal('wait') },
			'waiting-back-notarization',
			'rest'
		],
		[
			'a final refusal stops',
			at('burn-confirmed'),
			{ about: 'build-refused', refusal: refusal('final') },
			'stuck',
			'rest'
		],
		[
			'a daemon that is down does not stop it',
			at('burn-confirmed'),
			{ about: 'build-refused', refusal: refusal('unreachable') },
			'burn-confirmed',
			'rest'
		],
		[
			'a built import is completed',
			at('waiting-back-notarization'),
			{ about: 'build', hex: 'aa', review: candidate(null).review },
			'import-built',
			'again'
		],
		[
			'a proof without the destination waits',
			at('import-built'),
			{ about: 'completion-refused', refusal: refusal('wait') },
			'waiting-target-notarization',
			'rest'
		],
		[
			'a root that the destination does not know waits',
			at('import-built'),
			completion(candidate(false)),
			'waiting-target-notarization',
			'rest'
		],
		[
			'a known root is ready',
			at('waiting-target-notarization'),
			completion(candidate(false, 'a'), candidate(true, 'b')),
			'ready-to-import',
			'again'
		],
		[
			'a person is asked where the policy says so',
			at('import-built', [], { policy: 'ask' }),
			completion(candidate(true)),
			'needs-approval',
			'rest'
		],
		[
			'and not a second time',
			at('import-built', [], { policy: 'ask', approved_by: 'ada' }),
			completion(candidate(true)),
			'ready-to-import',
			'again'
		],
		[
			'a chosen import is looked up before it is sent',
			at('ready-to-import', [step('completion', { hex: 'aa', txid: 't' })]),
			null,
			'import-unknown',
			'again'
		],
		[
			'an import that nobody knows is sent',
			at('import-unknown'),
			{ about: 'import', found: absent, search: searched() },
			'import-unknown',
			'send-import'
		],
		[
			'not before all blocks were searched',
			at('import-unknown'),
			{ about: 'import', found: absent, search: searched(false) },
			'import-unknown',
			'rest'
		],
		[
			'another import of the burn is waited for',
			at('import-unknown'),
			{
				about: 'import',
				found: absent,
				search: { ...searched(), found: { txid: 'x', where: 'mempool' } }
			},
			'import-pending',
			'rest'
		],
		[
			'another mined import of the burn is the end',
			at('import-unknown'),
			{
				about: 'import',
				found: absent,
				search: { ...searched(), found: { txid: 'x', where: 'mined', height: 7 } }
			},
			'done',
			'rest'
		],
		[
			'an import that comes too early waits',
			at('import-unknown'),
			{ about: 'import-sent', refusal: refusal('wait') },
			'waiting-target-notarization',
			'rest'
		],
		[
			'a refused import is looked up once more',
			at('import-unknown'),
			{ about: 'import-sent', refusal: refusal('final') },
			'import-unknown',
			'again'
		],
		[
			'a refused import that is nowhere stops',
			at('import-unknown', [refused({ refused: '64: scriptpubkey' }, 'import-sent')]),
			{ about: 'import', found: absent, search: searched() },
			'stuck',
			'rest'
		],
		[
			'an import that vanished is looked up',
			at('import-pending'),
			{ about: 'import', found: absent, search: searched() },
			'import-unknown',
			'again'
		],
		[
			'a mined import is the end',
			at('import-pending'),
			{ about: 'import', found: mined, search: null },
			'done',
			'rest'
		],
		[
			'bytes that are not what they should be stop',
			at('import-built'),
			{ about: 'review', words: 'no' },
			'stuck',
			'rest'
		],
		[
			'nobody answers: wait',
			at('import-built'),
			{ about: 'no-answer', chain: 'KMD', words: 'no' },
			'import-built',
			'rest'
		]
	])('%s', (_, loaded, seen, state, next) => {
		const decision = decide(loaded, seen, NOW);
		expect(decision.change.state ?? loaded.row.state).toBe(state);
		expect(decision.next).toBe(next);
		// What rests is due again, unless it is over or a person's turn.
		if (next === 'rest') {
			const over = ['done', 'stuck', 'needs-approval'].includes(state);
			expect(typeof decision.change.due).toBe(over ? 'object' : 'number');
		}
	});

	test('the bytes of the import are chosen from what stood there before', () => {
		const loaded = at('ready-to-import', [
			step('completion', { hex: 'bb', txid: 't' }),
			step('import-sent', { hex: 'aa' })
		]);
		expect(decide(loaded, null, NOW).change.steps).toMatchObject([
			{ step: 'import-sent', hex: { from: 'aa', to: 'bb' } }
		]);
	});

	test('where the destination cannot be asked, a refused root gives way to another', () => {
		const loaded = at('waiting-target-notarization', [
			step('import-sent', { evidence: { refusedRoot: 'a' } })
		]);
		const decision = decide(loaded, completion(candidate(null, 'a'), candidate(null, 'b')), NOW);
		expect(decision.change.steps?.[0]).toMatchObject({ hex: { to: 'hex of b' } });
	});

	test('the same reason is told once', () => {
		const seen: Observation = { about: 'burn', found: mempool };
		const first = decide(at('burn-unknown'), seen, NOW).change;
		expect(first.event).toBeDefined();
		const again = decide(at('burn-pending', [], { reason: first.reason! }), seen, NOW).change;
		expect(again.event).toBeUndefined();
	});

	test('each state has its step', () => {
		expect(currentStep(at('burn-unknown'))).toBe('burn');
		expect(currentStep(at('waiting-target-notarization'))).toBe('completion');
		expect(
			currentStep(at('waiting-target-notarization', [step('completion', { doneAt: 1 })]))
		).toBe('target-notarization');
		expect(currentStep(at('stuck', [step('burn'), step('import-sent')]))).toBe('import-sent');
		expect(currentStep(at('done'))).toBeNull();
	});
});
