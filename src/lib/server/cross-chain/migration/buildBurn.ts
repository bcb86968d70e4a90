/** Builds a burn with the wallet of the source chain, and reviews the result. */
import { daemonSpelling } from '#lib/chain/amount.ts';
import { recordedError } from '#lib/messages/errors/recorded.ts';
import type { CheckMessage } from '#lib/messages/migration/checks.ts';
import type { DaemonClient, Gateway } from '#lib/server/chains/daemon/types.ts';
import { daemonClientOf } from '../../chains/daemon/daemonClient.ts';
import { parentsOf } from '../../chains/daemon/parents.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { readBuilt } from '../../wallet/transactions/verifyTransaction.ts';
import { nameOfUtxo } from '#lib/chain/nameOfUtxo.ts';
import { readHex, reviewBurn, type BurnReview } from './burnReview.ts';
import { makeCustomBurn, ownAddresses, reviewCustomBurn, type CustomSteps } from './customBurn.ts';
import type { Route } from './preflight.ts';
import type { MigrationRequest } from './request.ts';
import type { MigrationStore } from './store.ts';
import { reviewTokenBurn } from './tokenBurnReview.ts';

export interface BuiltBurn {
	hex: string;
	payouts: string;
	review: BurnReview;
	/** Bytes of each step, when the burn was made from selected UTXOs. */
	custom: CustomSteps | null;
}

/**
 * Builds and reviews a burn.
 * @throws {AppError} `review`, `verification` or `transaction.unsigned` when the burn differs from the request
 * @throws {AppError} `daemon` when the daemon does not build it
 */
export async function buildBurn(
	gateway: Gateway,
	request: MigrationRequest,
	route: Route
): Promise<BuiltBurn> {
	const source = daemonClientOf(gateway, route.sourceDaemon.id);
	const { destination, address, amount, tokenid, composed } = request;
	if (composed !== null) {
		const path = { ...request, ...route };
		const steps = await makeCustomBurn(source, composed.hex, path);
		const review = await readBurn(source, steps, request, route);
		return { hex: steps.hex, payouts: steps.payouts, review, custom: steps };
	}
	const { BurnTxHex: hex, payouts } =
		tokenid === null
			? await source.call(
					'migrate_createburntransaction',
					destination,
					address,
					daemonSpelling(amount)
				)
			: await source.call(
					'migrate_createburntransaction',
					destination,
					address,
					amount.toString(),
					tokenid
				);
	const review = await readBurn(source, { hex, payouts }, request, route);
	return { hex, payouts, review, custom: null };
}

/**
 * Parses a burn with its inputs, and compares it with the request.
 * @throws {AppError} `review`, `verification` or `transaction.unsigned` when anything differs
 * @throws {AppError} `daemon` when the inputs cannot be read
 */
export async function readBurn(
	source: DaemonClient,
	built: { hex: string; payouts: string },
	request: MigrationRequest,
	route: Pick<Route, 'ccid' | 'pubkey'>
): Promise<BurnReview> {
	const { hex } = built;
	const parents = await parentsOf(source, readBuilt(hex));
	const { ccid, pubkey } = route;
	const { tokenid, composed } = request;
	if (tokenid !== null) {
		return reviewTokenBurn(built, { ...request, tokenid, ccid, pubkey }, parents);
	}
	const path = { ...request, ccid, pubkey };
	if (composed === null) return reviewBurn(built, path, parents);
	const own = await ownAddresses(source, hex, pubkey);
	return reviewCustomBurn(built, composed.hex, path, own, parents);
}

/** Blocks that must remain before a burn expires when it is confirmed. */
const MARGIN = 20;

/**
 * Returns whether a built burn can still be sent: its inputs are unspent, not used by another migration, and it
 * does not expire soon.
 * @throws {AppError} `daemon`
 */
export async function isStillGood(
	source: DaemonClient,
	store: MigrationStore,
	{ id, source: chain }: { id: string; source: string },
	hex: string
): Promise<boolean> {
	const tx = readHex(hex, 'burn');
	if (tx.expiryHeight !== 0) {
		const { blocks } = await source.call('getinfo');
		if (blocks + MARGIN >= tx.expiryHeight) return false;
	}
	if (await overlaps(store, { chain, daemon: source.daemon }, id, hex)) return false;
	for (const { txid, vout } of tx.vin) {
		if ((await source.call('gettxout', txid, vout, true)) === null) return false;
	}
	return true;
}

/**
 * Returns outputs that something else is about to spend, as `txid:vout`: by a confirmed burn that is in no block
 * yet, or by a reviewed transaction that locks them.
 * @param except the migration whose own outputs do not count
 */
export async function lockedOutputs(
	store: MigrationStore,
	{ chain, daemon }: { chain: string; daemon: string },
	except: string | null
): Promise<Set<string>> {
	const [kept, others] = await Promise.all([
		store.lockedUtxos(chain, except),
		store.burnsOnTheirWay(daemon)
	]);
	const burning = others
		.filter(({ id }) => id !== except)
		.flatMap(({ hex }) => readHex(hex, 'burn').vin.map(nameOfUtxo));
	return new Set([...kept, ...burning]);
}

/** Returns whether something else is about to spend one of the same outputs. */
async function overlaps(
	store: MigrationStore,
	wallet: { chain: string; daemon: string },
	id: string | null,
	hex: string
): Promise<boolean> {
	const locked = await lockedOutputs(store, wallet, id);
	return readHex(hex, 'burn').vin.some((input) => locked.has(nameOfUtxo(input)));
}

/**
 * Returns a failure of building as a check.
 * @throws any other error unchanged
 */
export function buildFailure(error: unknown): CheckMessage {
	if (isAppError(error, 'review', 'verification', 'transaction.unsigned')) {
		return { code: 'burn.review-failed', params: { error: recordedError(error) } };
	}
	if (isAppError(error, 'daemon')) {
		const response = (error.params.rpcMessage ?? error.message).trim();
		return { code: 'burn.not-built', params: { response } };
	}
	throw error;
}
