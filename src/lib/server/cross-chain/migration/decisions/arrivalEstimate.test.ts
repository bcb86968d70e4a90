import { describe, expect, it } from 'vitest';
import { arrivalEstimate, type Paces } from './arrivalEstimate.ts';

const every = (seconds: number): number[] => Array.from({ length: 20 }, () => seconds);
const PACES: Paces = {
	blocks: { source: every(60), destination: every(60) },
	notarizations: { source: every(600), destination: every(600) }
};

describe('the estimate of an arrival', () => {
	it('is half of each interval on average, where events come at even intervals', () => {
		const range = arrivalEstimate('notarized', PACES)!;
		expect((range.low + range.high) / 2).toBeCloseTo(30 + 300 + 300 + 300 + 30);
		expect(range.low).toBeLessThan(range.high);
	});

	it('counts the steps that are not behind only', () => {
		const range = arrivalEstimate('notarized', PACES, 'import-confirmed')!;
		expect((range.low + range.high) / 2).toBeCloseTo(30);
	});

	it('is longer where intervals of the same mean are less even', () => {
		const source = [...every(500).slice(0, 15), 900, 900, 900, 900, 900];
		const uneven = { ...PACES, notarizations: { ...PACES.notarizations, source } };
		expect(source.reduce((sum, seconds) => sum + seconds)).toBe(20 * 600);
		const { high } = arrivalEstimate('notarized', uneven)!;
		expect(high).toBeGreaterThan(arrivalEstimate('notarized', PACES)!.high);
	});

	it('is none where a chain has too few notarizations, and where notaries approve one by one', () => {
		const none = { ...PACES.notarizations, destination: [600] };
		expect(arrivalEstimate('notarized', { ...PACES, notarizations: none })).toBeNull();
		expect(arrivalEstimate('backup', PACES)).toBeNull();
		expect(arrivalEstimate('backup', PACES, 'import-sent')).not.toBeNull();
	});

	it('takes one outage for what it is', () => {
		const outage = { ...PACES.notarizations, source: [...every(600).slice(0, 19), 500_000] };
		const range = arrivalEstimate('notarized', { ...PACES, notarizations: outage })!;
		expect(range.high).toBeLessThan(2 * arrivalEstimate('notarized', PACES)!.high);
	});

	it('never begins below zero', () => {
		const wild = [1, 1, 1, 1, 5_000];
		const paces = { ...PACES, notarizations: { source: wild, destination: wild } };
		expect(arrivalEstimate('notarized', paces)!.low).toBeGreaterThanOrEqual(0);
	});
});
