/**
 * Finds the public key of an address. An address holds only a hash of its key; the key itself appears on the
 * chain when the address spends, or when an output pays to the key. A key that is found is hashed again and
 * compared with the address before it is returned.
 */
import type { ExpressionBuilder } from 'kysely';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { parseFulfillment } from '#lib/chain/cryptocondition/fulfillment.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import { classify, parsePushes } from '#lib/chain/script.ts';
import { parseTokenPayload } from '#lib/chain/token.ts';
import { parseTransaction, type Transaction } from '#lib/chain/transaction.ts';
import type { PageClient } from '../../chains/explorer/pageClient.ts';
import type { Index } from '../../chains/indexer/open.ts';
import type { IndexTables } from '../../chains/indexer/tables.ts';
import { keysOf } from './keys.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** A public key and the transaction that reveals it. */
export interface FoundKey {
	pubkey: string;
	chain: string;
	txid: string;
}

/**
 * Transactions of an address that are read on each chain, of each group: from the index those that spend and
 * the latest, from a daemon those of coins and those of crypto-conditions.
 */
const MOST_LOOKED = 6;
/**
 * How many of the latest transactions are searched for spending ones: a busy address may have millions, and
 * none of them may spend.
 */
const MOST_READ = 2_000;

/** Returns every 33-byte value of a transaction that may be a compressed key, in hex. */
function keysIn(tx: Transaction): Set<string> {
	const keys = new Set<string>();
	const take = (bytes: Uint8Array | undefined): void => {
		if (bytes?.length === 33) keys.add(bytesToHex(bytes));
	};
	for (const { scriptSig } of tx.vin) {
		for (const push of parsePushes(scriptSig) ?? []) take(push);
		for (const key of parseFulfillment(scriptSig)?.pubkeys ?? []) take(key);
	}
	for (const { script } of tx.vout) {
		take(classify(script).pubkey);
		const payload = parseTokenPayload(script);
		if (payload?.kind === 'create') take(payload.owner);
		if (payload?.kind === 'transfer') for (const key of payload.destPubkeys) take(key);
	}
	return keys;
}

/** Returns the public key in a transaction that belongs to this address; null when it reveals none. */
function keyOfAddress(tx: Transaction, address: string): string | null {
	for (const key of keysIn(tx)) {
		if (!isValidPubkey(key)) continue;
		if (keysOf('pubkey', key).some((one) => one.key === address)) return key;
	}
	return null;
}

/** Returns transactions of the address from the index, on all indexed chains. */
async function indexed(index: Index, address: string): Promise<{ chain: string; txid: string }[]> {
	const chains = await index
		.selectFrom('ix_addresses as a')
		.innerJoin('ix_chains as c', 'c.id', 'a.chain')
		.select(['c.id', 'c.name'])
		.where('a.address', '=', address)
		.execute();
	const found = await Promise.all(
		chains.map(async ({ id, name }) => {
			const latest = (from: ExpressionBuilder<IndexTables, never>) =>
				from
					.selectFrom('ix_address_txs')
					.select(['chain', 'seq', 'sent'])
					.where('chain', '=', id)
					.where('address', '=', address)
					.orderBy('seq', 'desc')
					.limit(MOST_READ)
					.as('a');
			const of = (spending: boolean) => {
				const rows = index
					.selectFrom(latest)
					.innerJoin('ix_txs as t', (on) =>
						on.onRef('t.chain', '=', 'a.chain').onRef('t.seq', '=', 'a.seq')
					)
					.select('t.txid')
					.orderBy('a.seq', 'desc')
					.limit(MOST_LOOKED);
				return (spending ? rows.where('a.sent', '>', 0n) : rows).execute();
			};
			const rows = [...(await of(true)), ...(await of(false))];
			const txids = new Set(rows.map(({ txid }) => Buffer.from(txid).toString('hex')));
			return [...txids].map((txid) => ({ chain: name, txid }));
		})
	);
	return found.flat();
}

/**
 * Returns transactions of the address from the daemon of one chain, for chains that are not in the index yet.
 */
async function known(
	client: PageClient,
	chain: string,
	address: string
): Promise<{ chain: string; txid: string }[]> {
	const of = { addresses: [address] };
	const [coins, conditions] = await Promise.all([
		client.call(chain, 'getaddresstxids', [of]),
		client.call(chain, 'getaddresstxids', [of, 1])
	]);
	return [...new Set([...coins.slice(-MOST_LOOKED), ...conditions.slice(-MOST_LOOKED)])]
		.reverse()
		.map((txid) => ({ chain, txid }));
}

/**
 * Returns the result, or null when the daemon fails or the bytes cannot be parsed: another chain may still
 * have the key.
 */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
	try {
		return await asked;
	} catch (error) {
		if (isAppError(error, 'daemon') || isChainError(error, 'parse')) return null;
		throw error;
	}
}

/**
 * Searches all chains for the public key of an address, in the index first.
 * @returns null when no chain reveals it, or none that answers in time
 */
export async function findKey(
	index: Index,
	client: PageClient,
	address: string
): Promise<FoundKey | null> {
	const look = async (places: readonly { chain: string; txid: string }[]) => {
		for (const { chain, txid } of places) {
			const hex = await orNull(client.call(chain, 'getrawtransaction', [txid]));
			if (typeof hex !== 'string') continue;
			const tx = await orNull(Promise.resolve(hex).then(parseTransaction));
			const pubkey = tx && keyOfAddress(tx, address);
			if (pubkey) return { pubkey, chain, txid };
		}
		return null;
	};
	const found = await look(await indexed(index, address));
	if (found !== null) return found;
	for (const chain of client.gateway.chains()) {
		const places = await orNull(known(client, chain, address));
		const key = places && (await look(places));
		if (key) return key;
	}
	return null;
}
