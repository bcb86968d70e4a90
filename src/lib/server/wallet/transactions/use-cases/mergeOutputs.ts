import { addressOfPubkey } from '#lib/chain/address.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import { JsonNumber } from '#lib/rpc/json.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { nameOfUtxo } from '../../locked-utxos/locks.ts';
import { FEE, reviewMerge } from '../verifyTransaction.ts';
import { orNotBuilt } from '../notBuilt.ts';
import type { MergeRequest } from '../request.ts';
import type { Wallet } from '../wallet.ts';
import { built } from './build.ts';
import type { SendingDependencies } from './dependencies.ts';
import { saveOne } from './save.ts';
import { refuseOverLimit, walletFor } from './mayBuild.ts';
import { forfeited } from './spendOwn.ts';

/** Outputs that one merge spends: the transaction stays far below the size limit. */
const MOST_MERGED = 100;

/** The wallet's largest outputs that no other draft is built from. @throws {AppError} `wallet-daemon.foreign-pubkey` @throws {AppError} `daemon` */
async function pickOutputs(
	{ store, gateway, clock }: SendingDependencies,
	{ daemon, chain }: Wallet,
	own: string
) {
	// A daemon runs with any -pubkey, also one whose private key is somebody else's.
	const known = await gateway.call(daemon, 'validateaddress', [own]);
	if (!('ismine' in known) || !known.ismine) {
		throw new AppError('wallet-daemon.foreign-pubkey', { daemon, address: own, certain: null });
	}
	const unspent = await gateway.call(daemon, 'listunspent', [1]);
	const locked = await store.lockedUtxos(chain, clock());
	const picked = unspent
		.filter((output) => output.spendable && !locked.has(nameOfUtxo(output)))
		.sort((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0))
		.slice(0, MOST_MERGED);
	return { picked, locked };
}

/**
 * Builds one output out of the wallet's largest ones that no other draft is built from: a burn takes ten
 * at most.
 * @param daemon whose wallet; without it one of the chain that the member may use
 */
export async function mergeOutputs(
	deps: SendingDependencies,
	chain: string,
	actor: string,
	daemon?: string
): Promise<string> {
	const { gateway } = deps;
	const wallet = await walletFor(deps, chain, actor, 'merge', daemon);
	await refuseOverLimit(deps, actor, chain, [{ kind: 'coin-send', amount: 0n }]);
	const own = addressOfPubkey(wallet.pubkey);
	const { picked, locked } = await orNotBuilt(() => pickOutputs(deps, wallet, own));
	const total = picked.reduce((sum, { amount }) => sum + amount, 0n);
	if (picked.length < 2 || total <= FEE) {
		throw new AppError('transaction.nothing-to-merge', { locked: locked.size > 0 });
	}
	const hex = await orNotBuilt(async () => {
		const draft = await gateway.call(wallet.daemon, 'createrawtransaction', [
			picked.map(({ txid, vout }) => ({ txid, vout: new JsonNumber(String(vout)) })),
			{ [own]: new JsonNumber(formatCoins(total - FEE)) }
		]);
		const signed = await gateway.call(wallet.daemon, 'signrawtransaction', [draft]);
		if (!signed.complete) throw new AppError('transaction.unsigned');
		return signed.hex;
	});
	const request: MergeRequest = { kind: 'merge', count: picked.length, total };
	const { parents } = await built(deps, wallet, () => Promise.resolve({ hex }));
	const review = reviewMerge(hex, request, wallet.pubkey, parents);
	return saveOne(deps, wallet, { hex, request, review, warnings: forfeited(chain, picked) }, actor);
}
