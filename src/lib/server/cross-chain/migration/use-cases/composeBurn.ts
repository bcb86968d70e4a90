import { decodeAddress } from '#lib/chain/address.ts';
import { valueOf } from '#lib/chain/amount.ts';
import { IMPORT_FEE } from '#lib/chain/burn.ts';
import { p2pkh } from '#lib/chain/script.ts';
import type { TxOut } from '#lib/chain/transaction.ts';
import { daemonClientOf } from '../../../chains/daemon/daemonClient.ts';
import type { DaemonClient } from '../../../chains/daemon/types.ts';
import { unspentOf } from '../../../chains/daemon/unspent.ts';
import { lockedOutputs } from '../buildBurn.ts';
import { completeInputs } from '../chooseOutputs.ts';
import { compose } from '../customBurn.ts';
import { composedParts, type Outpoint } from '../customRequest.ts';
import type { Route } from '../preflight.ts';
import type { Composed, MigrationRequest } from '../request.ts';
import type { MigrationDependencies } from './dependencies.ts';

/**
 * Composes a transaction from selected UTXOs and as many others as are needed.
 * @throws {AppError} `review`, `daemon`
 */
export async function composeFrom(
	deps: MigrationDependencies,
	chain: string,
	client: DaemonClient,
	chosen: readonly Outpoint[],
	payouts: readonly TxOut[]
): Promise<Composed> {
	const { store } = deps;
	const total = valueOf(payouts) + IMPORT_FEE;
	const [{ outputs: wallet }, locked] = await Promise.all([
		unspentOf(client.call, 0),
		lockedOutputs(store, { chain, daemon: client.daemon }, null)
	]);
	const inputs = completeInputs(chosen, wallet, locked, total);
	return {
		hex: await compose(client, inputs, payouts),
		pasted: false,
		added: inputs.length - chosen.length
	};
}

/**
 * Selects other UTXOs for a burn whose usual ones are locked by another draft; null when there are none.
 * @throws {AppError} `review`, `daemon`
 */
export async function withOtherOutputs(
	deps: MigrationDependencies,
	request: MigrationRequest,
	route: Route
): Promise<MigrationRequest | null> {
	const { gateway } = deps;
	const { source, address, amount, tokenid, composed } = request;
	// The daemon's own selection cannot exclude outputs, and only burns of coins can be composed.
	const isChosen = composed !== null && composed.added < composedParts(composed.hex).inputs.length;
	if (tokenid !== null || composed?.pasted === true || isChosen) return null;
	const payouts = [{ value: amount, script: p2pkh(decodeAddress(address).hash) }];
	const client = daemonClientOf(gateway, route.sourceDaemon.id);
	const others = await composeFrom(deps, source, client, [], payouts);
	return others.added === 0 ? null : { ...request, composed: others };
}

/** Returns the request with its transaction composed again, so that its expiry starts anew; a pasted one is kept. */
export async function renewed(
	deps: MigrationDependencies,
	request: MigrationRequest,
	route: Route
): Promise<MigrationRequest> {
	const { gateway } = deps;
	const { composed } = request;
	if (composed === null || composed.pasted) return request;
	const { inputs, payouts } = composedParts(composed.hex);
	const hex = await compose(daemonClientOf(gateway, route.sourceDaemon.id), inputs, payouts);
	return { ...request, composed: { ...composed, hex } };
}
