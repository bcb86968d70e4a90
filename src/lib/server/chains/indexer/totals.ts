/**
 * Maintains totals: balances of addresses, units of holders, counters of tokens, flows between chains. Each is
 * changed by differences, which are negated when blocks are removed.
 */
import { sql, type RawBuilder } from 'kysely';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { chunks } from '../../platform/database/chunks.ts';
import { coinSumOf, satoshiIn, type CoinSum } from './coinSum.ts';
import { insertRows, type IndexTrx } from './bulk.ts';
import { BURN_HOLDER } from './extractTokens.ts';
import type { FoundMove } from './found.ts';
import { splitSum, SUM_PART } from './tables.ts';

interface AddressChange {
	address: string;
	received: bigint;
	sent: bigint;
	txs: bigint;
}

/** Adds up the changes of each address. */
export function sumAddresses(
	rows: Iterable<{ address: string; received: bigint; sent: bigint; txs?: bigint }>
): AddressChange[] {
	const sums = new Map<string, AddressChange>();
	for (const { address, received, sent, txs = 1n } of rows) {
		const sum = sums.get(address);
		if (sum) {
			sum.received += received;
			sum.sent += sent;
			sum.txs += txs;
		} else sums.set(address, { address, received, sent, txs });
	}
	return [...sums.values()];
}

/** Returns the SQL that adds to a total stored in two parts, see {@link splitSum}. */
function addSplit(table: string, column: string): string {
	const low = `${table}.${column} + excluded.${column}`;
	const carried = `(case when ${low} >= ${SUM_PART} then 1 when ${low} < 0 then -1 else 0 end)`;
	return `${column} = ${low} - ${carried} * ${SUM_PART},
		${column}_high = ${table}.${column}_high + excluded.${column}_high + ${carried}`;
}

/** Adds changes to the totals of addresses; with the sign -1n it takes them back. */
export async function addToAddresses(
	trx: IndexTrx,
	chain: bigint,
	changes: readonly AddressChange[],
	sign: 1n | -1n
): Promise<void> {
	await insertRows(
		trx,
		'ix_addresses',
		['chain', 'address', 'balance', 'received', 'received_high', 'txs'],
		changes.map(({ address, received, sent, txs }) => {
			const parts = splitSum(sign * received);
			return [chain, address, sign * (received - sent), parts.low, parts.high, sign * txs];
		}),
		`on conflict (address, chain) do update set
			balance = ix_addresses.balance + excluded.balance,
			${addSplit('ix_addresses', 'received')},
			txs = ix_addresses.txs + excluded.txs`
	);
	if (sign === 1n) return;
	for (const part of chunks(changes)) {
		await trx.trx
			.deleteFrom('ix_addresses')
			.where('chain', '=', chain)
			.where(
				'address',
				'in',
				part.map(({ address }) => address)
			)
			.where('txs', '=', 0n)
			.execute();
	}
}

interface HolderChange {
	token: bigint;
	holder: string;
	units: bigint;
}

/** Returns the address of a holder, as lists of holders show it; null for several keys. */
export const addressOfHolder = (holder: string): string | null =>
	holder.includes('+') ? null : holder.length === 66 ? addressOfPubkey(holder) : holder;

