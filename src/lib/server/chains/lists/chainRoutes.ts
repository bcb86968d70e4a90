/**
 * Routes between chains: which chains can exchange coins by a proof on KMD, what prevents it, and what was migrated
 * over each route. Computed from the index alone; the caller says which daemons are offline.
 */
import { MAIN_CHAIN, isMainChain } from '#lib/chain/mainChain.ts';
import { NEEDED_NOTARIZATIONS, NOTARIZATION_WINDOW } from '#lib/chain/proofRoot.ts';
import { authorityOf } from '#lib/chain/notaryAuthority.ts';
import type { RouteObstacle } from '#lib/messages/pages/routesPage.ts';
import { isFromStart } from '#lib/text/indexed.ts';
import { numberOrNull } from '../../platform/database/columns.ts';
import { isSharedCcid } from '../daemon/sharedCcid.ts';
import type { Index } from '../indexer/open.ts';
import { seqOf } from '../indexer/tables.ts';
import type { ReconciliationLine } from './reconciliation.ts';

/** The notarizations on KMD are known when its index is no further behind than this. Blocks. */
const BEHIND = 20;

/** Facts of a chain that its routes depend on. */
interface ChainFacts {
	name: string;
	/** The CCid that its daemon uses, otherwise that of its last notarization; null when neither has one. */
	ccid: number | null;
	/**
	 * Its notarizations on KMD within the window, counted up to the number that a route needs; null when the index lacks
	 * blocks of KMD that may have more, and for KMD itself.
	 */
	notarizations: number | null;
	/** Whether it is unknown if it was ever notarized. */
	isUnsure: boolean;
	/** Unix seconds of the last one, and the highest notarized block; null for none, and for KMD itself. */
	notarizedAt: number | null;
	notarizedHeight: number | null;
	/** Height of its last indexed block. */
	height: number;
}

/** A group of chains with the same CCid; null for chains that cannot exchange coins. */
interface ChainGroup {
	ccid: number | null;
	chains: ChainFacts[];
}

/** A route from one chain to another. */
export interface ChainRoute {
	source: string;
	target: string;
	ccid: number;
	/** What prevents its use now; empty when nothing does. */
	obstacles: RouteObstacle[];
	/** Satoshi and numbers of burns and imports on this route. */
	burned: bigint;
	burns: number;
	imported: bigint;
	imports: number;
}

interface ChainRoutes {
	groups: ChainGroup[];
	routes: ChainRoute[];
}

/**
 * Returns the name and CCid of every indexed chain: that which its daemon uses, otherwise that of its last
 * notarization.
 */
export async function readChainCcids(index: Index): Promise<Pick<ChainFacts, 'name' | 'ccid'>[]> {
	const chains = await index.selectFrom('ix_chains').select(['id', 'name', 'ccid']).execute();
	const kmd = chains.find(({ name }) => isMainChain(name));
	return Promise.all(
		chains.map(async ({ name, ccid }) => {
			if (ccid !== null || kmd === undefined) return { name, ccid: numberOrNull(ccid) };
			const last = await index
				.selectFrom('ix_notarizations')
				.select('ccid')
				.where('chain', '=', kmd.id)
				.where('symbol', '=', name)
				.orderBy('seq', 'desc')
				.limit(1)
				.executeTakeFirst();
			return { name, ccid: numberOrNull(last?.ccid ?? null) };
		})
	);
}

