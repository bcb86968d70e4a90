import { expect, test } from 'vitest';
import { askedWait } from './askedWait.ts';

test('a response that names seconds is waited for as long, within a limit', () => {
	expect(askedWait('3')).toBe(3_000);
	expect(askedWait('86400')).toBe(600_000);
});

test('without seconds no wait is asked for', () => {
	for (const header of [null, '', '0', '-5', 'soon', 'Wed, 21 Oct 2026 07:28:00 GMT']) {
		expect(askedWait(header), String(header)).toBe(0);
	}
});
