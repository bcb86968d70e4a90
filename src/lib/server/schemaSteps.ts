import { migrations as accessRequestMigrations } from './access/access-requests/migrations.ts';
import { migrations as accountMigrations } from './access/accounts/migrations.ts';
import { migrations as tokenMigrations } from './access/api-tokens/migrations.ts';
import { migrations as approvalMigrations } from './access/approvals/migrations.ts';
import { migrations as notificationMigrations } from './access/notifications/migrations.ts';
import { migrations as limitMigrations } from './access/policy/limits/migrations.ts';
import { migrations as policyMigrations } from './access/policy/rules/migrations.ts';
import { migrations as safetyControlMigrations } from './access/policy/safety-controls/migrations.ts';
import { migrations as walletMigrations } from './access/policy/wallets/migrations.ts';
import { migrations as proposalMigrations } from './access/changes/migrations.ts';
import { migrations as savedFilterMigrations } from './access/saved-filters/migrations.ts';
import { migrations as factorMigrations } from './access/second-factors/migrations.ts';
import { migrations as securityMigrations } from './access/security-settings/migrations.ts';
import { migrations as signOnMigrations } from './access/single-sign-on/migrations.ts';
import { migrations as columnMigrations } from './columnsSchema.ts';
import { migrations as firstStepsMigrations } from './cross-chain/first-steps/migrations.ts';
import { migrations as crossChainMigrations } from './cross-chain/migration/migrations.ts';
import { migrations as notaryApprovalMigrations } from './cross-chain/notary-approvals/migrations.ts';
import { migrations as queueMigrations } from './cross-chain/notary-approvals/queue/migrations.ts';
import { migrations as glossaryMigrations } from './glossarySchema.ts';
import { migrations as activationMigrations } from './kdf/activation/migrations.ts';
import { migrations as kdfMigrations } from './kdf/client/migrations.ts';
import { migrations as installationMigrations } from './platform/database/installation.ts';
import type { Migration } from './platform/database/migrate.ts';
import { migrations as idempotencyMigrations } from './platform/idempotency/migrations.ts';
import { migrations as consoleMigrations } from './rpc-proxy/console/migrations.ts';
import { migrations as stateMigrations } from './statesSchema.ts';
import { migrations as addressBookMigrations } from './wallet/address-book/migrations.ts';
import { migrations as batchTransferMigrations } from './wallet/batch-transfers/migrations.ts';
import { migrations as draftMigrations } from './wallet/drafts/migrations.ts';
import { migrations as lockMigrations } from './wallet/locked-utxos/migrations.ts';
import { migrations as transactionMigrations } from './wallet/transactions/migrations.ts';

/** The schema steps of all modules; they run in the order of their names. */
export const allMigrations: Readonly<Record<string, Migration>> = {
	...accountMigrations,
	...walletMigrations,
	...limitMigrations,
	...transactionMigrations,
	...crossChainMigrations,
	...notaryApprovalMigrations,
	...queueMigrations,
	...consoleMigrations,
	...safetyControlMigrations,
	...activationMigrations,
	...kdfMigrations,
	...addressBookMigrations,
	...draftMigrations,
	...batchTransferMigrations,
	...installationMigrations,
	...lockMigrations,
	...idempotencyMigrations,
	...glossaryMigrations,
	...firstStepsMigrations,
	...stateMigrations,
	...columnMigrations,
	...savedFilterMigrations,
	...accessRequestMigrations,
	...securityMigrations,
	...signOnMigrations,
	...tokenMigrations,
	...factorMigrations,
	...policyMigrations,
	...approvalMigrations,
	...notificationMigrations,
	...proposalMigrations
};
