import type { Warning } from '#lib/messages/transactions/warnings.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { reviewTransfer } from '../verifyTransaction.ts';
import { orNotBuilt } from '../notBuilt.ts';
import type { TransferRequest } from '../request.ts';
import { built, relay } from './build.ts';
import type { SendingDependencies } from './dependencies.ts';
import { saveOne } from './save.ts';
import { refuseOverLimit, walletFor } from './mayBuild.ts';

/** What the caller has stored before: the id of the review, and the daemon whose wallet it is. */
interface WrittenDown {
	id: string;
	daemon: string;
}

/**
 * Builds, verifies and stores a transfer or a burn. Returns the id of the review.
 * @param written without it the id is a new one, and the wallet one that the actor may use
 * @throws {AppError}
 */
export async function moveToken(
	deps: SendingDependencies,
	chain: string,
	request: TransferRequest,
	actor: string,
	written?: WrittenDown
): Promise<string> {
	const { gateway } = deps;
	const wallet = await walletFor(deps, chain, actor, request.kind, written?.daemon);
	await refuseOverLimit(deps, actor, chain, [{ kind: request.kind, amount: 0n }], 'amount');
	const { data, held } = await orNotBuilt(async () => {
		const [info, { balance }] = await Promise.all([
			gateway.call(wallet.daemon, 'tokeninfo', [request.tokenid]),
			gateway.call(wallet.daemon, 'tokenbalance', [request.tokenid])
		]);
		return { data: info.data ?? '', held: balance };
	});
	if (request.units > held) {
		throw new AppError('transaction.too-few-units', { held: held.toString() });
	}
	const { hex, parents } = await built(deps, wallet, () =>
		gateway.call(wallet.daemon, 'tokentransfer', [
			request.tokenid,
			request.recipient,
			request.units.toString()
		])
	);
	const review = reviewTransfer(hex, request, data, wallet, parents);
	const own: Warning[] =
		request.recipient === wallet.pubkey ? [{ code: 'recipient.own', params: {} }] : [];
	const warnings = [...relay(wallet, review), ...own];
	const wantedId = written?.id;
	return saveOne(deps, wallet, { hex, request, review, warnings, wantedId }, actor);
}
