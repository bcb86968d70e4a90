import type { ExpressionBuilder } from 'kysely';
import type { HolderNeeds } from '../locked-utxos/locks.ts';
import type { LockedUtxosTables } from '../locked-utxos/tables.ts';
import type { SendingTables } from './tables.ts';

/** How long a transaction needs its inputs: until its review ends, or it was refused; and always once it went out. */
export const sendNeeds: HolderNeeds = (now) => (row) => {
	const { exists, selectFrom } = row as unknown as ExpressionBuilder<
		LockedUtxosTables & SendingTables,
		'locked_utxos'
	>;
	return exists(
		selectFrom('sends')
			.select('sends.id')
			.whereRef('sends.id', '=', 'locked_utxos.holder')
			.where((send) =>
				send.or([
					send('sends.state', 'not in', ['built', 'refused', 'expired']),
					send.and([
						send('sends.state', '=', 'built'),
						send('locked_utxos.until', '>', BigInt(now))
					])
				])
			)
	);
};
