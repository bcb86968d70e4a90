import { expect, test } from 'vitest';
import { withChanges, type WalletChoice } from './choice.ts';

const some = (...daemons: string[]): WalletChoice => ({ every: false, daemons });
const every: WalletChoice = { every: true, daemons: [] };

test('what a form changes of what it showed is changed, and what it left stays as it is by now', () => {
	// No other admin has changed anything.
	expect(withChanges(some('A'), some('A'), some('A', 'B'))).toEqual(some('A', 'B'));
	expect(withChanges(some('A', 'B'), some('A', 'B'), some('B'))).toEqual(some('B'));
	expect(withChanges(some('A'), some('A'), every)).toEqual(every);
	expect(withChanges(every, every, some('A'))).toEqual(some('A'));
	// Another admin granted or withdrew a wallet since the form was rendered.
	expect(withChanges(some('B'), some('A', 'B'), some('A', 'B', 'C'))).toEqual(some('B', 'C'));
	expect(withChanges(some(), some('A'), some('A'))).toEqual(some());
	expect(withChanges(some('A', 'B'), some('A'), some())).toEqual(some('B'));
	expect(withChanges(some('A'), every, every)).toEqual(some('A'));
	expect(withChanges(every, some('A'), some('A', 'B'))).toEqual(every);
});
