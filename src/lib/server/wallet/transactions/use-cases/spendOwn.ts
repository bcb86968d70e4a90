/** Transactions that spend a wallet's own outputs: they are planned here, and the daemon only signs them. */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { formatCoins, type Satoshi, sumOf } from '#lib/chain/amount.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { paysInterest } from '#lib/chain/mainChain.ts';
import { readableTransaction, serializeTransaction } from '#lib/chain/transaction.ts';
import { JsonNumber } from '#lib/rpc/json.ts';
import type { Warning } from '#lib/messages/transactions/warnings.ts';
import { unspentOf } from '../../../chains/daemon/unspent.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { nameOfUtxo } from '#lib/chain/nameOfUtxo.ts';
import { type HeldUtxo } from '../../locked-utxos/locks.ts';
import { orNotBuilt } from '../notBuilt.ts';
import type { SendRequest } from '../request.ts';
import { reviewPlanned, type PlannedTransaction } from '../reviewPlanned.ts';
import { MOST_INPUTS } from '../selectUtxos.ts';
import type { Wallet } from '../wallet.ts';
import { built } from './build.ts';
import type { SendingDependencies } from './dependencies.ts';
import { saveOne } from './save.ts';

/** An output that the wallet can spend now. */
interface FreeUtxo {
	txid: string;
	vout: number;
	/** Satoshi. */
	amount: Satoshi;
	/** Interest in satoshi as the daemon reports it; 0 on chains that pay none. */
	interest: Satoshi;
}

interface OwnUtxos {
	/** The wallet's address, for change and for payments to itself. */
	address: string;
	/** Confirmed, and not locked. */
	free: FreeUtxo[];
	/** Satoshi of the outputs that the wallet could spend if drafts had not locked them. */
	locked: Satoshi;
	/** Whether the list is incomplete, because the wallet has too many outputs. */
	isPart: boolean;
	/** Outputs of the chain that drafts have locked. */
	held: readonly HeldUtxo[];
}

/**
 * Reads the outputs that a wallet can spend now.
 * @throws {AppError} `wallet-daemon.foreign-pubkey`
 * @throws {AppError} `transaction.not-built`
 */
export async function ownUtxos(
	{ store, gateway, clock }: SendingDependencies,
	{ daemon, chain, pubkey }: Wallet
): Promise<OwnUtxos> {
	const address = addressOfPubkey(pubkey);
	return orNotBuilt(async () => {
		// A daemon accepts any -pubkey, even when its wallet lacks the private key.
		const known = await gateway.call(daemon, 'validateaddress', [address]);
		if (!('ismine' in known) || !known.ismine) {
			throw new AppError('wallet-daemon.foreign-pubkey', { daemon, address, certain: null });
		}
		const { outputs, isPart } = await unspentOf(
			(method, ...params) => gateway.call(daemon, method, params),
			1
		);
		const held = await store.heldUtxos(chain, clock());
		const lockedNames = new Set(held.map(nameOfUtxo));
		const { free = [], locked = [] } = Object.groupBy(
			outputs.filter(({ spendable }) => spendable),
			(output) => (lockedNames.has(nameOfUtxo(output)) ? 'locked' : 'free')
		);
		return {
			address,
			free: free.map((one) => ({
				txid: one.txid,
				vout: one.vout,
				amount: one.amount,
				interest: paysInterest(chain) ? (one.interest ?? 0n) : 0n
			})),
			locked: sumOf(locked.map(({ amount }) => amount)),
			isPart,
			held
		};
	});
}

/**
 * Returns the outputs that were selected by coin control.
 * @param names as `txid:vout`
 * @throws {AppError} `utxos.locked`, `transaction.utxo-gone`, `transaction.not-all-read` or
 * `transaction.too-many-utxos`
 */
export function chosenUtxos(
	{ free, isPart, held }: OwnUtxos,
	names: readonly string[]
): FreeUtxo[] {
	const wanted = new Set(names);
	if (wanted.size > MOST_INPUTS) {
		throw new AppError('transaction.too-many-utxos', { count: wanted.size, most: MOST_INPUTS });
	}
	const lock = held.find((one) => wanted.has(nameOfUtxo(one)));
	if (lock) throw new AppError('utxos.locked', { holder: lock.holder });
	const chosen = free.filter((one) => wanted.has(nameOfUtxo(one)));
	const [gone] = wanted.difference(new Set(chosen.map(nameOfUtxo)));
	if (gone === undefined) return chosen;
	if (isPart) throw new AppError('transaction.not-all-read');
	throw new AppError('transaction.utxo-gone', { utxo: gone.slice(0, 80) });
}

/** Returns the warning when outputs with interest are spent without claiming it: the miner gets the interest. */
export function forfeited(
	chain: string,
	inputs: readonly { interest?: Satoshi | undefined }[]
): Warning[] {
	const amount = sumOf(inputs.map(({ interest = 0n }) => interest));
	if (amount === 0n) return [];
	return [{ code: 'interest.forfeited', params: { amount: amount.toString(), chain } }];
}

/**
 * Returns the lock time for a transaction. On KMD it is the time from which its outputs accrue interest, so
 * that none is lost; the daemon's own payments set it, too. It must be less than an hour old when the
 * transaction is sent (`komodo_validate_interest`), which it is while the review is valid.
 */
async function locktimeFor(
	{ gateway }: SendingDependencies,
	{ chain, daemon }: Wallet
): Promise<number> {
	return paysInterest(chain) ? (await gateway.call(daemon, 'getinfo', [])).tiptime : 0;
}

/**
 * Has the wallet sign a plan, verifies the signed bytes against it, and stores them.
 * @returns the id of the review
 * @throws {AppError}
 */
export async function signPlanned(
	deps: SendingDependencies,
	wallet: Wallet,
	planned: Omit<PlannedTransaction, 'locktime'> & { locktime?: number },
	{ request, warnings, actor }: { request: SendRequest; warnings: Warning[]; actor: string }
): Promise<string> {
	const { gateway, rights } = deps;
	const { daemon } = wallet;
	const locktime = planned.locktime ?? (await orNotBuilt(() => locktimeFor(deps, wallet)));
	const plan = { ...planned, locktime };
	const inputs = plan.inputs.map(({ txid, vout }) => ({
		txid,
		vout: new JsonNumber(String(vout))
	}));
	const { hex, parents } = await built(deps, wallet, async () => {
		// The daemon chooses the transaction version for its next block and the expiry height. The outputs
		// are written here, because `createrawtransaction` accepts each address only once.
		const frame = await gateway.call(daemon, 'createrawtransaction', [
			inputs,
			{
				[addressOfPubkey(wallet.pubkey)]: new JsonNumber(formatCoins(plan.outputs[0]?.value ?? 0n))
			}
		]);
		const draft = readableTransaction(frame);
		if (draft === null) throw new AppError('verification.unreadable');
		const vout = plan.outputs.map(({ value, script }) => ({ value, script }));
		const unsigned = bytesToHex(serializeTransaction({ ...draft, vout, locktime }));
		const signed = await gateway.call(daemon, 'signrawtransaction', [unsigned]);
		if (!signed.complete) throw new AppError('transaction.unsigned');
		return { hex: signed.hex };
	});
	const review = reviewPlanned(hex, plan, parents, wallet.chain);
	// A transaction that cannot be measured, or pays more fee than an admin allows, is refused before it
	// becomes a review.
	await rights.measureSpend(actor, daemon, hex);
	return saveOne(deps, wallet, { hex, request, review, warnings }, actor);
}
