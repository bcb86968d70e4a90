/** Which coins of a node are active now, and which of them can sign messages. */
import type { Failure } from '#lib/messages/errors/activation.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { Coins } from '../coins/coins.ts';
import type { Coin } from '../coins/parse.ts';
import { isByNode } from '../calls/failure.ts';
import type { KdfPort } from '../calls/kdfPort.ts';
import type { ActivationStore } from '../activation/store.ts';

/** Active coins of a node. `tickers` is null when the node does not answer now; `failure` then says why. */
interface ActiveCoins {
	tickers: ReadonlySet<string> | null;
	failure: Failure | null;
}

export interface ActiveList {
	active(node: string): Promise<ActiveCoins>;
	/**
	 * Returns the coins that can sign messages, in the order of the coins file: the active ones, or those activated from
	 * here when the node cannot list them. `known`: whether the node listed them.
	 */
	signers(node: string): Promise<{ coins: Coin[]; known: boolean }>;
}

export function createActiveList(
	pages: KdfPort,
	coins: Pick<Coins, 'catalog'>,
	store: Pick<ActivationStore, 'status'>
): ActiveList {
	async function active(node: string): Promise<ActiveCoins> {
		try {
			const enabled = await pages.call(node, 'get_enabled_coins', {});
			return { tickers: new Set(enabled.coins.map(({ ticker }) => ticker)), failure: null };
		} catch (error) {
			if (!isAppError(error, 'activation.call-failed')) throw error;
			return { tickers: null, failure: error.params.failure };
		}
	}

	return {
		active,
		async signers(node) {
			const [{ coins: all }, { tickers, failure }] = await Promise.all([
				coins.catalog(),
				active(node)
			]);
			const cannotList = failure !== null && isByNode(failure);
			const fromHere = cannotList ? await store.status(node) : null;
			const signs = ({ ticker }: Coin): boolean =>
				tickers?.has(ticker) ?? fromHere?.get(ticker)?.state === 'active';
			return { coins: all.filter(signs), known: tickers !== null };
		}
	};
}
