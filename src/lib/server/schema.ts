import type { ActivationTables } from './kdf/activation/tables.ts';
import type { AuthTables } from './access/accounts/tables.ts';
import type { BackupTables } from './cross-chain/notary-approvals/tables.ts';
import type { BookTables } from './wallet/address-book/tables.ts';
import type { ConsoleTables } from './rpc-proxy/console/tables.ts';
import type { NodeTables } from './kdf/client/nodeTables.ts';
import type { DraftTables } from './wallet/drafts/tables.ts';
import type { IdempotencyTables } from './platform/idempotency/tables.ts';
import type { LimitTables } from './access/policy/limits/tables.ts';
import type { LockedUtxosTables } from './wallet/locked-utxos/tables.ts';
import type { MigrationTables } from './cross-chain/migration/tables.ts';
import type { SendingTables } from './wallet/transactions/tables.ts';
import type { SeriesTables } from './wallet/batch-transfers/tables.ts';
import type { SwitchTables } from './access/policy/safety-controls/tables.ts';
import type { WalletTables } from './access/policy/wallets/tables.ts';
import type { Int64 } from './platform/database/columns.ts';
import type { InstallationTables } from './platform/database/installation.ts';

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
