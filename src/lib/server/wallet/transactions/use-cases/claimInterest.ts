import { scriptOfAddress } from '#lib/chain/script.ts';
import { descending, type Satoshi, sumOf } from '#lib/chain/amount.ts';
import { accruedInterest } from '#lib/chain/interest.ts';
import { paysInterest } from '#lib/chain/mainChain.ts';
import { readableTransaction, txidOf } from '#lib/chain/transaction.ts';
import { daemonClientOf } from '../../../chains/daemon/daemonClient.ts';
import { findTransaction } from '../../../chains/daemon/findTransaction.ts';
import { someAtATime } from '../../../platform/async/someAtATime.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { orNotBuilt } from '../notBuilt.ts';
import type { ClaimRequest } from '../request.ts';
import { MOST_INPUTS } from '../selectUtxos.ts';
import { FEE } from '../verifyTransaction.ts';
import type { Wallet } from '../wallet.ts';
import type { SendingDependencies } from './dependencies.ts';
import { refuseOverLimit, walletFor } from './mayBuild.ts';
import { ownUtxos, signPlanned } from './spendOwn.ts';

const AT_A_TIME = 4;
/** Maximum number of times that the outputs are read, when a block arrives in between. */
const MOST_READS = 3;

/** Returns the wallet's outputs and the time of the tip, both at the same tip where possible. */
async function atOneTip(deps: SendingDependencies, wallet: Wallet) {
	const { gateway } = deps;
	const tipTime = () =>
		orNotBuilt(async () => (await gateway.call(wallet.daemon, 'getinfo', [])).tiptime);
	let time = await tipTime();
	for (let read = 1; ; read += 1) {
		const own = await ownUtxos(deps, wallet);
		const after = await tipTime();
		if (after === time || read === MOST_READS) return { ...own, time };
		time = after;
	}
}

/** Computes the interest in satoshi from the bytes of the transactions that created the outputs. */
async function countInterest(
	{ gateway }: SendingDependencies,
	{ daemon }: Wallet,
	inputs: readonly { txid: string; amount: Satoshi }[],
	time: number
): Promise<Satoshi> {
	const client = daemonClientOf(gateway, daemon);
	const counted: Satoshi[] = [];
	await someAtATime(inputs, AT_A_TIME, async ({ txid, amount }) => {
		const found = await findTransaction(client, txid);
		if (found.where !== 'mined') return;
		const tx = readableTransaction(found.hex);
		// A response with the bytes of another transaction is ignored.
		if (tx === null || txidOf(tx) !== txid) return;
		const { height } = found;
		counted.push(accruedInterest({ value: amount, height, locktime: tx.locktime }, time));
	});
	return sumOf(counted);
}

/**
 * Builds a transaction that pays the wallet's outputs with the most interest, and that interest, to one
 * output. Interest is paid out by the transaction that spends an output (`komodo_interest.h`), and what it
 * does not claim goes to the miner. So the amount has to be exact: the interest computed here and the
 * daemon's must agree to the satoshi.
 * @param daemon whose wallet
 * @returns the id of the review
 * @throws {AppError} `transaction.no-interest` or `transaction.interest-differs`, and what building throws
 */
export async function claimInterest(
	deps: SendingDependencies,
	{ chain, daemon }: { chain: string; daemon: string },
	actor: string
): Promise<string> {
	const wallet = await walletFor(deps, chain, actor, 'claim', daemon);
	await refuseOverLimit(deps, actor, chain, [{ kind: 'coin-send', amount: 0n }]);
	if (!paysInterest(chain)) {
		throw new AppError('transaction.no-interest', { interest: '0', fee: `${FEE}` });
	}
	const { address, free, time } = await atOneTip(deps, wallet);
	const inputs = free
		.filter(({ interest }) => interest > 0n)
		.toSorted((a, b) => descending(a.interest, b.interest))
		.slice(0, MOST_INPUTS);
	const told = sumOf(inputs.map(({ interest }) => interest));
	if (told <= FEE) {
		throw new AppError('transaction.no-interest', { interest: `${told}`, fee: `${FEE}` });
	}
	const counted = await orNotBuilt(() => countInterest(deps, wallet, inputs, time));
	if (counted !== told) {
		const counts = { counted: `${counted}`, told: `${told}` };
		throw new AppError('transaction.interest-differs', counts);
	}
	const total = sumOf(inputs.map(({ amount }) => amount));
	const request: ClaimRequest = { kind: 'claim', count: inputs.length, total, interest: counted };
	const one = {
		value: total + counted - FEE,
		script: scriptOfAddress(address),
		meaning: 'claimed',
		isOwn: true
	} as const;
	// Interest accrues anew from the time up to which it is claimed: both are computed from this tip.
	const plan = { inputs, outputs: [one], fee: FEE, interest: counted, locktime: time };
	return signPlanned(deps, wallet, plan, { request, warnings: [], actor });
}
