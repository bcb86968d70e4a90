/**
 * What swaps of active coins wait for, as set from here after their activation: a node accepts the settings
 * but has no call that reports them. What is known of a coin ends when the coin is disabled.
 */
import type { Database } from '../../platform/database/database.ts';
import type { KdfTables } from '../tables.ts';

/** What swaps of a coin wait for. */
export interface SwapSettings {
	confirmations: number;
	notarization: boolean;
}

/**
 * Settings with the time at which they were set; a part is null when it was not set since the coin was last
 * disabled.
 */
export interface SwapsSet {
	confirmations: number | null;
	notarization: boolean | null;
	/** Unix milliseconds. */
	at: number;
}

/**
 * Reads and writes the settings of swaps.
 * @param clock Unix milliseconds
 */
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
		/** Stores what a node accepted; omitted parts stay as they are. */
		save: (node: string, coin: string, taken: Partial<SwapSettings>): Promise<void> =>
			write(node, coin, {
				...(taken.confirmations === undefined
					? {}
					: { confirmations: BigInt(taken.confirmations) }),
				...(taken.notarization === undefined ? {} : { notarization: taken.notarization ? 1n : 0n })
			}),
		/**
		 * Marks parts as unknown before a call that changes them is sent: the node may accept the call
		 * although its answer is lost.
		 * @returns function that restores the earlier values, for when the node did not accept the call
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
					// A value that was stored since is newer, and stays.
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
		/**
		 * Clears the settings of a coin that is not active any more: it may be activated again elsewhere,
		 * with other settings.
		 */
		forget: (node: string, coin: string): Promise<void> =>
			write(node, coin, { confirmations: null, notarization: null }),
		/** Returns the settings by ticker; a coin without settings has no entry. */
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
