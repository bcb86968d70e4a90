/** Collects the notary approvals of a burn. */
import { APPROVALS_NEEDED } from '#lib/chain/approval.ts';
import type { DaemonClient } from '#lib/server/chains/daemon/types.ts';
import type { StepEvent } from '../decisions/stepEvent.ts';
import type { MigrationRecord } from '../migrationRecord.ts';
import { burnStatus } from './burn.ts';
import { checkDaemon } from './checkDaemon.ts';
import type { Looking } from './looking.ts';

/**
 * Looks up the approvals again, and has the import built when there are enough and the burn is still in a block.
 * Only then does the source have to answer; the number of approvals is known without it.
 */
export async function collect(
	ends: { source: DaemonClient; target: DaemonClient },
	migration: MigrationRecord,
	recheckApprovals: Looking['recheckApprovals']
): Promise<StepEvent> {
	const { row } = migration;
	const { source, target } = ends;
	await checkDaemon(target, row.destination, Number(row.ccid));
	const { blocks: height } = await target.call('getinfo');
	const burnTxid = row.burn_txid ?? '';
	const counted = await recheckApprovals({ burnTxid, daemon: row.destination_daemon });
	const enough = counted.mined.length >= APPROVALS_NEEDED;
	const burn = await burnStatus(source, migration, enough);
	if (!burn.stands) return { about: 'burn-gone' };
	if (!enough) {
		const { mined, pending, unknown } = counted;
		const count = { counted: mined.length, pending, unknown };
		return { about: 'approvals', count, burnAt: burn.at };
	}
	const txids = counted.mined.map(({ txid }) => txid);
	const notaries = counted.mined.map(({ notary }) => notary);
	return { about: 'burn-stands', approvals: { txids, notaries, height }, burnAt: burn.at };
}
