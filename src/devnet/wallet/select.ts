import type { WalletCoin } from './wallet.ts';

/** Chosen inputs and what they are worth together. */
interface Selection {
	coins: WalletCoin[];
	total: bigint;
}

/** The smallest candidate that covers what is missing, else the largest below it. */
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
 * Chooses inputs as Komodo daemon 0.9.0 does: a candidate must be worth at least total / maxInputs, so many
 * small outputs can be "no funds" although the balance would do; candidates are gathered until they
 * suffice, then picked by how well they fit. Null when they do not suffice.
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
