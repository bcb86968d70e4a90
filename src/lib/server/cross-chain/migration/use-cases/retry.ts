import { isRefused } from '../../../access/rights/refused.ts';
import type { MeasuredSpend } from '../../../access/rights/spend.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { AppError, isAppError } from '../../../platform/errors/appError.ts';
import { isTransactionError } from '../../../wallet/transactions/errors.ts';
import { toSendError } from '../../../wallet/transactions/notBuilt.ts';
import { walletOf } from '../../../wallet/transactions/wallet.ts';
import type { CrossChainTables } from '../../tables.ts';
import type { MigrationRecord } from '../migrationRecord.ts';
import { isKept, resume, resumeState } from '../resume.ts';
import type { MigrationDependencies } from './dependencies.ts';

/** Result of retrying all stopped migrations. */
interface RetriedAll {
	retried: number;
	refused: { id: string; why: string }[];
}

/**
 * Whether a retry spends from a wallet: only a burn that may still have to be sent does, later steps do not.
 */
export const spendsOnRetry = (migration: MigrationRecord): boolean =>
	migration.row.pubkey !== null && resumeState(migration) === 'burn-unknown';

/**
 * Resumes a stopped migration where it stopped. False when it is not stopped.
 * @throws {AppError} `work.denied`, `limit`, `policy` or that of its wallet when its burn may have to be sent
 */
export async function retry(
	deps: MigrationDependencies,
	id: string,
	actor: string
): Promise<boolean> {
	const { store, rights, wake } = deps;
	const migration = await store.load(id);
	if (migration?.row.state !== 'stuck') return false;
	const no = spendsOnRetry(migration)
		? await rights.walletRefusal(actor, migration.row.source_daemon, 'migration retried')
		: null;
	if (no !== null) throw new AppError('work.denied', { why: no.coded, certain: 'not-changed' });
	const by = { actor, confirmedBy: actor };
	const done = isKept(migration.row)
		? await takeOver(deps, migration, actor, (also) => resume(store, migration, by, also))
		: await resume(store, migration, by);
	wake();
	return done;
}

/**
 * Takes over a burn whose confirmer may no longer send it: it is authorized and counted for the member who retries.
 * Where a rule demands approvals, they are requested, and the burn stays stopped until they are given.
 * @throws {AppError} `limit` or `policy`; `wallet-daemon` or `transaction.not-built` when its wallet does not answer
 */
async function takeOver(
	{ gateway, rights }: MigrationDependencies,
	{ row, steps }: MigrationRecord,
	actor: string,
	act: (also: (trx: Executor<CrossChainTables>) => Promise<void>) => Promise<boolean>
): Promise<boolean> {
	const hex = steps.get('burn')?.hex ?? '';
	const { source, source_daemon: daemon, pubkey } = row;
	try {
		// Another wallet may have the name of its daemon by now, and none of the coins would count as taken from there.
		if (pubkey !== null) await walletOf(gateway, source, { daemon, pubkey });
	} catch (error) {
		throw toSendError(error, 'not-changed');
	}
	let spend: MeasuredSpend | null = null;
	try {
		const measured = await rights.measureSpend(actor, daemon, hex, row.payouts);
		spend = measured;
		return await act(async (trx) => {
			await rights.recordSpend(measured, trx);
		});
	} catch (error) {
		if (!isRefused(error)) throw error;
		const about = { kind: 'migration', subject: row.id } as const;
		const refused = spend === null ? error : await rights.withRequest(error, spend, about);
		if (!isAppError(refused, 'policy.needs-approval')) {
			await rights.spendRefused(actor, daemon, hex, 'migration', refused);
		}
		throw refused;
	}
}

/** Retries all stopped migrations; those that this member may not retry stay stopped. */
export async function retryAll(deps: MigrationDependencies, actor: string): Promise<RetriedAll> {
	const { store, audit } = deps;
	const all: RetriedAll = { retried: 0, refused: [] };
	for (const id of await store.stopped()) {
		try {
			if (await retry(deps, id, actor)) all.retried += 1;
		} catch (error) {
			if (!isTransactionError(error)) throw error;
			all.refused.push({ id, why: error.message });
		}
	}
	const { retried, refused } = all;
	const detail = { retried, refused: refused.length };
	await audit.append({ actor, action: 'migration.retried-all', detail });
	return all;
}
