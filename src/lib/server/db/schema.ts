import type { ActivationTables } from '../activation/tables.ts';
import type { AuthTables } from '../auth/tables.ts';
import type { BackupTables } from '../backup/tables.ts';
import type { BookTables } from '../book/tables.ts';
import type { ConsoleTables } from '../console/tables.ts';
import type { NodeTables } from '../gateway/nodeTables.ts';
import type { DraftTables } from '../drafts/tables.ts';
import type { IdempotencyTables } from '../idempotency/tables.ts';
import type { LimitTables } from '../limits/tables.ts';
import type { LockedUtxosTables } from '../lockedUtxos/tables.ts';
import type { MigrationTables } from '../migration/tables.ts';
import type { SendingTables } from '../sending/tables.ts';
import type { SeriesTables } from '../series/tables.ts';
import type { SwitchTables } from '../switches/tables.ts';
import type { WalletTables } from '../wallets/tables.ts';
import type { Int64 } from './columns.ts';
import type { InstallationTables } from './installation.ts';

/** Which schema migrations this database has seen. */
export interface SchemaMigrationsTable {
	name: string;
	applied_at: Int64;
}

/** Every table of the database. Each module declares its own beside its code and is joined here. */
export interface Schema
	extends
		ActivationTables,
		AuthTables,
		SendingTables,
		SeriesTables,
		MigrationTables,
		BackupTables,
		BookTables,
		ConsoleTables,
		DraftTables,
		SwitchTables,
		InstallationTables,
		IdempotencyTables,
		LimitTables,
		LockedUtxosTables,
		NodeTables,
		WalletTables {
	schema_migrations: SchemaMigrationsTable;
}
