import type { ExpressionBuilder } from 'kysely';
import type { HolderNeeds } from '../locked-utxos/locks.ts';
import type { LockedUtxosTables } from '../locked-utxos/tables.ts';
import type { TransactionTables } from './tables.ts';

/** How long a transaction needs its inputs: until its review ends, or it was refused; and always once it went out. */
export const sendNeeds: HolderNeeds = (now) => (row) => {
	const { exists, selectFrom } = row as unknown as ExpressionBuilder<
		LockedUtxosTables & TransactionTables,
		'locked_utxos'
	>;
	return exists(
		selectFrom('transactions')
			.select('transactions.id')
			.whereRef('transactions.id', '=', 'locked_utxos.holder')
			.where((send) =>
				send.or([
					send('transactions.state', 'not in', ['reviewed', 'rejected', 'discarded']),
					send.and([
						send('transactions.state', '=', 'reviewed'),
						send('locked_utxos.until', '>', BigInt(now))
					])
				])
			)
	);
};
