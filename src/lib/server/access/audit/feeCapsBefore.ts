/** Fee caps that were set before the log recorded their rows: the events of that time tell their values. */
import { parseCoins } from '#lib/chain/amount.ts';
import { factsOfRow, type RowState } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import { sameText } from '../../platform/secrets/sameText.ts';
import type { AccessTables } from '../tables.ts';
import type { AuditHashes } from './hashes.ts';
import type { RecordedState } from './recordedState.ts';

/** The cap of every chain: in its row, and as the target of those events. */
const ANY_CHAIN = '*';
const EVERY_CHAIN = 'every chain';

/** Parses the cap in those events, in satoshi; null for any other value. */
function capOf(to: unknown): bigint | null {
	const [, coins] = typeof to === 'string' ? (/^(\d{1,11}\.\d{8}) coins$/.exec(to) ?? []) : [];
	return coins === undefined ? null : parseCoins(coins);
}

/**
 * Returns the states of fee caps that no event records and whose last event names their current value. All
 * other caps count as different from the log.
 */
export async function feeCapsBefore(
	trx: Executor<AccessTables>,
	hashes: AuditHashes,
	recorded: RecordedState
): Promise<RowState[]> {
	const states: RowState[] = [];
	for (const { key, expected, found } of await recorded.differences(trx, ['fee_caps'])) {
		const [chain = ''] = key;
		if (expected !== null || found === null) continue;
		const event = await trx
			.selectFrom('audit_events')
			.selectAll()
			.where('action', '=', 'limit.fee-changed')
			.where('target', '=', chain === ANY_CHAIN ? EVERY_CHAIN : chain)
			.orderBy('seq', 'desc')
			.limit(1)
			.executeTakeFirst();
		if (!event || event.state !== null) continue;
		if (!sameText(event.hash, hashes.row(event, event.prev_hash))) continue;
		const most = BigInt(found['most'] ?? 0);
		const { to } = JSON.parse(event.detail) as { to?: unknown };
		if (capOf(to) !== most) continue;
		const is = factsOfRow('fee_caps', { chain, most });
		states.push({ table: 'fee_caps', key, is, merge: false });
	}
	return states;
}
