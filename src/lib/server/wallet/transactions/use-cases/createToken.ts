import type { Warning } from '#lib/messages/transactions/warnings.ts';
import { daemonSpelling } from '#lib/chain/amount.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { MARKER, reviewCreate } from '../verifyTransaction.ts';
import { freeCoins } from '../freeCoins.ts';
import { creationNeeds, migrationOutlook } from '../guards.ts';
import { orNotBuilt } from '../notBuilt.ts';
import type { CreateRequest } from '../request.ts';
import { built, relay } from './build.ts';
import type { SendingDependencies } from './dependencies.ts';
import { saveOne } from './save.ts';
import { refuseOverLimit, walletFor } from './mayBuild.ts';

/**
 * Builds, verifies and stores a token creation. Returns the id of the review, which shows the warnings, too.
 * @param known warnings that do not need the built bytes
 * @throws {AppError}
 */
export async function createToken(
	deps: SendingDependencies,
	chain: string,
	request: CreateRequest,
	actor: string,
	known: readonly Warning[] = []
): Promise<string> {
	const { gateway } = deps;
	const wallet = await walletFor(deps, chain, actor, request.kind);
	const taken = { kind: 'token-create', amount: request.supply + MARKER } as const;
	await refuseOverLimit(deps, actor, chain, [taken], 'supply');
	const needed = creationNeeds(request.supply);
	const free = await orNotBuilt(() => freeCoins(gateway, wallet));
	if (free !== null && free < needed) {
		throw new AppError('transaction.too-few-coins', {
			chain,
			balance: free.toString(),
			needed: needed.toString()
		});
	}
	const { name, description, data, supply } = request;
	const amount = daemonSpelling(supply);
	const { hex, parents } = await built(deps, wallet, () =>
		gateway.call(
			wallet.daemon,
			'tokencreate',
			data === '' ? [name, amount, description] : [name, amount, description, data]
		)
	);
	const review = reviewCreate(hex, request, wallet, parents);
	const bytes = new TextEncoder().encode(name + description).length + data.length / 2;
	const outlook = migrationOutlook(data !== '', bytes);
	const warnings = [...known, ...relay(wallet, review), outlook.message];
	return saveOne(deps, wallet, { hex, request, review, warnings }, actor);
}
