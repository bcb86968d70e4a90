import { migrationNeeds } from './cross-chain/migration/migrationNeeds.ts';
import { createLocks } from './wallet/locked-utxos/locks.ts';
import { sendNeeds } from './wallet/transactions/sendNeeds.ts';

/** The lock table of UTXOs, shared by transactions and migrations. */
export const locks = createLocks({ send: sendNeeds, migration: migrationNeeds });
