import {
	notarizationsDown,
	type DaemonClient,
	type NotarizationAt
} from '../../../chains/daemon/lookup.ts';
import type { MigrationRequest, RequestField } from '../request.ts';
import type { Checks } from './checks.ts';

/** Notarizations of the destination that a proof on KMD needs in its window. */
const NEEDED_NOTARIZATIONS = 7;

function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Whether the last notarization is much older than they usually are apart. */
function checkAge(
	checks: Checks,
	chain: string,
	list: readonly NotarizationAt[],
	tip: number,
	field: RequestField
): void {
	const [newest] = list;
	if (!newest) return;
	const age = tip - newest.height;
	const usual = median(
		list.slice(1).map((record, i) => (list[i]?.height ?? record.height) - record.height)
	);
	if (list.length > 1 && age > Math.max(10, 3 * usual)) {
		checks.add(
			'warn',
			`notarized-${chain}`,
			{ code: 'notarized.late', params: { chain, blocks: age, usual } },
			field
		);
		return;
	}
	checks.add('ok', `notarized-${chain}`, {
		code: 'notarized.recently',
		params: { chain, blocks: age }
	});
}

/** Whether both chains are notarized often enough for a proof. */
export async function checkNotarizations(
	checks: Checks,
	kmd: DaemonClient,
	tip: number,
	request: MigrationRequest
): Promise<void> {
	const enough = (list: readonly NotarizationAt[]): boolean => list.length > NEEDED_NOTARIZATIONS;
	// The daemon leaves the newest block out of its searches.
	const top = tip - 1;
	// Approvals need no notarization at all.
	const missing = request.approvals ? 'warn' : 'fail';
	const [ofSource, ofTarget] = await Promise.all([
		notarizationsDown(kmd, request.source, 'kmd', top, enough),
		notarizationsDown(kmd, request.destination, 'kmd', top, enough)
	]);
	if (ofSource.length === 0) {
		checks.add(
			missing,
			`notarized-${request.source}`,
			{ code: 'notarized.never', params: { chain: request.source } },
			'source'
		);
	}
	checkAge(checks, request.source, ofSource, tip, 'source');
	if (ofTarget.length < NEEDED_NOTARIZATIONS) {
		checks.add(
			missing,
			'destination-notarizations',
			{
				code: 'notarized.too-seldom',
				params: {
					chain: request.destination,
					found: ofTarget.length,
					approvals: request.approvals ?? false
				}
			},
			'destination'
		);
		return;
	}
	checkAge(checks, request.destination, ofTarget, tip, 'destination');
}
