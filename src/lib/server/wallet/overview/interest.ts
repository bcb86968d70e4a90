/** Interest that a wallet's KMD have accrued: counted here from the transactions that made them, and by the daemon. */
import { COIN, type Satoshi } from '#lib/chain/amount.ts';
import { accruedInterest } from '#lib/chain/interest.ts';
import { readableTransaction, txidOf } from '#lib/chain/transaction.ts';
import type { DaemonInfo } from '../../chains/daemon/types.ts';
import type { PageClient } from '../../chains/explorer/pageClient.ts';
import { someAtATime } from '../../platform/async/someAtATime.ts';
import type { WalletUtxo } from './readWallet.ts';

/** Outputs that are looked at, the largest: each takes a call the first time. */
const MOST_COUNTED = 50;
const AT_A_TIME = 4;

/** Satoshi. */
interface Interest {
	/** By our own count, of the outputs that were looked at. */
	counted: Satoshi;
	/** What the daemon says of the same outputs. */
	told: Satoshi;
	/** What the daemon says of all. */
	toldOfAll: Satoshi;
	/** How many outputs can have interest, and how many of them were looked at. */
	outputs: number;
	looked: number;
}

/** Lock time of a transaction; it never changes, so that it is read once. */
async function locktimeOf(client: PageClient, daemon: DaemonInfo, txid: string): Promise<number> {
	const key = `${daemon.chain}\nlock time ${txid}`;
	const known = client.memory.recall<number>(key);
	if (known) return known.data;
	const hex = await client.callDaemon(daemon, 'getrawtransaction', [txid, 0]);
	const tx = typeof hex === 'string' ? readableTransaction(hex) : null;
	// Bytes of another transaction tell nothing of this one.
	const locktime = tx !== null && txidOf(tx) === txid ? tx.locktime : 0;
	client.memory.remember(key, locktime, client.now);
	return locktime;
}

const sum = (values: readonly Satoshi[]): Satoshi =>
	values.reduce((total, value) => total + value, 0n);

/**
 * @param tip height of the chain, and Unix seconds of its newest block
 * @throws {AppError} `daemon`
 */
export async function readInterest(
	client: PageClient,
	daemon: DaemonInfo,
	utxos: readonly WalletUtxo[],
	tip: { height: number; time: number }
): Promise<Interest> {
	// Of what it only watches, the wallet can claim nothing.
	const own = utxos.filter(({ spendable }) => spendable);
	const able = own
		.filter(({ amount, confirmations }) => amount >= 10n * COIN && confirmations > 0)
		.toSorted((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0));
	const looked = able.slice(0, MOST_COUNTED);
	const counted: Satoshi[] = [];
	await someAtATime(looked, AT_A_TIME, async ({ txid, amount, confirmations }) => {
		const locktime = await locktimeOf(client, daemon, txid);
		const height = tip.height - confirmations + 1;
		counted.push(accruedInterest({ value: amount, height, locktime }, tip.time));
	});
	return {
		counted: sum(counted),
		told: sum(looked.map(({ interest }) => interest ?? 0n)),
		toldOfAll: sum(own.map(({ interest }) => interest ?? 0n)),
		outputs: able.length,
		looked: looked.length
	};
}
