import { expect, it } from 'vitest';
import { timelineOf } from './timeline.ts';

const mark = (time: number, height: number, signers: number[] = []) => ({
	txid: String(time),
	time,
	height,
	signers
});

it('places notarizations by time and compares each interval with the median', () => {
	const { marks, median } = timelineOf([mark(700, 9), mark(200, 4), mark(100, 2), mark(0, 1)]);
	expect(marks.map(({ x }) => x)).toEqual([0, 1 / 7, 2 / 7, 1]);
	expect(median).toBe(100);
	expect(marks.map(({ drift }) => drift)).toEqual([null, 1, 1, 5]);
	expect(marks.map(({ blocks }) => blocks)).toEqual([null, 1, 2, 5]);
});

it('counts how often each notary signed', () => {
	const { signed } = timelineOf([mark(1, 1, [3, 4]), mark(0, 0, [4])]);
	expect([...signed]).toEqual([
		[4, 2],
		[3, 1]
	]);
});

it('has a place for a single one, and none for none', () => {
	expect(timelineOf([mark(5, 1)]).marks[0]).toMatchObject({ x: 0.5, interval: null, drift: null });
	expect(timelineOf([])).toMatchObject({ marks: [], median: null });
});
