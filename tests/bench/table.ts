/** One measured figure beside its goal. */
export interface Measure {
	what: string;
	figure: string;
	goal: string;
	/** Null when there is no goal. */
	met: boolean | null;
}

const MARKS = { true: 'ok', false: 'MISS', null: '' } as const;

/** Prints the figures as a table of fixed columns. */
export function printTable(measures: readonly Measure[]): void {
	const rows = [
		['measure', 'figure', 'goal', ''],
		...measures.map(({ what, figure, goal, met }) => [
			what,
			figure,
			goal,
			MARKS[String(met) as keyof typeof MARKS]
		])
	];
	const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]!.length)));
	for (const [at, row] of rows.entries()) {
		const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
		process.stdout.write(`${line.trimEnd()}\n`);
		if (at === 0) process.stdout.write(`${widths.map((n) => '-'.repeat(n)).join('  ')}\n`);
	}
}

/** The value below which this share of all values lies. */
export function percentile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
export const times = (value: number): string => `${value.toFixed(2)}x`;