/** Applies moves to the balances of holders and the counters of tokens. */
export async function addMovesToTotals(
	trx: IndexTrx,
	chain: bigint,
	moves: readonly Omit<FoundMove, 'n'>[],
	sign: 1n | -1n
): Promise<void> {
	const holders = new Map<string, HolderChange>();
	const tokens = new Map<bigint, { transfers: Set<bigint>; burned: bigint; holders: bigint }>();
	const add = (token: bigint, holder: string | null, units: bigint): void => {
		// Units sent to the key without an owner are burned, not held.
		if (holder === null || holder === BURN_HOLDER || units === 0n) return;
		const key = `${token} ${holder}`;
		const change = holders.get(key);
		if (change) change.units += units;
		else holders.set(key, { token, holder, units });
	};
	for (const { token, seq, kind, from, to, units } of moves) {
		add(token, from, -sign * units);
		add(token, to, sign * units);
		let counters = tokens.get(token);
		if (!counters)
			tokens.set(token, (counters = { transfers: new Set(), burned: 0n, holders: 0n }));
		if (kind !== 'create') counters.transfers.add(seq);
		if (kind === 'burn' || kind === 'export') counters.burned += sign * units;
	}
	const changes = [...holders.values()].filter(({ units }) => units !== 0n);
	const before = await unitsBefore(trx, chain, changes);
	for (const { token, holder, units } of changes) {
		const had = before.get(`${token} ${holder}`) ?? 0n;
		const counters = tokens.get(token)!;
		if (had === 0n) counters.holders += 1n;
		else if (had + units === 0n) counters.holders -= 1n;
	}
	await insertRows(
		trx,
		'ix_holders',
		['chain', 'token', 'holder', 'units', 'address'],
		changes.map(({ token, holder, units }) => [
			chain,
			token,
			holder,
			units,
			addressOfHolder(holder)
		]),
		'on conflict (chain, token, holder) do update set units = ix_holders.units + excluded.units'
	);
	const gone = changes.filter(
		({ token, holder, units }) => (before.get(`${token} ${holder}`) ?? 0n) + units === 0n
	);
	for (const part of chunks(gone, 300)) {
		await sql`delete from ix_holders where chain = ${chain} and units = 0 and (token, holder) in (values ${sql.join(
			part.map(({ token, holder }) => sql`(cast(${token} as bigint), ${holder})`)
		)})`.execute(trx.trx);
	}
	for (const part of chunks([...tokens], 300)) {
		const values = part.map(
			([token, { transfers, burned, holders: kept }]) =>
				sql`(${asInt(token)}, ${asInt(sign * BigInt(transfers.size))}, ${asInt(burned)}, ${asInt(kept)})`
		);
		await sql`update ix_tokens set transfers = transfers + change.column2,
			burned = burned + change.column3, holders = holders + change.column4
			from (values ${sql.join(values)}) as change
			where chain = ${chain} and seq = change.column1`.execute(trx.trx);
	}
}

/** PostgreSQL would treat the parameters of a VALUES list as text. */
const asInt = (value: bigint) => sql`cast(${value} as bigint)`;

async function unitsBefore(
	trx: IndexTrx,
	chain: bigint,
	changes: readonly HolderChange[]
): Promise<Map<string, bigint>> {
	const units = new Map<string, bigint>();
	for (const part of chunks(changes, 300)) {
		const { rows } = await sql<{ token: bigint; holder: string; units: bigint }>`
			select token, holder, units from ix_holders
			where chain = ${chain} and (token, holder) in (values ${sql.join(
				part.map(({ token, holder }) => sql`(cast(${token} as bigint), ${holder})`)
			)})`.execute(trx.trx);
		for (const row of rows) units.set(`${row.token} ${row.holder}`, row.units);
	}
	return units;
}

export interface FlowChange {
	source: string;
	target: string;
	ccid: number;
	burned: bigint;
	burns: bigint;
	imported: bigint;
	imports: bigint;
}

interface RouteSum extends CoinSum {
	source: string;
	target: string;
	ccid: bigint;
	count: bigint;
}

/** Adds to the coins burned for chains and imported from them. */
export async function addFlows(trx: IndexTrx, changes: readonly FlowChange[]): Promise<void> {
	const sums = new Map<string, FlowChange>();
	for (const change of changes) {
		const key = JSON.stringify([change.source, change.target, change.ccid]);
		const sum = sums.get(key);
		if (!sum) sums.set(key, { ...change });
		else {
			sum.burned += change.burned;
			sum.burns += change.burns;
			sum.imported += change.imported;
			sum.imports += change.imports;
		}
	}
	await insertRows(
		trx,
		'ix_flows',
		[
			'source',
			'target',
			'ccid',
			'burned',
			'burned_high',
			'burns',
			'imported',
			'imported_high',
			'imports'
		],
		[...sums.values()].map((sum) => {
			const burned = splitSum(sum.burned);
			const imported = splitSum(sum.imported);
			return [
				sum.source,
				sum.target,
				sum.ccid,
				burned.low,
				burned.high,
				sum.burns,
				imported.low,
				imported.high,
				sum.imports
			];
		}),
		`on conflict (source, target, ccid) do update set
			${addSplit('ix_flows', 'burned')},
			burns = ix_flows.burns + excluded.burns,
			${addSplit('ix_flows', 'imported')},
			imports = ix_flows.imports + excluded.imports`
	);
	// Only what was taken back can leave a row without content, and no index finds those.
	if ([...sums.values()].some(({ burns, imports }) => burns < 0n || imports < 0n)) {
		await trx.trx
			.deleteFrom('ix_flows')
			.where('burns', '=', 0n)
			.where('imports', '=', 0n)
			.execute();
	}
}

