import type { Index } from '../indexer/open.ts';
import { flowOf } from './flows.ts';

/** Coins burned on one chain for another and imported there. Satoshi, including the import fee. */
export interface ReconciliationLine {
	source: string;
	target: string;
	ccid: number;
	burned: bigint;
	burns: number;
	imported: bigint;
	imports: number;
	/** Burned and not imported, as far as both chains are indexed. */
	open: bigint;
}

/** Reads the reconciliation of every route, which shows excess imports. Sorted by CCid, then by name. */
export async function readReconciliation(index: Index): Promise<ReconciliationLine[]> {
	const rows = await index
		.selectFrom('ix_flows')
		.selectAll()
		.orderBy('source')
		.orderBy('target')
		.orderBy('ccid')
		.execute();
	// The sort is stable, so routes with the same CCid keep their order.
	rows.sort((a, b) => Number(a.ccid - b.ccid));
	return rows.map(flowOf).map(({ source, target, ccid, burned, burns, imported, imports }) => ({
		source,
		target,
		ccid: Number(ccid),
		burned,
		burns: Number(burns),
		imported,
		imports: Number(imports),
		open: burned - imported
	}));
}
