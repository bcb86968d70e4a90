import type { ExpressionBuilder } from 'kysely';
import type { HolderNeeds } from '../../wallet/locked-utxos/locks.ts';
import type { LockedUtxosTables } from '../../wallet/locked-utxos/tables.ts';
import { ARRIVED, BEFORE_BURN } from './states.ts';
import type { MigrationTables } from './tables.ts';

/** How long a migration needs the inputs of its burn: until its draft ends, or its import has arrived. */
export const migrationNeeds: HolderNeeds = (now) => (row) => {
	const { exists, selectFrom } = row as unknown as ExpressionBuilder<
		LockedUtxosTables & MigrationTables,
		'locked_utxos'
	>;
	return exists(
		selectFrom('migrations')
			.select('migrations.id')
			.whereRef('migrations.id', '=', 'locked_utxos.holder')
			.where((migration) =>
				migration.or([
					migration('migrations.state', 'not in', [...BEFORE_BURN, ...ARRIVED, 'discarded']),
					migration.and([
						migration('migrations.state', 'in', [...BEFORE_BURN]),
						migration('locked_utxos.until', '>', BigInt(now))
					])
				])
			)
	);
};
