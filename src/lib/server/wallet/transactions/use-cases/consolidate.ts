import { byAmountDescending, sumOf } from '#lib/chain/amount.ts';
import { scriptOfAddress } from '#lib/chain/script.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import type { MergeRequest } from '../request.ts';
import { MOST_INPUTS } from '../selectUtxos.ts';
import { FEE } from '../verifyTransaction.ts';
import type { SendingDependencies } from './dependencies.ts';
import { refuseOverLimit, walletFor } from './mayBuild.ts';
import { forfeited, ownUtxos, signPlanned } from './spendOwn.ts';

/**
 * Builds a transaction that consolidates the wallet's largest outputs that are not locked into one: a burn
 * can spend ten at most.
 * @param daemon whose wallet; without it, one of the chain that the member may use
 */
export async function consolidate(
	deps: SendingDependencies,
	chain: string,
	actor: string,
	daemon?: string
): Promise<string> {
	const wallet = await walletFor(deps, chain, actor, 'merge', daemon);
	await refuseOverLimit(deps, actor, chain, [{ kind: 'coin-send', amount: 0n }]);
	const { address, free, locked } = await ownUtxos(deps, wallet);
	const inputs = free.toSorted(byAmountDescending).slice(0, MOST_INPUTS);
	const total = sumOf(inputs.map(({ amount }) => amount));
	if (inputs.length < 2 || total <= FEE) {
		throw new AppError('transaction.nothing-to-merge', { locked: locked > 0n });
	}
	const request: MergeRequest = { kind: 'merge', count: inputs.length, total };
	const one = {
		value: total - FEE,
		script: scriptOfAddress(address),
		meaning: 'consolidated',
		isOwn: true
	} as const;
	const warnings = forfeited(chain, inputs);
	return signPlanned(
		deps,
		wallet,
		{ inputs, outputs: [one], fee: FEE },
		{ request, warnings, actor }
	);
}
