import type { WalletCoin } from './wallet.ts';

/** Selected inputs and their total value. */
interface Selection {
	coins: WalletCoin[];
	total: bigint;
}

/**
 * Returns the candidate that fits best: among the smallest that covers what is missing and the largest below
 * it, the closer one.
 */
const best = (candidates: readonly WalletCoin[], missing: bigint): number => {
	let above = -1;
	let below = -1;
	candidates.forEach((coin, index) => {
		if (coin.value >= missing) {
			if (above < 0 || coin.value < candidates[above]!.value) above = index;
		} else if (below < 0 || coin.value > candidates[below]!.value) below = index;
	});
	if (above < 0) return below;
	if (below < 0) return above;
	const over = candidates[above]!.value - missing;
	return missing - candidates[below]!.value < over ? below : above;
};

/**
 * Selects inputs like Komodo daemon 0.9.0: candidates must be worth at least total / maxInputs, so many small
 * outputs can be insufficient although the balance suffices; candidates are collected until they suffice,
 * then chosen by best fit. Null when they do not suffice.
 */
export const selectCoins = (
	available: readonly WalletCoin[],
	total: bigint,
	maxInputs: number
): Selection | null => {
	const threshold = total / BigInt(maxInputs);
	const candidates: WalletCoin[] = [];
	let gathered = 0n;
	for (const coin of available) {
		if (coin.value < threshold) continue;
		candidates.push(coin);
		gathered += coin.value;
		if (gathered >= total) break;
	}
	if (gathered < total) return null;
	const chosen: WalletCoin[] = [];
	let sum = 0n;
	while (sum < total && chosen.length < maxInputs && candidates.length > 0) {
		const [coin] = candidates.splice(best(candidates, total - sum), 1);
		chosen.push(coin!);
		sum += coin!.value;
	}
	return sum < total ? null : { coins: chosen, total: sum };
};
