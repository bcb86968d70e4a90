import { byAmountDescending, sumOf } from '#lib/chain/amount.ts';
import { scriptOfAddress } from '#lib/chain/script.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import type { SplitRequest } from '../request.ts';
import { feeFor, LEAST_OUTPUT, USUAL_FEE_RATE } from '../selectUtxos.ts';
import type { SendingDependencies } from './dependencies.ts';
import { refuseOverLimit, walletFor } from './mayBuild.ts';
import { chosenUtxos, forfeited, ownUtxos, signPlanned } from './spendOwn.ts';

/** Bounds of the number of parts of one split. */
export const SPLIT_PARTS = { least: 2, most: 50 } as const;

interface SplitWish {
	/** Number of parts, within {@link SPLIT_PARTS}. */
	parts: number;
	/** The outputs to split, as `txid:vout`; empty for the largest free one. */
	utxos: readonly string[];
}

/**
 * Builds a transaction that pays the wallet's own key in equal parts, so that as many reviews can be open at
 * the same time. Returns the id of the review. The remainder of the division is added to the first part.
 * @throws {AppError}
 */
export async function splitUtxos(
	deps: SendingDependencies,
	{ chain, daemon }: { chain: string; daemon: string },
	{ parts, utxos }: SplitWish,
	actor: string
): Promise<string> {
	const wallet = await walletFor(deps, chain, actor, 'split', daemon);
	await refuseOverLimit(deps, actor, chain, [{ kind: 'coin-send', amount: 0n }]);
	const own = await ownUtxos(deps, wallet);
	const inputs =
		utxos.length > 0 ? chosenUtxos(own, utxos) : own.free.toSorted(byAmountDescending).slice(0, 1);
	const total = sumOf(inputs.map(({ amount }) => amount));
	const fee = feeFor(inputs.length, parts, USUAL_FEE_RATE);
	const each = (total - fee) / BigInt(parts);
	if (inputs.length === 0) {
		throw new AppError('transaction.nothing-to-split', { locked: own.locked > 0n });
	}
	if (each < LEAST_OUTPUT) {
		throw new AppError('transaction.parts-too-small', { chain, parts, total: total.toString() });
	}
	const warnings = forfeited(chain, inputs);
	const script = scriptOfAddress(own.address);
	const rest = total - fee - each * BigInt(parts);
	const outputs = Array.from({ length: parts }, (_, at) => ({
		value: at === 0 ? each + rest : each,
		script,
		meaning: 'split.part' as const,
		isOwn: true
	}));
	const request: SplitRequest = { kind: 'split', parts, amount: total - fee };
	return signPlanned(deps, wallet, { inputs, outputs, fee }, { request, warnings, actor });
}
