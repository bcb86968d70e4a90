import type { CrossChainTables } from './cross-chain/tables.ts';
import type { KdfTables } from './kdf/tables.ts';
import type { InstallationTables } from './platform/database/installation.ts';
import type { SchemaStepTables } from './platform/database/migrate.ts';
import type { IdempotencyTables } from './platform/idempotency/tables.ts';
import type { RpcProxyTables } from './rpc-proxy/tables.ts';

/** Every table of the database. Each folder declares its own tables; they are combined here. */
export interface Schema
	extends
		CrossChainTables,
		IdempotencyTables,
		InstallationTables,
		KdfTables,
		RpcProxyTables,
		SchemaStepTables {}
