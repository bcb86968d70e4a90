/** Texts of the reconciliation page. */
import { count, plural } from '#lib/text/plural.ts';
import { PAGE_NAMES } from '../navigation.ts';

interface Route {
	/** Satoshi that were burned and not imported; negative when more was imported. */
	open: bigint;
	/** Number of burns without an import, by age. */
	byAge: readonly { burns: number; tokenBurns: number }[];
}

/** Returns the number of burns without an import, of coins and tokens. */
export const openBurns = ({ byAge }: Pick<Route, 'byAge'>): number =>
	byAge.reduce((sum, { burns, tokenBurns }) => sum + burns + tokenBurns, 0);

export const RECONCILIATION = {
	title: PAGE_NAMES.reconciliation,
	lead: 'Burned vs. imported per route, fees included. Open = burned, not yet imported.',
	routes: PAGE_NAMES.routes,
	transfers: PAGE_NAMES.transfers,
	none: {
		what: 'cross-chain burns',
		title: 'No cross-chain burns yet',
		text: 'Reconciliation starts with the first confirmed burn.'
	},
	group: {
		title: (ccid: number): string => `CCid ${ccid}`,
		/**
		 * Judges each route: in the total, an excess of one would hide what is open on another.
		 * @param isIncomplete whether burns may exist that are not indexed
		 */
		note: (routes: readonly Route[], isIncomplete: boolean): string => {
			const found = [
				...(routes.some((route) => route.open > 0n || openBurns(route) > 0) ? ['some open'] : []),
				...(routes.some(({ open }) => open < 0n) ? ['imported exceeds indexed burns'] : [])
			];
			return [
				plural(routes.length, 'route'),
				...(found.length > 0 || isIncomplete ? found : ['all imported'])
			].join(', ');
		},
		caption: (ccid: number): string => `Routes of CCid ${ccid}`,
		sum: (ccid: number): string => `Total of these routes, CCid ${ccid}`,
		ages: 'Age columns: burns without an import on an indexed chain. Burns of tokens for unknown chains are listed under Transfers only.'
	},
	/** Routes that are not shown. */
	rest: {
		text: (n: number): string =>
			`${plural(n, 'more route')} of unknown chains or other CCids, with fewer coins burned and imported.`,
		file: 'All routes as CSV'
	},
	columns: {
		from: 'From',
		to: 'To',
		burned: 'Burned',
		importedFrom: 'Imported from',
		open: 'Open',
		imported: 'Imported'
	},
	/** Ages of unfinished burns. */
	ages: { hour: 'Under 1 hour', day: 'Under 1 day', week: 'Under 1 week', older: 'Older' },
	burns: (n: number): string => plural(n, 'burn'),
	tokenBurns: (n: number): string => plural(n, 'token burn'),
	imports: (n: number): string => plural(n, 'import'),
	excess: (n: number): string => `${plural(n, 'import')} without an indexed burn`,
	percent: (part: number): string => `${part} percent imported`,
	open: {
		title: 'Burns without an import',
		note: (most: number): string => `Oldest first, at most ${count(most)}`,
		all: 'All open burns',
		what: 'open burns',
		none: 'All burns imported',
		caption: 'Burns without an import, oldest first'
	},
	what: 'routes'
} as const;