/** Returns the sums of some imports of coins by route. */
async function sumImports(
	{ trx }: IndexTrx,
	isCounted: RawBuilder<unknown>,
	sign: 1n | -1n
): Promise<FlowChange[]> {
	const { rows } = await sql<RouteSum>`
		select source, target, ccid, count(*) as count, ${coinSumOf('value')}
		from (
			select coalesce((select name from ix_chains where id = (
					select chain from ix_burns where txid = i.burn_txid order by chain limit 1
				)), i.source) as source,
				(select name from ix_chains where id = i.chain) as target, i.ccid, i.value
			from ix_imports i
			where i.ccid is not null and i.token is null and ${isCounted}
		) as counted group by source, target, ccid`.execute(trx);
	return rows.map(({ source, target, ccid, count, ...sum }) => ({
		source,
		target,
		ccid: Number(ccid),
		burned: 0n,
		burns: 0n,
		imported: sign * satoshiIn(sum),
		imports: sign * BigInt(count)
	}));
}

/**
 * Returns what the imports of these burns add to the flows. An import counts for the chain on which its burn is indexed,
 * otherwise for the one that the burn names: anyone can name another one, and blocks with its import are valid (Komodo
 * daemon 0.9.0). Token imports and self-imports move no coins between chains.
 * @param burnTxids without duplicates
 */
export async function importFlows(
	trx: IndexTrx,
	burnTxids: readonly Uint8Array[],
	sign: 1n | -1n
): Promise<FlowChange[]> {
	const changes: FlowChange[] = [];
	for (const part of chunks(burnTxids)) {
		changes.push(...(await sumImports(trx, sql`i.burn_txid in (${sql.join(part)})`, sign)));
	}
	return changes;
}

/** Adds up all flows anew: other rules may have counted the same burns and imports in another way. */
export async function recountFlows(trx: IndexTrx): Promise<void> {
	const { rows } = await sql<RouteSum>`
		select c.name as source, b.target, b.target_ccid as ccid, count(*) as count, ${coinSumOf('b.value')}
		from ix_burns b join ix_chains c on c.id = b.chain
		where b.tokenid is null group by c.name, b.target, b.target_ccid`.execute(trx.trx);
	const burned = rows.map(({ source, target, ccid, count, ...sum }) => ({
		source,
		target,
		ccid: Number(ccid),
		burned: satoshiIn(sum),
		burns: BigInt(count),
		imported: 0n,
		imports: 0n
	}));
	await trx.trx.deleteFrom('ix_flows').execute();
	await addFlows(trx, [...burned, ...(await sumImports(trx, sql`1 = 1`, 1n))]);
}

/** Assigns each burn its import: the first one by chain id and `seq`, in whatever order chains are indexed. */
export async function joinImports(trx: IndexTrx, burnTxids: readonly Uint8Array[]): Promise<void> {
	for (const part of chunks(burnTxids)) {
		const first = (column: 'chain' | 'seq') =>
			sql`(select ${sql.ref(column)} from ix_imports where burn_txid = ix_burns.txid order by chain, seq limit 1)`;
		await sql`update ix_burns set import_chain = ${first('chain')}, import_seq = ${first('seq')}
			where txid in (${sql.join(part)})`.execute(trx.trx);
	}
}
