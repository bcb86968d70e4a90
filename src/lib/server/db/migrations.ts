import { migrations as activationMigrations } from '../activation/migrations.ts';
import { migrations as authMigrations } from '../auth/migrations.ts';
import { migrations as backupMigrations } from '../backup/migrations.ts';
import { migrations as bookMigrations } from '../book/migrations.ts';
import { migrations as consoleMigrations } from '../console/migrations.ts';
import { migrations as nodeMigrations } from '../gateway/nodeMigrations.ts';
import { migrations as draftMigrations } from '../drafts/migrations.ts';
import { migrations as idempotencyMigrations } from '../idempotency/migrations.ts';
import { migrations as limitMigrations } from '../limits/migrations.ts';
import { migrations as lockMigrations } from '../lockedUtxos/migrations.ts';
import { migrations as coinMigrations } from '../migration/migrations.ts';
import { migrations as sendingMigrations } from '../sending/migrations.ts';
import { migrations as seriesMigrations } from '../series/migrations.ts';
import { migrations as switchMigrations } from '../switches/migrations.ts';
import { migrations as walletMigrations } from '../wallets/migrations.ts';
import { migrations as installationMigrations } from './installation.ts';
import type { Migration } from './migrate.ts';

/** The steps of all modules; they run in the order of their names. */
export const allMigrations: Readonly<Record<string, Migration>> = {
	...authMigrations,
	...walletMigrations,
	...limitMigrations,
	...sendingMigrations,
	...coinMigrations,
	...backupMigrations,
	...consoleMigrations,
	...switchMigrations,
	...activationMigrations,
	...nodeMigrations,
	...bookMigrations,
	...draftMigrations,
	...seriesMigrations,
	...installationMigrations,
	...lockMigrations,
	...idempotencyMigrations
};
