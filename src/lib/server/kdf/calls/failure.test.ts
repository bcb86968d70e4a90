import { expect, test } from 'vitest';
import type { Failure } from '#lib/messages/errors/activation.ts';
import { afterEarlier, wasRequested } from './failure.ts';

test('a node that was asked in one try was asked, whatever keeps later tries from it', () => {
	const away: Failure = { kind: 'away', type: null, message: '', data: null };
	const refused = (type: string): Failure => ({ ...away, kind: 'refused', type });
	const own = refused('NotAllowedNow');
	const after = (...tries: Failure[]): boolean =>
		wasRequested(tries.reduce((before, one) => afterEarlier(before, one)));
	expect(after(away, own)).toBe(false);
	expect(after(refused('Transport'), away, own)).toBe(true);
	expect(after({ ...away, kind: 'unsure' }, own, away)).toBe(true);
});
