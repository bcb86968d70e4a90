import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import type { Dialect } from '#lib/rpc/codec.ts';
import { HIGHEST_CCID, leastCcid } from '../../../chains/daemon/sharedCcid.ts';
import type { DaemonClient } from '../../../chains/daemon/types.ts';
import type { MigrationRequest, RequestField } from '../request.ts';
import type { Checks } from './checks.ts';
import { isAppError } from '../../../platform/errors/appError.ts';

/** A daemon's `getinfo`. */
export type Info = DaemonResult<'getinfo'>;

/** Returns a daemon's `getinfo`; null, with a failed check, when it does not answer or follows another chain. */
export async function infoOf(
	checks: Checks,
	client: DaemonClient,
	chain: string,
	field?: RequestField
): Promise<Info | null> {
	try {
		const info = await client.identity();
		if (info.name !== chain) {
			checks.add(
				'fail',
				`answers-${chain}`,
				{ code: 'chain.wrong-daemon', params: { chain, name: info.name } },
				field
			);
			return null;
		}
		const longest = reported(info, 'longestchain') ?? 0;
		if (longest > info.blocks) {
			checks.add(
				'warn',
				`synced-${chain}`,
				{
					code: 'chain.syncing',
					params: { chain, height: info.blocks, tip: longest }
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

/** A daemon's `getinfo`, and its dialect. */
export interface Side {
	info: Info;
	dialect: Dialect;
}

/** Checks that coins can be migrated between both chains: CCid and Sapling. */
export function checkIdentity(
	checks: Checks,
	request: Pick<MigrationRequest, 'source' | 'destination' | 'approvals'>,
	{ info: source, dialect }: Side,
	{ info: target, dialect: targetDialect }: Side
): void {
	const [from, to] = [source.CCid ?? 0, target.CCid ?? 0];
	const [fromLeast, toLeast] = [leastCcid(dialect), leastCcid(targetDialect)];
	if (from < fromLeast || to < toLeast) {
		const [field, ccid, least] =
			from < fromLeast
				? (['source', from, fromLeast] as const)
				: (['destination', to, toLeast] as const);
		const chain = request[field];
		checks.add('fail', 'ccid', { code: 'ccid.too-low', params: { chain, ccid, least } }, field);
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
	} else if (from > HIGHEST_CCID && !request.approvals) {
		const params = { chain: request.source, ccid: from, most: HIGHEST_CCID };
		checks.add('fail', 'ccid', { code: 'ccid.too-high', params }, 'source');
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
