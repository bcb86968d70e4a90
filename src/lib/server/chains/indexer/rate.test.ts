import { expect, it } from 'vitest';
import { Rate } from './rate.ts';

it('is not known until a second was measured', () => {
	const rate = new Rate();
	expect(rate.perSecond()).toBeNull();
	rate.begin(5_000);
	rate.add(400, 5_400);
	expect(rate.perSecond()).toBeNull();
	rate.add(600, 6_000);
	expect(rate.perSecond()).toBe(1_000);
});

it('is that of the last ten seconds, however long the way was before', () => {
	const rate = new Rate();
	rate.begin(0);
	for (let second = 1; second <= 60; second++) rate.add(1_000, second * 1_000);
	expect(rate.perSecond()).toBe(1_000);
	for (let second = 61; second <= 72; second++) rate.add(10, second * 1_000);
	expect(rate.perSecond()).toBe(10);
});

it('forgets what was before it began anew', () => {
	const rate = new Rate();
	rate.begin(0);
	rate.add(5_000, 2_000);
	rate.begin(60_000);
	expect(rate.perSecond()).toBeNull();
});
