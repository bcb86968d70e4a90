import type { MigrationRequest } from '../request.ts';
import type { MigrationRecord } from '../migrationRecord.ts';

/** Returns the request of a stored migration. */
export const requestOf = ({
	row,
	steps
}: Pick<MigrationRecord, 'row' | 'steps'>): MigrationRequest => {
	const composed = steps.get('compose');
	return {
		source: row.source,
		destination: row.destination,
		address: row.address,
		amount: row.amount,
		policy: row.policy,
		tokenid: row.tokenid,
		...(row.path === 'backup' ? { approvals: true } : {}),
		composed:
			typeof composed?.hex === 'string'
				? {
						hex: composed.hex,
						pasted: composed.evidence.pasted === true,
						added: composed.evidence.added ?? 0
					}
				: null
	};
};
