import { reviewTransfer } from '../compare.ts';
import { SendingError } from '../errors.ts';
import { orNotBuilt } from '../notBuilt.ts';
import type { TransferRequest } from '../request.ts';
import { built, relay } from './build.ts';
import type { SendingDependencies } from './dependencies.ts';
import { keepOne } from './keep.ts';
import { refuseOverLimit, walletFor } from './mayBuild.ts';

/**
 * Builds, reads and keeps a transfer or a burn; returns the id of the review, which is `wantedId` where
 * the caller has written one down before. @throws {SendingError}
 */
export async function moveToken(
	deps: SendingDependencies,
	chain: string,
	request: TransferRequest,
	actor: string,
	wantedId?: string
): Promise<string> {
	const { gateway } = deps;
	const wallet = await walletFor(deps, chain, actor, request.kind);
	await refuseOverLimit(deps, actor, chain, [{ kind: request.kind, amount: 0n }], 'amount');
	const [{ data = '' }, { balance: held }] = await orNotBuilt(() =>
		Promise.all([
			gateway.call(wallet.daemon, 'tokeninfo', [request.tokenid]),
			gateway.call(wallet.daemon, 'tokenbalance', [request.tokenid])
		])
	);
	if (request.units > held) {
		throw new SendingError(
			'bad-field',
			`The wallet holds ${held} confirmed units of this token. Units that wait for a block cannot be moved yet.`,
			{ field: 'amount' }
		);
	}
	const { hex, parents } = await built(deps, wallet, () =>
		gateway.call(wallet.daemon, 'tokentransfer', [
			request.tokenid,
			request.recipient,
			request.units.toString()
		])
	);
	const review = reviewTransfer(hex, request, data, wallet.pubkey, parents);
	const own =
		request.recipient === wallet.pubkey
			? ['The recipient is this wallet itself: the units stay where they are.']
			: [];
	const warnings = [...relay(wallet, review), ...own];
	return keepOne(deps, wallet, { hex, request, review, warnings, wantedId }, actor);
}
