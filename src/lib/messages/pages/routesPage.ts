/** Texts of the page of routes between chains. */
import { count, plural } from '#lib/text/plural.ts';

/** Why a route is unavailable. */
export type RouteObstacle =
	| { code: 'offline'; chain: string }
	| { code: 'other-notaries'; source: string; target: string }
	| { code: 'notarizations-unknown'; main: string }
	| { code: 'not-notarized'; chain: string; blocks: number }
	| { code: 'too-few-notarizations'; chain: string; found: number; needed: number };

export function routeObstacleMessage(obstacle: RouteObstacle): string {
	switch (obstacle.code) {
		case 'offline':
			return `${obstacle.chain} is offline.`;
		case 'other-notaries':
			return `${obstacle.source} and ${obstacle.target} are notarized by different groups of notaries.`;
		case 'notarizations-unknown':
			return `Notarizations are unknown: the index lacks blocks of ${obstacle.main}.`;
		case 'not-notarized':
			return `${obstacle.chain} was not notarized in the last ${count(obstacle.blocks)} KMD blocks.`;
		case 'too-few-notarizations':
			return `${obstacle.chain} has ${obstacle.found} of the ${plural(obstacle.needed, 'notarization')} that a proof needs.`;
	}
}

const ROUTE_STATES = {
	available: 'Available',
	unavailable: 'Unavailable',
	unknown: 'Unknown'
} as const;

/** Returns whether a route may be available, as far as the index knows. */
export const isUnknownRoute = ({ obstacles }: { obstacles: readonly RouteObstacle[] }): boolean =>
	obstacles.length > 0 && obstacles.every(({ code }) => code === 'notarizations-unknown');

export const routesPage = {
	title: 'Routes',
	/** @param unknown number of routes of which it is unknown whether they are available */
	lead: (open: number, routes: number, unknown: number): string =>
		`Chains with the same CCid (100 or higher) can exchange coins and tokens once both are notarized. ${count(open)} of ${plural(routes, 'route')} available${unknown > 0 ? `, ${count(unknown)} unknown` : ''}.`,
	reconciliation: 'Reconciliation',
	transfers: 'Transfers',
	unseen: {
		title: (chains: readonly string[]): string => `Not indexed yet: ${chains.join(', ')}`,
		text: 'Indexing of these chains has not started.'
	},
	empty: { title: 'No chains indexed yet', text: 'Routes appear as chains are indexed.' },
	group: {
		title: (ccid: number | null): string => (ccid === null ? 'No CCid' : `CCid ${ccid}`),
		noCcid: 'no CCid of 100 or higher',
		alone: 'No partner chain',
		chains: (chains: number): string => plural(chains, 'chain'),
		label: (ccid: number | null, chains: readonly string[]): string =>
			ccid === null
				? `Chains without a CCid: ${chains.join(', ')}`
				: `Routes between the chains of CCid ${ccid}, as in the table below`
	},
	map: {
		route: (source: string, target: string, obstacles: readonly RouteObstacle[]): string =>
			`${source} to ${target}: ${obstacles.length === 0 ? ROUTE_STATES.available : obstacles.map(routeObstacleMessage).join(' ')}`,
		offline: 'Offline',
		notNotarized: 'Not notarized',
		unknown: 'Notarization unknown',
		notarized: (height: number): string => `Notarized ${count(height)}`
	},
	flow: {
		title: 'Burned per day',
		note: 'coins, last 30 days',
		route: (source: string, target: string): string => `${source} → ${target}`,
		total: (burned: string, ticker: string): string => `${burned} ${ticker}`,
		unit: 'Burned',
		day: (burned: string, ticker: string, burns: number): string =>
			`${burned} ${ticker}, ${plural(burns, 'burn')}`
	},
	routes: {
		title: 'Routes',
		note: 'between chains with the same CCid',
		none: {
			title: 'No routes',
			text: 'Routes need two chains that were started with the same -ac_cc of 100 or higher.'
		},
		caption: 'Routes with totals',
		columns: {
			from: 'From',
			to: 'To',
			ccid: 'CCid',
			state: 'State',
			burned: 'Burned',
			imported: 'Imported',
			open: 'Open'
		},
		states: ROUTE_STATES,
		burns: (burns: number): string => plural(burns, 'burn'),
		imports: (imports: number): string => plural(imports, 'import'),
		/** @param groups chains that can exchange with each other */
		apart: (groups: readonly { ccid: number | null; chains: readonly string[] }[]): string => {
			const each = groups.map(
				({ ccid, chains }) =>
					`${chains.join(' and ')} (${ccid === null ? 'no CCid' : `CCid ${ccid}`})`
			);
			return `No route between ${each.join(', ')}: imports need matching CCids.`;
		}
	},
	chains: {
		title: 'Chains',
		caption: 'Requirements by chain',
		columns: {
			chain: 'Chain',
			ccid: 'CCid',
			daemon: 'Daemon',
			notarized: 'Notarized block',
			recent: 'Recent notarizations on KMD',
			last: 'Last notarized',
			indexed: 'Indexed up to'
		},
		states: { online: 'Online', offline: 'Offline' },
		recent: (found: number): string => `${found} of 7`,
		never: 'Never',
		unknown: 'Unknown'
	},
	files: 'routes'
} as const;
