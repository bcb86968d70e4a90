/** Checks the chains for what the next decision about a migration needs. Changes nothing on them. */
import { recordedError } from '#lib/messages/errors/recorded.ts';
import { daemonClientOf } from '../../chains/daemon/daemonClient.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { refusalOfBurn } from './decisions/burn.ts';
import type { StepEvent } from './decisions/stepEvent.ts';
import type { MigrationRecord } from './migrationRecord.ts';
import { collect } from './observations/approvals.ts';
import { burnStatus, lookAtBurn, lookBeforeBuild } from './observations/burn.ts';
import { WRONG_DAEMON } from './observations/checkDaemon.ts';
import { complete } from './observations/completion.ts';
import { importedMeanwhile, lookAtImport } from './observations/import.ts';
import type { Looking } from './observations/looking.ts';
import type { MigrationState } from './states.ts';

/** States that wait for a proof, notary approvals or a member's approval, while someone else may send the import. */
const AWAITING: readonly MigrationState[] = [
	'burn-confirmed',
	'waiting-back-notarization',
	'import-built',
	'waiting-target-notarization',
	'backup-collecting',
	'needs-approval'
];

async function look(looking: Looking, migration: MigrationRecord): Promise<StepEvent | null> {
	const { row, steps } = migration;
	const { gateway, recheckApprovals, ruleOf } = looking;
	const source = daemonClientOf(gateway, row.source_daemon);
	const target = daemonClientOf(gateway, row.destination_daemon);
	if (AWAITING.includes(row.state)) {
		const imported = await importedMeanwhile(looking, target, migration);
		if (imported !== null) return imported;
	}
	switch (row.state) {
		case 'burn-unknown':
		case 'burn-pending':
			return lookAtBurn(source, migration, looking);
		case 'burn-confirmed':
		case 'waiting-back-notarization':
			if (row.path === 'backup') return collect({ source, target }, migration, recheckApprovals);
			return lookBeforeBuild(source, migration);
		case 'backup-collecting':
			return collect({ source, target }, migration, recheckApprovals);
		case 'import-built':
		case 'waiting-target-notarization':
			return complete(daemonClientOf(gateway, row.kmd_daemon), { source, target }, migration);
		case 'needs-approval': {
			const burn = await burnStatus(source, migration, true);
			return burn.stands ? { about: 'approval-awaited', burnAt: burn.at } : { about: 'burn-gone' };
		}
		case 'import-unknown':
		case 'import-pending':
		case 'done':
			return lookAtImport({ source, target }, migration, ruleOf(row.destination));
		case 'stuck': {
			const isBurnOpen = !steps.get('burn-confirmed')?.doneAt || refusalOfBurn(migration) !== null;
			return isBurnOpen
				? lookAtBurn(source, migration, looking)
				: lookAtImport({ source, target }, migration, ruleOf(row.destination));
		}
		default:
			return null;
	}
}

/** States in which the burn has to be in a block, whatever the other chains say. */
const NEEDS_BURN: readonly MigrationState[] = [...AWAITING, 'import-unknown', 'stuck'];

/**
 * Whether a reorganization removed the burn while another daemon is away: it is sent again before it expires. False
 * when the source does not tell.
 */
async function isBurnGone({ gateway }: Looking, migration: MigrationRecord): Promise<boolean> {
	const { row, steps } = migration;
	const wasMined = Boolean(steps.get('burn-confirmed')?.doneAt);
	if (!NEEDS_BURN.includes(row.state) || !wasMined || refusalOfBurn(migration) !== null)
		return false;
	const burn = await burnStatus(daemonClientOf(gateway, row.source_daemon), migration, false);
	return !burn.stands;
}

/** Checks the chains and returns the event; a daemon that does not answer is also an event. */
export async function observe(
	looking: Looking,
	migration: MigrationRecord
): Promise<StepEvent | null> {
	try {
		return await look(looking, migration);
	} catch (error) {
		const isAway = isAppError(error, 'daemon', ...WRONG_DAEMON);
		const isSource =
			isAppError(error, 'daemon') && error.params.daemon === migration.row.source_daemon;
		if (isAway && !isSource && (await isBurnGone(looking, migration)))
			return { about: 'burn-gone' };
		if (isAppError(error, 'daemon')) {
			const { coded, params } = error;
			const unreadable = isAppError(
				error,
				'daemon.validation-mismatch',
				'daemon.not-rpc',
				'daemon.too-large'
			);
			return {
				about: 'no-answer',
				reason: {
					code: unreadable ? 'daemon.unreadable' : 'daemon.no-answer',
					params: { chain: params.daemon, error: coded }
				}
			};
		}
		if (isAppError(error, 'engine.wrong-chain')) {
			return { about: 'no-answer', reason: { code: 'daemon.wrong-chain', params: error.params } };
		}
		if (isAppError(error, 'engine.no-sapling')) {
			return { about: 'no-answer', reason: { code: 'daemon.no-sapling', params: error.params } };
		}
		if (isAppError(error, 'review')) return { about: 'review', error: recordedError(error) };
		throw error;
	}
}
