import { expect, it } from 'vitest';
import { flowStrands } from './flowStrands.ts';

it('draws each amount as thick as its share, and none too thin to be seen', () => {
	const [large, small, none] = flowStrands([30n, 10n, 0n], 120, 40);
	expect(large!.width).toBe(30);
	expect(small!.width).toBe(10);
	expect(none!.width).toBe(1.5);
});

it('keeps every strand within the picture, however many there are', () => {
	for (const many of [1, 2, 24, 25, 1000]) {
		const strands = flowStrands(
			Array.from({ length: many }, () => 5n),
			120,
			40
		);
		expect(strands.length).toBeLessThanOrEqual(24);
		for (const { side, middle, width } of strands) {
			for (const at of [side, middle]) {
				expect(at - width / 2).toBeGreaterThanOrEqual(-0.001);
				expect(at + width / 2).toBeLessThanOrEqual(120.001);
			}
		}
	}
});

it('draws what is not known as equal parts', () => {
	expect(new Set(flowStrands([5n, null, 7n], 120, 30).map(({ width }) => width)).size).toBe(1);
});
