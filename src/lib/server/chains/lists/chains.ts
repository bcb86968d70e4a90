import { bytesToHex } from '#lib/chain/bytes.ts';
import { listSummaries } from '#lib/messages/apiLists.ts';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { errorMessage } from '#lib/messages/errors/index.ts';
import { storedErrorMessage } from '#lib/messages/errors/recorded.ts';
import type { Index } from '../indexer/open.ts';
import type { IndexChainsTable } from '../indexer/tables.ts';
import { keysetPage, type Order } from './keyset.ts';
import { Height, type List } from './list.ts';

/** Index progress of a chain. Times are Unix milliseconds. */
export interface ChainProgress {
	id: bigint;
	name: string;
	startHeight: number;
	/** Last indexed block; below `startHeight` while there is none. */
	height: number;
	hash: string | null;
	/** Height of the daemon's tip when it was last asked. */
	target: number;
	state: 'waiting' | 'behind' | 'current';
	/** Why the chain cannot be indexed now, as a sentence; null when it can. */
	problem: string | null;
	/** Paused by an admin; `state` is `waiting` then. */
	paused: boolean;
	/** First block that is to be read again, with all above; null for none. */
	reindexFrom: number | null;
	/** Blocks per second over the last seconds while it catches up; 0 while unknown. */
	rate: number;
	reorgs: number;
	tokens: number;
	lookedAt: number;
	writtenAt: number;
}

const columns = [
	'id',
	'name',
	'start_height',
	'height',
	'hash',
	'target_height',
	'state',
	'problem',
	'rate',
	'reorgs',
	'tokens',
	'looked_at',
	'written_at',
	'paused_at',
	'reindex_from'
] as const;

type Row = Pick<Selectable<IndexChainsTable>, (typeof columns)[number]>;

/** A paused chain counts as waiting, since its new blocks are unknown. */
const standingOf = (row: Row): Pick<ChainProgress, 'state' | 'problem'> =>
	row.paused_at === null
		? {
				state: row.state as ChainProgress['state'],
				problem: row.problem === null ? null : storedErrorMessage(row.problem)
			}
		: { state: 'waiting', problem: errorMessage('indexer.paused', { chain: row.name }) };

const progressOf = (row: Row): ChainProgress => ({
	id: row.id,
	name: row.name,
	startHeight: Number(row.start_height),
	height: Number(row.height),
	hash: row.hash && bytesToHex(row.hash),
	target: Number(row.target_height),
	...standingOf(row),
	paused: row.paused_at !== null,
	reindexFrom: row.reindex_from === null ? null : Number(row.reindex_from),
	rate: row.paused_at === null ? Number(row.rate) : 0,
	reorgs: Number(row.reorgs),
	tokens: Number(row.tokens),
	lookedAt: Number(row.looked_at),
	writtenAt: Number(row.written_at)
});

/** Returns whether the index has all blocks of a chain except the newest `few`; false when it has none. */
export const isIndexedBut = (
	progress: Pick<ChainProgress, 'hash' | 'height' | 'target'> | null,
	few: number
): progress is ChainProgress =>
	progress !== null && progress.hash !== null && progress.target - progress.height <= few;

/** Returns the progress of one chain; null when the indexer has not seen it. */
export async function chainProgress(index: Index, name: string): Promise<ChainProgress | null> {
	const row = await index
		.selectFrom('ix_chains')
		.select(columns)
		.where('name', '=', name)
		.executeTakeFirst();
	return row ? progressOf(row) : null;
}

/** Returns the progress of all chains, by name. */
export async function allProgress(index: Index): Promise<Map<string, ChainProgress>> {
	const rows = await index.selectFrom('ix_chains').select(columns).execute();
	return new Map(rows.map((row) => [row.name, progressOf(row)]));
}

const order: Order<Row> = {
	columns: [{ name: 'name', type: 'text', value: ({ name }) => name }],
	descending: false
};

export const chains: List<ChainProgress, z.ZodObject<Record<never, never>>> = {
	name: 'chains',
	summary: listSummaries.chains,
	scope: 'all',
	filter: z.object({}),
	sorts: ['name'],
	row: z.object({
		name: z.string(),
		startHeight: Height,
		height: z.int(),
		hash: z.string().nullable(),
		target: Height,
		state: z.enum(['waiting', 'behind', 'current']),
		problem: z.string().nullable(),
		paused: z.boolean(),
		rate: z.int(),
		reorgs: z.int(),
		tokens: z.int()
	}),
	wire: ({
		id: _id,
		lookedAt: _lookedAt,
		writtenAt: _writtenAt,
		reindexFrom: _reindexFrom,
		...row
	}) => row,
	columns: [
		{ title: 'name', value: ({ name }) => name },
		{ title: 'height', value: ({ height }) => height },
		{ title: 'hash', value: ({ hash }) => hash },
		{ title: 'target', value: ({ target }) => target },
		{ title: 'state', value: ({ state }) => state },
		{ title: 'problem', value: ({ problem }) => problem }
	],
	async read(index, query) {
		const page = await keysetPage(index.selectFrom('ix_chains').select(columns), order, query);
		return { ...page, rows: page.rows.map(progressOf) };
	}
};

/** Returns the id of a chain in the index; null when the indexer has not seen it. */
export async function chainIdOf(index: Index, name: string | undefined): Promise<bigint | null> {
	if (name === undefined) return null;
	const row = await index
		.selectFrom('ix_chains')
		.select('id')
		.where('name', '=', name)
		.executeTakeFirst();
	return row?.id ?? null;
}
