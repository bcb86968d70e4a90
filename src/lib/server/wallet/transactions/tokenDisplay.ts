/** The decimals that the team has tokens shown with. */
import type { Executor } from '../../platform/database/database.ts';
import type { WalletTables } from '../tables.ts';

/** Returns the decimals of a token; 0 where none are set. */
export async function decimalsOf(
	{ db }: { db: Executor<WalletTables> },
	chain: string,
	tokenid: string
): Promise<number> {
	const row = await db
		.selectFrom('token_display')
		.select('decimals')
		.where('chain', '=', chain)
		.where('tokenid', '=', tokenid)
		.executeTakeFirst();
	return Number(row?.decimals ?? 0n);
}

/** Returns the decimals of all tokens of a chain for which they are set, by tokenid. */
export async function allDecimals(
	{ db }: { db: Executor<WalletTables> },
	chain: string
): Promise<Map<string, number>> {
	const rows = await db
		.selectFrom('token_display')
		.select(['tokenid', 'decimals'])
		.where('chain', '=', chain)
		.execute();
	return new Map(rows.map(({ tokenid, decimals }) => [tokenid, Number(decimals)]));
}

/** Stores the decimals of a token, within the database transaction that also records them. */
export async function storeDecimals(
	trx: Executor<WalletTables>,
	chain: string,
	tokenid: string,
	decimals: number
): Promise<void> {
	await trx
		.insertInto('token_display')
		.values({ chain, tokenid, decimals })
		.onConflict((conflict) =>
			conflict.columns(['chain', 'tokenid']).doUpdateSet({ decimals: BigInt(decimals) })
		)
		.execute();
}
