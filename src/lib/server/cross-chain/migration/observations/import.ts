/** Looks for the import of a burn on the destination, whoever sent it. */
import { IMPORT_INDEX } from '#lib/chain/importProof.ts';
import { readableTransaction } from '#lib/chain/transaction.ts';
import type { DaemonClient } from '#lib/server/chains/daemon/types.ts';
import { findImport, type FoundImport } from '../../../chains/daemon/findImport.ts';
import { findTransaction, type Whereabouts } from '../../../chains/daemon/findTransaction.ts';
import type { FinalityRule } from '../../../platform/config/finality.ts';
import type { StepEvent } from '../decisions/stepEvent.ts';
import type { MigrationRecord } from '../migrationRecord.ts';
import { checkTokenArrival } from '../tokenArrival.ts';
import { burnStatus } from './burn.ts';
import { checkDaemon } from './checkDaemon.ts';
import type { Looking } from './looking.ts';

/**
 * Looks for the import of a burn on the destination: the one that was sent from here, or any other. Without one, looks
 * whether the burn is still in its block where that matters.
 * @throws {AppError} `daemon`, those of {@link checkDaemon}, and `review.…` for a token that arrived changed
 */
export async function lookAtImport(
	{ source, target }: { source: DaemonClient; target: DaemonClient },
	migration: MigrationRecord,
	rule: FinalityRule
): Promise<StepEvent> {
	const { row, steps } = migration;
	const { blocks: tip, notarized } = await checkDaemon(target, row.destination, Number(row.ccid));
	const own = steps.get('import-sent')?.txid ?? null;
	const found: Whereabouts =
		own === null ? { where: 'absent' } : await findTransaction(target, own);
	const search =
		found.where === 'absent'
			? await findImport(target, row.burn_txid ?? '', row.import_scan_from)
			: null;
	const mined =
		found.where === 'mined' ? own : search?.found?.where === 'mined' ? search.found.txid : null;
	if (mined !== null && row.tokenid !== null) await checkTokenArrival(target, migration, mined);
	// Before an import is sent, its burn must be in a block. With a proof, the source may be away, because the burn
	// is notarized. A stopped migration has to have its burn too.
	const isOutgoing = row.state === 'import-unknown';
	if ((isOutgoing || row.state === 'stuck') && search?.complete === true && !search.found) {
		const burn = await burnStatus(source, migration, isOutgoing && row.path === 'backup');
		if (!burn.stands) return { about: 'burn-gone' };
	}
	return { about: 'import', found, search, chain: { tip, notarized, rule } };
}

/** Returns the import of a burn with this txid; null when the daemon has none. @throws {AppError} `daemon` */
async function importWith(
	target: DaemonClient,
	burnTxid: string,
	txid: string
): Promise<FoundImport | null> {
	const found = await findTransaction(target, txid);
	if (found.where === 'absent') return null;
	const [input] = readableTransaction(found.hex)?.vin ?? [];
	if (input?.vout !== IMPORT_INDEX || input.txid !== burnTxid) return null;
	return found.where === 'mined'
		? { txid, where: 'mined', height: found.height }
		: { txid, where: 'mempool' };
}

/**
 * Returns the import that the index has, because someone else sent it, or that was sent from here and not listed by
 * the daemon then; null when the daemon has neither.
 */
export async function importedMeanwhile(
	{ indexedImport, ruleOf }: Looking,
	target: DaemonClient,
	migration: MigrationRecord
): Promise<StepEvent | null> {
	const { row, steps } = migration;
	const burnTxid = row.burn_txid ?? '';
	const known = [
		steps.get('import-sent')?.txid ?? null,
		await indexedImport(row.destination, burnTxid)
	].filter((txid) => txid !== null);
	if (known.length === 0) return null;
	const { blocks: tip, notarized } = await checkDaemon(target, row.destination, Number(row.ccid));
	for (const txid of new Set(known)) {
		const found = await importWith(target, burnTxid, txid);
		if (found === null) continue;
		if (row.tokenid !== null && found.where === 'mined')
			await checkTokenArrival(target, migration, txid);
		return {
			about: 'import',
			found: { where: 'absent' },
			search: { found, from: row.import_scan_from, complete: true },
			chain: { tip, notarized, rule: ruleOf(row.destination) }
		};
	}
	return null;
}