/** Returns the facts of every indexed chain. */
export async function readChainFacts(index: Index): Promise<ChainFacts[]> {
	const chains = await index
		.selectFrom('ix_chains')
		.select(['id', 'name', 'start_height', 'height', 'target_height', 'ccid', 'state'])
		.execute();
	const kmd = chains.find(({ name }) => isMainChain(name));
	const window = kmd === undefined ? 0n : kmd.height - BigInt(NOTARIZATION_WINDOW);
	const isCurrent =
		kmd !== undefined &&
		// An index that stands still does not know how far KMD is.
		kmd.state !== 'waiting' &&
		kmd.height >= kmd.start_height &&
		kmd.target_height - kmd.height <= BigInt(BEHIND);
	const isWhole = isCurrent && isFromStart({ startHeight: Number(kmd.start_height) });
	const isCounted = isCurrent && (isWhole || kmd.start_height <= window);
	return Promise.all(
		chains.map(async ({ name, height, ccid }) => {
			const recent =
				kmd === undefined
					? []
					: await index
							.selectFrom('ix_notarizations')
							.select(['seq', 'time', 'height', 'ccid'])
							.where('chain', '=', kmd.id)
							.where('symbol', '=', name)
							.orderBy('seq', 'desc')
							.limit(NEEDED_NOTARIZATIONS)
							.execute();
			const [last] = recent;
			const found = recent.filter(({ seq }) => seq >= seqOf(window, 0)).length;
			const isKnown =
				!isMainChain(name) && isCurrent && (isCounted || found >= NEEDED_NOTARIZATIONS);
			return {
				name,
				ccid: numberOrNull(ccid ?? last?.ccid ?? null),
				notarizations: isKnown ? found : null,
				isUnsure: !isMainChain(name) && last === undefined && !isWhole,
				notarizedAt: last === undefined ? null : Number(last.time),
				// The notarization of an older block may be recorded in a later block.
				notarizedHeight:
					last === undefined ? null : Math.max(...recent.map((one) => Number(one.height))),
				height: Number(height)
			};
		})
	);
}

/** Returns what prevents migrations from one chain to another now, most important first. */
function obstaclesOf(
	source: ChainFacts,
	target: ChainFacts,
	down: ReadonlySet<string>
): RouteObstacle[] {
	const found: RouteObstacle[] = [];
	for (const chain of [source, target]) {
		if (down.has(chain.name)) found.push({ code: 'offline', chain: chain.name });
	}
	if (authorityOf(source.name) !== authorityOf(target.name)) {
		found.push({ code: 'other-notaries', source: source.name, target: target.name });
	}
	if (source.notarizations === null || target.notarizations === null) {
		return [...found, { code: 'notarizations-unknown', main: MAIN_CHAIN }];
	}
	if (source.notarizations === 0) {
		found.push({ code: 'not-notarized', chain: source.name, blocks: NOTARIZATION_WINDOW });
	}
	if (target.notarizations < NEEDED_NOTARIZATIONS) {
		found.push({
			code: 'too-few-notarizations',
			chain: target.name,
			found: target.notarizations,
			needed: NEEDED_NOTARIZATIONS
		});
	}
	return found;
}

/**
 * Groups the chains, and lists the routes within each group. There are none between groups, because an import is
 * rejected when the CCids differ.
 *
 * @param down names of the chains whose daemon does not answer
 */
export function chainRoutes(
	facts: readonly ChainFacts[],
	flows: readonly ReconciliationLine[],
	down: ReadonlySet<string>
): ChainRoutes {
	const byCcid = new Map<number | null, ChainFacts[]>();
	for (const chain of [...facts].sort((a, b) => (a.name < b.name ? -1 : 1))) {
		const key = isSharedCcid(chain.ccid) ? chain.ccid : null;
		byCcid.set(key, [...(byCcid.get(key) ?? []), chain]);
	}
	const groups = [...byCcid]
		.map(([ccid, chains]) => ({ ccid, chains }))
		.sort(
			(a, b) =>
				Number(a.ccid === null) - Number(b.ccid === null) ||
				b.chains.length - a.chains.length ||
				(a.ccid ?? 0) - (b.ccid ?? 0)
		);
	const routes = groups.flatMap(({ ccid, chains }) =>
		ccid === null
			? []
			: chains.flatMap((source) =>
					chains
						.filter((target) => target !== source)
						.map((target) => {
							const flow = flows.find(
								(one) =>
									one.source === source.name && one.target === target.name && one.ccid === ccid
							);
							return {
								source: source.name,
								target: target.name,
								ccid,
								obstacles: obstaclesOf(source, target, down),
								burned: flow?.burned ?? 0n,
								burns: flow?.burns ?? 0,
								imported: flow?.imported ?? 0n,
								imports: flow?.imports ?? 0
							};
						})
				)
	);
	return { groups, routes };
}
