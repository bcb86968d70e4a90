import type { Index } from '../indexer/open.ts';
import { flowOf } from './flows.ts';

/** Coins that went from one chain toward another. Satoshi, the import's fee included. */
export interface ReconciliationLine {
	source: string;
	target: string;
	ccid: number;
	burned: bigint;
	burns: number;
	imported: bigint;
	imports: number;
	/** Burnt and not imported, as far as both chains are indexed. */
	open: bigint;
}

/** What must hold of every route: nothing is imported that was not burnt. By CCid, then by name. */
export async function readReconciliation(index: Index): Promise<ReconciliationLine[]> {
	const rows = await index
		.selectFrom('ix_flows')
		.selectAll()
		.orderBy('source')
		.orderBy('target')
		.orderBy('ccid')
		.execute();
	// There are a few for each two chains; the sort keeps the order within an id.
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
