import { scriptOfAddress } from '#lib/chain/script.ts';
import { type Satoshi, sumOf } from '#lib/chain/amount.ts';
import type { Warning } from '#lib/messages/transactions/warnings.ts';
import { refuseTraps } from '../../../chains/daemon/refuseTraps.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import type { PaymentRequest } from '../request.ts';
import { MOST_INPUTS, planPayment, type Payment } from '../selectUtxos.ts';
import type { SendingDependencies } from './dependencies.ts';
import { refuseOverLimit, walletFor } from './mayBuild.ts';
import { chosenUtxos, forfeited, ownUtxos, signPlanned } from './spendOwn.ts';

/** A payment as a form requests it. */
interface PaymentWish {
	payments: readonly Payment[];
	/** The outputs to spend, as `txid:vout`; empty to have them selected. */
	utxos: readonly string[];
	/** Fee rate in satoshi per 1,000 bytes. */
	rate: Satoshi;
}

const takesAll = ({ payments }: PaymentWish): boolean =>
	payments.some(({ amount }) => amount === null);

/**
 * Builds, verifies and stores a payment of coins from the wallet of a daemon. Returns the id of the review.
 * @throws {AppError}
 */
export async function sendCoins(
	deps: SendingDependencies,
	{ chain, daemon }: { chain: string; daemon: string },
	wish: PaymentWish,
	actor: string
): Promise<string> {
	const wallet = await walletFor(deps, chain, actor, 'coin-send', daemon);
	const recipients = wish.payments.map(({ address }) => address);
	await refuseTraps(deps.gateway, wallet, recipients);
	const own = await ownUtxos(deps, wallet);
	const isChosen = wish.utxos.length > 0;
	const free = isChosen ? chosenUtxos(own, wish.utxos) : own.free;
	const planned = planPayment({ ...wish, free, isChosen });
	if (!planned.ok) {
		if (own.isPart) throw new AppError('transaction.not-all-read');
		const has = sumOf(free.map(({ amount }) => amount));
		const needed = planned.needed.toString();
		if (has >= planned.needed) {
			const reach = planned.reach.toString();
			throw new AppError('transaction.too-spread', { chain, needed, reach, most: MOST_INPUTS });
		}
		throw new AppError('transaction.too-few-free', {
			chain,
			free: has.toString(),
			needed,
			locked: !isChosen && has + own.locked >= planned.needed
		});
	}
	const { inputs, payments, change, fee } = planned.plan;
	const amount = sumOf(payments.map(({ amount }) => amount));
	await refuseOverLimit(
		deps,
		actor,
		chain,
		[{ kind: 'coin-send', amount: amount + fee }],
		'amount'
	);
	const isPart = takesAll(wish) && inputs.length < free.length;
	const warnings: Warning[] = [
		...forfeited(chain, inputs),
		...(isPart
			? [
					{
						code: 'payment.not-all',
						params: { spent: inputs.length, count: free.length }
					} as const
				]
			: [])
	];
	const { rate } = wish;
	const request: PaymentRequest = { kind: 'coin-send', amount, fee, payments, isChosen, rate };
	const outputs = [
		...payments.map((one) => ({
			value: one.amount,
			script: scriptOfAddress(one.address),
			meaning: 'coins.paid' as const,
			isOwn: one.address === own.address
		})),
		...(change > 0n
			? [
					{
						value: change,
						script: scriptOfAddress(own.address),
						meaning: 'change' as const,
						isOwn: true
					}
				]
			: [])
	];
	return signPlanned(deps, wallet, { inputs, outputs, fee }, { request, warnings, actor });
}
