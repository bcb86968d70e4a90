import { type Satoshi, sumOf } from '#lib/chain/amount.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import type { DaemonInfo } from '../../chains/daemon/types.ts';
import type { PageClient } from '../../chains/explorer/pageClient.ts';

/** One transaction of a wallet, as the daemon reports it. */
interface ToldTransaction {
	txid: string;
	/** Unix milliseconds. */
	time: number;
	/** 0 while it is pending; negative when it is neither in the chain nor in the mempool. */
	confirmations: number;
	/** Received minus sent, fee included. Satoshi. */
	net: Satoshi;
}

type ListedLine = DaemonResult<'listtransactions'>[number];
type Line = Exclude<ListedLine, { category: 'move' }>;

/**
 * Excludes what moved no coins: bookings between accounts of the wallet, and coinbases of orphaned blocks.
 */
const movedSomething = (line: ListedLine): line is Line =>
	line.category !== 'move' && line.category !== 'orphan';

/**
 * Sums the lines of one transaction. Each line of a payment repeats the fee of the whole transaction, so it
 * is counted once.
 */
function netOf(lines: readonly Line[]): Satoshi {
	const fee = lines.find((line) => line.fee !== undefined)?.fee ?? 0n;
	return fee + sumOf(lines.map(({ amount }) => amount));
}

/**
 * Returns the newest transactions of a wallet, newest first. The daemon lists one line for each output, and a
 * full list may have cut off lines of its oldest transaction, so that one is read separately.
 * @param most maximum number of lines; they are fewer transactions when some have several outputs
 * @throws {AppError} `daemon`
 */
export async function daemonHistory(
	client: PageClient,
	daemon: DaemonInfo,
	most: number
): Promise<ToldTransaction[]> {
	const listed = await client.callDaemon(daemon, 'listtransactions', ['*', most]);
	const told = listed.filter(movedSomething);
	const [oldest] = told;
	const byTxid = Map.groupBy(told.toReversed(), ({ txid }) => txid);
	const history = [...byTxid].map(([txid, lines]) => ({
		txid,
		time: lines[0]!.time * 1000,
		confirmations: lines[0]!.rawconfirmations,
		net: netOf(lines)
	}));
	if (oldest === undefined || listed.length < most) return history;
	const whole = await client.callDaemon(daemon, 'gettransaction', [oldest.txid]);
	const net = whole.amount + (whole.fee ?? 0n);
	return history.map((one) => (one.txid === oldest.txid ? { ...one, net } : one));
}
