import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { explainUpstream } from '#lib/server/chains/daemon/explain.ts';
import { UpstreamError } from '#lib/server/chains/daemon/types.ts';
import type { Asker } from '../../../chains/daemon/lookup.ts';
import type { MigrationRequest, RequestField } from '../request.ts';
import type { Checks } from './checks.ts';
import { COUNT } from './checks.ts';

/** What a daemon says of itself and its chain. */
export type Info = DaemonResult<'getinfo'>;

/** Komodo daemon 0.9.0: ids below this are no shared ids. */
const FIRST_FUNGIBLE_ID = 100;

/** Who a daemon says that it is; null, with a failed check, when it does not answer. */
export async function infoOf(
	checks: Checks,
	ask: Asker,
	chain: string,
	field?: RequestField
): Promise<Info | null> {
	try {
		const info = await ask.call('getinfo');
		if (info.name !== chain) {
			checks.add(
				'fail',
				`answers-${chain}`,
				`The daemon configured for ${chain} says that it runs ${info.name}.`,
				field
			);
			return null;
		}
		if (info.longestchain > info.blocks) {
			checks.add(
				'warn',
				`synced-${chain}`,
				`${chain} is still catching up: block ${COUNT.format(info.blocks)} of ${COUNT.format(info.longestchain)}.`,
				field
			);
		}
		checks.add('ok', `answers-${chain}`, `${chain} answers at block ${COUNT.format(info.blocks)}.`);
		return info;
	} catch (error) {
		if (!(error instanceof UpstreamError)) throw error;
		checks.add('fail', `answers-${chain}`, explainUpstream(error).what, field);
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
		checks.add('fail', 'ccid', `${chain} takes no part in migrations: it has no shared id.`, field);
	} else if (from !== to) {
		checks.add(
			'fail',
			'ccid',
			`${request.source} has the id ${from} and ${request.destination} has ${to}: what is burned for a chain with another id can never be imported.`,
			'destination'
		);
	} else {
		checks.add('ok', 'ccid', `Both chains have the id ${from}.`);
	}
	for (const [chain, info] of [
		[request.source, source],
		[request.destination, target]
	] as const) {
		if (info.sapling < 0 || info.sapling > info.blocks) {
			checks.add('fail', `sapling-${chain}`, `Sapling is not active on ${chain} yet.`);
		}
	}
}
