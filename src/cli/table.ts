/** Formats rows in columns; the last column is not padded. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
	const all = [head, ...rows];
	const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
	return all.map((row) =>
		row
			.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
			.join('  ')
			.trimEnd()
	);
}
