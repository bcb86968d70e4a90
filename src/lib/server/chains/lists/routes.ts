import { listMembers, listSummaries } from '#lib/messages/apiLists.ts';
import { routeObstacleMessage } from '#lib/messages/pages/routesPage.ts';
import { z } from 'zod';
import { formatCoins } from '#lib/chain/amount.ts';
import { chainRoutes, readChainFacts, type ChainRoute } from './chainRoutes.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { readReconciliation } from './reconciliation.ts';
import { Coins, type List } from './list.ts';

const SORT = 'source';
/** Sort key of a route; names do not contain the separator. */
const keyOf = ({ source, target }: ChainRoute): string => `${source}\u0001${target}`;

/**
 * The routes between chains. They are few, so they are computed for each request and paginated here. Offline
 * daemons are not taken into account; the page adds them.
 */
export const routes: List<ChainRoute, z.ZodObject<Record<never, never>>> = {
	name: 'routes',
	summary: listSummaries.routes,
	scope: 'all',
	filter: z.object({}),
	sorts: [SORT],
	row: z.object({
		source: z.string(),
		target: z.string(),
		ccid: z.int(),
		obstacles: z.array(z.string()).describe(listMembers.obstacles),
		burned: Coins,
		burns: z.int(),
		imported: Coins,
		imports: z.int()
	}),
	wire: ({ burned, imported, obstacles, ...row }) => ({
		...row,
		obstacles: obstacles.map(routeObstacleMessage),
		burned: formatCoins(burned),
		imported: formatCoins(imported)
	}),
	columns: [
		{ title: 'source', value: ({ source }) => source },
		{ title: 'target', value: ({ target }) => target },
		{ title: 'CCid', value: ({ ccid }) => ccid },
		{ title: 'obstacles', value: ({ obstacles }) => obstacles.map(routeObstacleMessage).join(' ') },
		{ title: 'burned', value: ({ burned }) => ({ decimal: formatCoins(burned) }) },
		{ title: 'burns', value: ({ burns }) => burns },
		{ title: 'imported', value: ({ imported }) => ({ decimal: formatCoins(imported) }) },
		{ title: 'imports', value: ({ imports }) => imports }
	],
	async read(index, { cursor, before, limit }) {
		const place = before ?? cursor;
		const side = before === undefined ? 'cursor' : 'before';
		const beyond = place === undefined ? null : String(readCursor(place, SORT, ['text'], side)[0]);
		const facts = await readChainFacts(index);
		const lines = await readReconciliation(index, facts);
		const all = chainRoutes(facts, lines, new Set()).routes.sort((a, b) =>
			keyOf(a) < keyOf(b) ? -1 : 1
		);
		const at = all.findIndex((route) =>
			beyond === null ? true : side === 'cursor' ? keyOf(route) > beyond : keyOf(route) >= beyond
		);
		const edge = at === -1 ? all.length : at;
		const from = side === 'cursor' ? edge : Math.max(0, edge - limit);
		const to = side === 'cursor' ? Math.min(all.length, edge + limit) : edge;
		const rows = all.slice(from, to);
		const placeOf = (route: ChainRoute): string => writeCursor(SORT, [keyOf(route)]);
		return {
			rows,
			next: rows.length > 0 && to < all.length ? placeOf(rows.at(-1)!) : null,
			previous: rows.length > 0 && from > 0 ? placeOf(rows[0]!) : null
		};
	}
};
