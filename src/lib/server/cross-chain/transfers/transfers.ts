/** Transfers as a page shows them: the list of the index, with the migrations of the team. */
import { bytesToHex } from '#lib/chain/bytes.ts';
import type { Transfer } from '../../../text/shownTransfer.ts';
import { heightOfSeq } from '../../chains/indexer/tables.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import type { Index } from '../../chains/indexer/open.ts';
import type { TransferRow } from '../../chains/lists/transfers.ts';
import { missingImports } from './missingImports.ts';
import { visibleMigrations, type Asking } from './visibleMigrations.ts';

interface Reader extends Asking {
	app: Asking['app'] & { index: Index; gateway: Pick<Gateway, 'chains'> };
}

/**
 * Adds the team's migrations to a page of transfers, and what it means that an import is missing.
 * @param rows in the order of the page, which is kept
 */
export async function shownTransfers(
	reader: Reader,
	rows: readonly TransferRow[]
): Promise<Transfer[]> {
	const burns = rows.map(({ txid }) => bytesToHex(txid));
	const targets = rows.map(({ target }) => target);
	const { index, gateway } = reader.app;
	const [migrations, missing] = await Promise.all([
		visibleMigrations(reader, burns),
		missingImports(index, gateway.chains(), targets)
	]);
	return rows.map((row, at) => ({
		source: row.source,
		target: row.target,
		ccid: Number(row.target_ccid),
		txid: burns[at]!,
		height: heightOfSeq(row.seq),
		time: Number(row.time) * 1000,
		value: row.value,
		token: row.tokenid === null ? null : { tokenid: bytesToHex(row.tokenid), units: row.units },
		import:
			row.import_txid === null || row.import_seq === null || row.import_time === null
				? null
				: {
						chain: row.import_chain_name ?? row.target,
						txid: bytesToHex(row.import_txid),
						height: heightOfSeq(row.import_seq),
						time: Number(row.import_time) * 1000,
						proof: row.proof
					},
		missing: row.import_seq === null ? missing(row.target, true) : null,
		migration: migrations.get(burns[at]!) ?? null
	}));
}
