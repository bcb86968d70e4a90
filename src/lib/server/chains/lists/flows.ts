import { listMembers, listSummaries } from '#lib/messages/apiLists.ts';
import { z } from 'zod';
import { formatCoins } from '#lib/chain/amount.ts';
import { joinSum, type IndexFlowsTable } from '../indexer/tables.ts';
import { keysetPage, type Order } from './keyset.ts';
import { Coins, type List } from './list.ts';

/** Coins burned on one chain for another and imported there, as the reconciliation counts them. */
interface FlowRow {
	source: IndexFlowsTable['source'];
	target: IndexFlowsTable['target'];
	ccid: bigint;
	/** Satoshi, and numbers of burns and imports. */
	burned: bigint;
	burns: bigint;
	imported: bigint;
	imports: bigint;
}

/** A row as the table stores it, with each total in two parts. */
export interface StoredFlow extends FlowRow {
	burned_high: bigint;
	imported_high: bigint;
}

/** Reads a row, with sums that may exceed the integers of the database, which are stored in two columns. */
export const flowOf = ({ burned_high, imported_high, ...row }: StoredFlow): FlowRow => ({
	...row,
	burned: joinSum(row.burned, burned_high),
	imported: joinSum(row.imported, imported_high)
});

const order: Order<StoredFlow> = {
	columns: [
		{ name: 'source', type: 'text', value: ({ source }) => source },
		{ name: 'target', type: 'text', value: ({ target }) => target },
		{ name: 'ccid', type: 'int', value: ({ ccid }) => ccid }
	],
	descending: false
};

export const flows: List<FlowRow, z.ZodObject<Record<never, never>>> = {
	name: 'reconciliation',
	summary: listSummaries.reconciliation,
	scope: 'all',
	filter: z.object({}),
	sorts: ['source'],
	row: z.object({
		source: z.string(),
		target: z.string(),
		ccid: z.int(),
		burned: Coins,
		burns: z.int(),
		imported: Coins,
		imports: z.int(),
		open: Coins.describe(listMembers.open)
	}),
	wire: ({ source, target, ccid, burned, burns, imported, imports }) => ({
		source,
		target,
		ccid: Number(ccid),
		burned: formatCoins(burned),
		burns: Number(burns),
		imported: formatCoins(imported),
		imports: Number(imports),
		open: formatCoins(burned - imported)
	}),
	columns: [
		{ title: 'source', value: ({ source }) => source },
		{ title: 'target', value: ({ target }) => target },
		{ title: 'CCid', value: ({ ccid }) => ccid },
		{ title: 'burned', value: ({ burned }) => ({ decimal: formatCoins(burned) }) },
		{ title: 'burns', value: ({ burns }) => burns },
		{ title: 'imported', value: ({ imported }) => ({ decimal: formatCoins(imported) }) },
		{ title: 'imports', value: ({ imports }) => imports },
		{
			title: 'open',
			value: ({ burned, imported }) => ({ decimal: formatCoins(burned - imported) })
		}
	],
	async read(index, query) {
		const page = await keysetPage(index.selectFrom('ix_flows').selectAll(), order, query);
		return { ...page, rows: page.rows.map(flowOf) };
	}
};
