import { expect, test } from 'vitest';
import { RETRY_AFTER_S } from './states.ts';
import { transition } from './transition.ts';
import type { ActivationRow } from './activationRow.ts';

const NOW = Date.UTC(2026, 10, 26, 12);
const HOUR = 3_600_000;

/** An activation that waits for its next try, while the result of the last one is being removed from the node. */
const waitingSince = (since: number): ActivationRow => {
	const read: Partial<ActivationRow> = {
		method: 'task::enable_utxo',
		state: 'waiting',
		attempt: 1n,
		state_since: BigInt(since)
	};
	return read as ActivationRow;
};

test.each([
	['that began a moment ago', NOW - 1_000, NOW - 1_000],
	['that began by a clock which was set back an hour since', NOW + HOUR, NOW]
])('the next try of an activation %s is no later than its pause', (_which, since, from) => {
	const { due } = transition(waitingSince(since), { about: 'forgotten' }, NOW);
	expect(due).toBe(from + (RETRY_AFTER_S[0] ?? 0) * 1_000);
});
