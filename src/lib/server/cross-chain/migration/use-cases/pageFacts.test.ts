import { describe, expect, test } from 'vitest';
import { stepsFrom, type MigrationRecord, type StepRow } from '../migrationRecord.ts';
import type { MigrationState } from '../states.ts';
import { pageFacts } from './pageFacts.ts';

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;
const every = (seconds: number): number[] => Array.from({ length: 20 }, () => seconds);
const PACES = {
	blocks: { source: every(60), destination: every(60) },
	notarizations: { source: every(600), destination: every(600) }
};
const UNKNOWN = {
	blocks: { source: [], destination: [] },
	notarizations: { source: [], destination: [] }
};
const PAYOUT = { value: 5n, hash: 'ab'.repeat(20) };
/** One payout of 5 satoshi to the address of a key's hash. */
const PAYOUTS = `01${'0500000000000000'}1976a914${PAYOUT.hash}88ac`;

function migrationIn(
	state: MigrationState,
	more: Partial<MigrationRecord['row']> = {},
	steps: readonly Partial<StepRow>[] = []
): MigrationRecord {
	const row = {
		id: 'one',
		path: 'notarized',
		source: 'ALPHA',
		destination: 'BETA',
		tokenid: null,
		address: 'R',
		amount: 115n,
		payouts: null,
		state,
		due_at: null,
		reason: null,
		created_at: BigInt(NOW),
		...more
	} as MigrationRecord['row'];
	const stored = steps.map((step) => ({
		...{ hex: null, txid: null, evidence: {}, startedAt: null, doneAt: null },
		...step
	}));
	return { row, steps: stepsFrom(stored as unknown as StepRow[]), approvers: [] };
}

describe('the facts on the page of a migration', () => {
	test('call it late when it takes longer than usual since the burn was confirmed', () => {
		const burn = { step: 'burn', startedAt: NOW } as const;
		const moving = migrationIn('burn-pending', { created_at: 0n }, [burn]);
		const soon = pageFacts(moving, PACES, NOW + MINUTE);
		expect(soon).toMatchObject({ confirmedAt: NOW, moving: true, estimate: { late: false } });
		const late = pageFacts(moving, PACES, NOW + 300 * MINUTE);
		expect(late.estimate).toEqual({ late: true, range: late.usual });
		expect(pageFacts(moving, UNKNOWN, NOW + 300 * MINUTE)).toMatchObject({
			usual: null,
			estimate: null
		});
	});

	test('leave durations out once it has arrived or was discarded', () => {
		const imported = {
			step: 'import-confirmed',
			txid: 'cd',
			evidence: { height: 7 },
			doneAt: NOW
		} as const;
		const done = pageFacts(migrationIn('done', {}, [imported as Partial<StepRow>]), PACES, NOW);
		expect(done).toMatchObject({
			usual: 'none',
			estimate: null,
			arrivedToken: null,
			arrival: { final: false, height: 7, confirmations: 1, awaitsNotarization: false, at: NOW }
		});
		expect(pageFacts(migrationIn('discarded'), PACES, NOW).usual).toBe('none');
		const token = migrationIn('final', { tokenid: 'ef' }, [imported as Partial<StepRow>]);
		expect(pageFacts(token, PACES, NOW)).toMatchObject({
			arrivedToken: 'cd',
			arrival: { final: true }
		});
	});

	test('do not say that it moves while a member has to decide', () => {
		const due = { due_at: BigInt(NOW) };
		expect(pageFacts(migrationIn('needs-approval', due), PACES, NOW).moving).toBe(false);
		expect(pageFacts(migrationIn('stuck', due), PACES, NOW).moving).toBe(true);
		expect(pageFacts(migrationIn('draft'), PACES, NOW).moving).toBe(false);
	});

	test('read the recipients from the payouts of the burn, but for a token from its form', () => {
		expect(pageFacts(migrationIn('draft', { payouts: PAYOUTS }), PACES, NOW).recipients).toEqual([
			{ address: expect.stringMatching(/^R\w{33}$/) as string, value: PAYOUT.value }
		]);
		for (const more of [{ payouts: null }, { payouts: PAYOUTS, tokenid: 'ef' }]) {
			expect(pageFacts(migrationIn('draft', more), PACES, NOW).recipients).toEqual([
				{ address: 'R', value: 115n }
			]);
		}
	});
});
