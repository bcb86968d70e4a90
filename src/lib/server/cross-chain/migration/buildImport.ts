import { recordedError } from '#lib/messages/errors/recorded.ts';
import type { DaemonClient } from '#lib/server/chains/daemon/types.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { Approvals, StepEvent } from './decisions/stepEvent.ts';
import { importRequestOf, reviewApprovedImport, reviewImport } from './importReview.ts';
import type { MigrationRecord } from './migrationRecord.ts';
import { readBuildRefusal } from './refusals.ts';

/** Builds the import, by a proof of notarizations or with approvals. The burn has been checked before. */
export async function build(
	source: DaemonClient,
	{ row, steps }: MigrationRecord,
	approvals: Approvals | null
): Promise<StepEvent> {
	const burn = steps.get('burn')?.hex ?? '';
	const txids = approvals?.txids ?? [];
	let hex: string;
	try {
		({ ImportTxHex: hex } = await source.call(
			'migrate_createimporttransaction',
			burn,
			row.payouts ?? '',
			...txids
		));
	} catch (error) {
		return { about: 'build-refused', refusal: readBuildRefusal(error) };
	}
	try {
		if (approvals === null)
			return { about: 'build', hex, review: reviewImport(hex, importRequestOf(row)) };
		const { txid } = reviewApprovedImport(hex, importRequestOf(row), txids);
		return { about: 'approved-build', hex, txid, approvals };
	} catch (error) {
		if (isAppError(error, 'review')) return { about: 'review', error: recordedError(error) };
		throw error;
	}
}
