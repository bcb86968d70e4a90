import { NEEDED_NOTARIZATIONS } from '#lib/chain/proofRoot.ts';
import { authorityOf } from '#lib/chain/notaryAuthority.ts';
import { notarizationsDown, type NotarizationAt } from '../../../chains/daemon/notarizations.ts';
import type { DaemonClient } from '../../../chains/daemon/types.ts';
import type { MigrationRequest, RequestField } from '../request.ts';
import type { Checks } from './checks.ts';

function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Warns when the last notarization is much older than the usual interval. */
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

/** Checks that both chains have the same notaries, and enough notarizations for a proof. */
export async function checkNotarizations(
	checks: Checks,
	kmd: DaemonClient,
	tip: number,
	request: Pick<MigrationRequest, 'source' | 'destination' | 'approvals'>
): Promise<void> {
	const enough = (list: readonly NotarizationAt[]): boolean => list.length > NEEDED_NOTARIZATIONS;
	const { source, destination, approvals = false } = request;
	// Approvals need no notarizations.
	const missing = approvals ? 'warn' : 'fail';
	if (authorityOf(source) !== authorityOf(destination)) {
		const params = { source, destination, approvals };
		checks.add(missing, 'notary-group', { code: 'notarized.other-group', params }, 'destination');
		return;
	}
	// The daemon leaves the tip out of its searches.
	const top = tip - 1;
	const [ofSource, ofTarget] = await Promise.all([
		notarizationsDown(kmd, source, 'kmd', top, enough),
		notarizationsDown(kmd, destination, 'kmd', top, enough)
	]);
	if (ofSource.length === 0) {
		checks.add(
			missing,
			`notarized-${source}`,
			{ code: 'notarized.never', params: { chain: source } },
			'source'
		);
	}
	checkAge(checks, source, ofSource, tip, 'source');
	if (ofTarget.length < NEEDED_NOTARIZATIONS) {
		checks.add(
			missing,
			'destination-notarizations',
			{
				code: 'notarized.too-seldom',
				params: { chain: destination, found: ofTarget.length, approvals }
			},
			'destination'
		);
		return;
	}
	checkAge(checks, destination, ofTarget, tip, 'destination');
}
