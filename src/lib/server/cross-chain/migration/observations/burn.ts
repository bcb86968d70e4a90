/** Checks whether the source chain contains the burn of a migration, and whether it may still be sent. */
import type { DaemonClient } from '#lib/server/chains/daemon/types.ts';
import {
	findAnywhere,
	findConfirmedAt,
	type Whereabouts
} from '../../../chains/daemon/findTransaction.ts';
import { syncing } from '../../../chains/daemon/syncing.ts';
import { isAppError } from '../../../platform/errors/appError.ts';
import { outlookOf } from '../../../wallet/transactions/refusedOutlook.ts';
import { refusalOfBurn } from '../decisions/burn.ts';
import type { BurnPlace, StepEvent } from '../decisions/stepEvent.ts';
import type { MigrationRecord } from '../migrationRecord.ts';
import { isKept } from '../resume.ts';
import { checkDaemon, WRONG_DAEMON } from './checkDaemon.ts';
import type { Looking } from './looking.ts';

/**
 * Returns the member who confirmed a burn that no daemon has listed yet, if they may no longer send it: the daemon
 * may have been away for long, and the member may have lost the account, the role or the wallet. Null when the burn
 * may be sent.
 */
export async function blockedSender(
	{ sendRefusal }: Pick<Looking, 'sendRefusal'>,
	{ row, steps }: MigrationRecord
): Promise<string | null> {
	const burn = steps.get('burn');
	// A burn that was on the network is sent again unchanged, and one made elsewhere was not confirmed here.
	if (!burn || burn.doneAt !== null || row.pubkey === null) return null;
	const { confirmedBy = row.created_by } = burn.evidence;
	if (confirmedBy === null) return null;
	const no = await sendRefusal(confirmedBy, row.source_daemon, 'broadcast', 'migration burn');
	return no === null ? null : confirmedBy;
}

/** Height of the block that contained the burn; null before that. */
const confirmedAt = ({ steps }: MigrationRecord): number | null =>
	steps.get('burn-confirmed')?.evidence.height ?? null;

/** Looks the burn up, also in the block that contained it. */
const findBurn = (source: DaemonClient, migration: MigrationRecord): Promise<Whereabouts> =>
	findConfirmedAt(source, {
		txid: migration.row.burn_txid ?? '',
		hex: migration.steps.get('burn')?.hex ?? '',
		height: confirmedAt(migration)
	});

/**
 * Looks for a burn on the source: where it is and, when its daemon does not have it, whether it can still be sent.
 * @throws {AppError} `daemon`, and those of {@link checkDaemon}
 */
export async function lookAtBurn(
	source: DaemonClient,
	migration: MigrationRecord,
	{ sendRefusal, ruleOf }: Looking
): Promise<StepEvent> {
	const { row, steps } = migration;
	const { blocks: tip, notarized } = await checkDaemon(source, row.source, Number(row.ccid));
	// While the daemon reads its chain again, the burn may be in a block that it has not read yet.
	const burn = steps.get('burn');
	const found =
		row.state === 'burn-pending'
			? await findAnywhere(source, row.burn_txid ?? '', { mayBeOld: false })
			: await findBurn(source, migration);
	if (found.where !== 'absent' || !burn?.hex) return { about: 'burn', found, outlook: null };
	if (refusalOfBurn(migration) === null && !isKept(row)) {
		const kept =
			row.state === 'burn-unknown' ? await blockedSender({ sendRefusal }, migration) : null;
		return { about: 'burn', found, outlook: null, ...(kept === null ? {} : { kept }) };
	}
	const rule = ruleOf(row.source);
	const { spentSince = null } = burn.evidence;
	const sent = { hex: burn.hex, pubkey: row.pubkey };
	const outlook = await outlookOf(source, sent, { tip, notarized, rule }, spentSince);
	return { about: 'burn', found, outlook };
}

/** Checks that a block of the source contains the burn: otherwise the daemon must not be asked to build. */
export async function lookBeforeBuild(
	source: DaemonClient,
	migration: MigrationRecord
): Promise<StepEvent> {
	const burn = await burnStatus(source, migration, true);
	if (!burn.stands) return { about: 'burn-gone' };
	const { at, tip } = burn;
	return { about: 'burn-stands', approvals: null, burnAt: at, ...(tip === null ? {} : { tip }) };
}

/**
 * Returns whether a block of the source still contains the burn, which one, and the tip. A source that does not
 * answer counts as yes, unless `matters`.
 * @throws {AppError} `daemon` {@link WRONG_DAEMON}
 */
export async function burnStatus(
	source: DaemonClient,
	migration: MigrationRecord,
	matters: boolean
): Promise<{ stands: false } | { stands: true; at: BurnPlace | null; tip: number | null }> {
	const { row } = migration;
	try {
		const { blocks } = await checkDaemon(source, row.source, Number(row.ccid));
		const height = confirmedAt(migration);
		const found = await findBurn(source, migration);
		// The daemon is reading its chain again and has not reached the burn's block: it cannot say.
		if (found.where === 'absent' && height !== null && blocks < height) {
			throw syncing(source, 'getrawtransaction', blocks, height);
		}
		if (found.where !== 'mined') return { stands: false };
		const at = { height: found.height, blockhash: found.blockhash };
		return { stands: true, at, tip: blocks };
	} catch (error) {
		const passing = isAppError(error, 'daemon', ...WRONG_DAEMON);
		if (matters || !passing) throw error;
		return { stands: true, at: null, tip: null };
	}
}
