import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import type { DaemonClient } from '../../../chains/daemon/lookup.ts';
import type { MigrationRequest, RequestField } from '../request.ts';
import type { Checks } from './checks.ts';
import { isAppError } from '../../../platform/errors/appError.ts';

/** What a daemon says of itself and its chain. */
export type Info = DaemonResult<'getinfo'>;

/** Komodo daemon 0.9.0: ids below this are no shared ids. */
const FIRST_FUNGIBLE_ID = 100;

/** Who a daemon says that it is; null, with a failed check, when it does not answer. */
export async function infoOf(
	checks: Checks,
	client: DaemonClient,
	chain: string,
	field?: RequestField
): Promise<Info | null> {
	try {
		const info = await client.call('getinfo');
		if (info.name !== chain) {
			checks.add(
				'fail',
				`answers-${chain}`,
				{ code: 'chain.wrong-daemon', params: { chain, name: info.name } },
				field
			);
			return null;
		}
		if (info.longestchain > info.blocks) {
			checks.add(
				'warn',
				`synced-${chain}`,
				{
					code: 'chain.syncing',
					params: { chain, height: info.blocks, tip: info.longestchain }
				},
				field
			);
		}
		checks.add('ok', `answers-${chain}`, {
			code: 'chain.answers',
			params: { chain, height: info.blocks }
		});
		return info;
	} catch (error) {
		if (!isAppError(error, 'daemon')) throw error;
		checks.add(
			'fail',
			`answers-${chain}`,
			{ code: 'chain.unreachable', params: { error: error.coded } },
			field
		);
		return null;
	}
}

/** Whether both chains can exchange. */
export function checkIdentity(
	checks: Checks,
	request: MigrationRequest,
	source: Info,
	target: Info
): void {
	const [from, to] = [source.CCid ?? 0, target.CCid ?? 0];
	if (from < FIRST_FUNGIBLE_ID || to < FIRST_FUNGIBLE_ID) {
		const chain = from < FIRST_FUNGIBLE_ID ? request.source : request.destination;
		const field = from < FIRST_FUNGIBLE_ID ? 'source' : 'destination';
		checks.add('fail', 'ccid', { code: 'ccid.none', params: { chain } }, field);
	} else if (from !== to) {
		checks.add(
			'fail',
			'ccid',
			{
				code: 'ccid.different',
				params: {
					source: request.source,
					sourceCcid: from,
					destination: request.destination,
					destinationCcid: to
				}
			},
			'destination'
		);
	} else {
		checks.add('ok', 'ccid', { code: 'ccid.same', params: { ccid: from } });
	}
	for (const [chain, info] of [
		[request.source, source],
		[request.destination, target]
	] as const) {
		if (info.sapling < 0 || info.sapling > info.blocks) {
			checks.add('fail', `sapling-${chain}`, { code: 'chain.no-sapling', params: { chain } });
		}
	}
}
