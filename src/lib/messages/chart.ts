/** Texts that all charts share. */
import { plural } from '#lib/text/plural.ts';

export const chart = {
	none: 'No data yet',
	table: 'Show as table',
	when: 'Time',
	label: (title: string, note: string | undefined, values: number): string =>
		`${title}${note === undefined ? '' : `, ${note}`}: ${plural(values, 'value')}, in the table below.`
} as const;

/** Texts of the chart of burns and imports per route. */
export const flowChart = {
	none: 'Nothing was migrated on these routes yet.',
	totals: (burned: string, imported: string, ticker: string): string =>
		`${burned} ${ticker} burned, ${imported} imported`
} as const;
