import { daemonSpelling, formatCoins } from '#lib/chain/amount.ts';
import { MARKER, reviewCreate } from '../compare.ts';
import { SendingError } from '../errors.ts';
import { creationNeeds, migrationOutlook } from '../guards.ts';
import type { CreateRequest } from '../request.ts';
import { built, relay } from './build.ts';
import type { SendingDependencies } from './dependencies.ts';
import { keepOne } from './keep.ts';
import { refuseOverLimit, walletFor } from './mayBuild.ts';

/**
 * Builds, reads and keeps a token creation; returns the id of the review, which shows the warnings, too.
 * @throws {SendingError}
 */
export async function createToken(
	deps: SendingDependencies,
	chain: string,
	request: CreateRequest,
	actor: string,
	warnings: readonly string[] = []
): Promise<string> {
	const { gateway } = deps;
	const wallet = await walletFor(deps, chain, actor, request.kind);
	const taken = { kind: 'token-create', amount: request.supply + MARKER } as const;
	await refuseOverLimit(deps, actor, chain, [taken], 'supply');
	const needed = creationNeeds(request.supply);
	if (wallet.balance !== null && wallet.balance < needed) {
		throw new SendingError(
			'bad-field',
			`The wallet has ${formatCoins(wallet.balance)} coins, and ${formatCoins(needed)} are needed: the supply, 0.0001 for the marker and 0.0001 for the fee.`,
			{ field: 'supply' }
		);
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
	const review = reviewCreate(hex, request, wallet.pubkey, parents);
	const bytes = new TextEncoder().encode(name + description).length + data.length / 2;
	const outlook = migrationOutlook(data !== '', bytes);
	const said = [...warnings, ...relay(wallet, review), outlook.sentence];
	return keepOne(deps, wallet, { hex, request, review, warnings: said }, actor);
}
