/**
 * What swaps of active coins wait for, as it was set from here after their activation: a node takes it and has no
 * call that tells it. Whatever was known of a coin ends when the coin is disabled.
 */
import type { Database } from '../../platform/database/database.ts';
import type { KdfTables } from '../tables.ts';

/** What swaps of a coin wait for. */
export interface SwapSettings {
	confirmations: number;
	notarization: boolean;
}

/** What was set at a time; a part is null where nothing was said of it since the coin was disabled last. */
export interface SwapsSet {
	confirmations: number | null;
	notarization: boolean | null;
	/** Unix milliseconds. */
	at: number;
}

/** @param clock Unix milliseconds */
export function createSwapSettings(db: Database<KdfTables>, clock: () => number = Date.now) {
	async function write(
		node: string,
		coin: string,
		change: { confirmations?: bigint | null; notarization?: bigint | null },
		at = clock()
	): Promise<void> {
		const values = { ...change, set_at: at };
		await db
			.insertInto('swap_settings')
			.values({ node, coin, ...values })
			.onConflict((conflict) => conflict.columns(['node', 'coin']).doUpdateSet(values))
			.execute();
	}

	return {
		/** Keeps what a node took; what is left out stays. */
		save: (node: string, coin: string, taken: Partial<SwapSettings>): Promise<void> =>
			write(node, coin, {
				...(taken.confirmations === undefined
					? {}
					: { confirmations: BigInt(taken.confirmations) }),
				...(taken.notarization === undefined ? {} : { notarization: taken.notarization ? 1n : 0n })
			}),
		/**
		 * Nothing is known any more of what a node is about to be told: it may take it although its answer is not heard here.
		 * @returns puts back what was known, where the node did not take it
		 */
		async doubt(
			node: string,
			coin: string,
			parts: readonly (keyof SwapSettings)[]
		): Promise<() => Promise<void>> {
			const before = await db
				.selectFrom('swap_settings')
				.selectAll()
				.where('node', '=', node)
				.where('coin', '=', coin)
				.executeTakeFirst();
			const at = clock();
			await write(node, coin, Object.fromEntries(parts.map((part) => [part, null])), at);
			return async () => {
				await db.transaction().execute(async (trx) => {
					// Who was told something since knows more.
					const own = await trx
						.deleteFrom('swap_settings')
						.where('node', '=', node)
						.where('coin', '=', coin)
						.where('set_at', '=', BigInt(at))
						.returning('coin')
						.executeTakeFirst();
					if (own && before) await trx.insertInto('swap_settings').values(before).execute();
				});
			};
		},
		/** The coin is not active any more: whoever activates it again may do so elsewhere, with other settings. */
		forget: (node: string, coin: string): Promise<void> =>
			write(node, coin, { confirmations: null, notarization: null }),
		/** By ticker; a coin of which nothing was set has no entry. */
		async of(node: string, coins: readonly string[]): Promise<Map<string, SwapsSet>> {
			if (coins.length === 0) return new Map();
			const rows = await db
				.selectFrom('swap_settings')
				.select(['coin', 'confirmations', 'notarization', 'set_at'])
				.where('node', '=', node)
				.where('coin', 'in', coins)
				.execute();
			return new Map(
				rows.map(({ coin, confirmations, notarization, set_at: at }) => [
					coin,
					{
						confirmations: confirmations === null ? null : Number(confirmations),
						notarization: notarization === null ? null : notarization === 1n,
						at: Number(at)
					}
				])
			);
		}
	};
}

export type SwapSettingsStore = ReturnType<typeof createSwapSettings>;
