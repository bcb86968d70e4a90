/**
 * Interest that a wallet's KMD have accrued: computed from the transactions that created them, and as the
 * daemon reports it.
 */
import { byAmountDescending, type Satoshi, sumOf } from '#lib/chain/amount.ts';
import { accruedInterest, mayEarnInterest } from '#lib/chain/interest.ts';
import { readableTransaction, txidOf } from '#lib/chain/transaction.ts';
import type { DaemonInfo } from '../../chains/daemon/types.ts';
import type { PageClient } from '../../chains/explorer/pageClient.ts';
import { someAtATime } from '../../platform/async/someAtATime.ts';
import type { WalletUtxo, WalletView } from './readWallet.ts';

/** Number of outputs that are checked, largest first: each takes one request the first time. */
const MOST_COUNTED = 50;
const AT_A_TIME = 4;

/** Satoshi. */
interface Interest {
	/** Computed here, for the outputs that were checked. */
	counted: Satoshi;
	/** Reported by the daemon for the same outputs; null when that of one cannot be read. */
	told: Satoshi | null;
	/** Reported by the daemon for all outputs that the wallet can spend; null when that of one cannot be read. */
	toldOfAll: Satoshi | null;
	/** Number of outputs that can accrue interest, and of those that were checked. */
	outputs: number;
	looked: number;
}

/** Returns the lock time of a transaction; cached, because it never changes. */
async function locktimeOf(client: PageClient, daemon: DaemonInfo, txid: string): Promise<number> {
	const key = `${daemon.chain}\nlock time ${txid}`;
	const known = client.memory.recall<number>(key);
	if (known) return known.data;
	const hex = await client.callDaemon(daemon, 'getrawtransaction', [txid, 0]);
	const tx = typeof hex === 'string' ? readableTransaction(hex) : null;
	// A response with the bytes of another transaction is ignored.
	const locktime = tx !== null && txidOf(tx) === txid ? tx.locktime : 0;
	client.memory.remember(key, locktime, client.now);
	return locktime;
}

function toldOf(utxos: readonly WalletUtxo[]): Satoshi | null {
	const told = utxos.flatMap(({ interest }) => (interest === null ? [] : [interest]));
	return told.length === utxos.length ? sumOf(told) : null;
}

/**
 * Computes the interest of a wallet's outputs, and sums what the daemon reports.
 * @param tip height of the chain, and time of its tip in Unix seconds
 * @throws {AppError} `daemon`
 */
export async function readInterest(
	client: PageClient,
	daemon: DaemonInfo,
	{ utxos, unread }: Pick<WalletView, 'utxos' | 'unread'>,
	tip: { height: number; time: number }
): Promise<Interest> {
	// The wallet cannot claim interest of outputs that it only watches.
	const own = utxos.filter(({ spendable }) => spendable);
	const able = own
		.filter(({ amount, confirmations }) => mayEarnInterest(amount, null) && confirmations > 0)
		.toSorted(byAmountDescending);
	const looked = able.slice(0, MOST_COUNTED);
	const counted: Satoshi[] = [];
	await someAtATime(looked, AT_A_TIME, async ({ txid, amount, confirmations }) => {
		const locktime = await locktimeOf(client, daemon, txid);
		const height = tip.height - confirmations + 1;
		counted.push(accruedInterest({ value: amount, height, locktime }, tip.time));
	});
	return {
		counted: sumOf(counted),
		told: toldOf(looked),
		toldOfAll: unread > 0 ? null : toldOf(own),
		outputs: able.length,
		looked: looked.length
	};
}
