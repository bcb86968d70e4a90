import type { Satoshi } from '#lib/chain/amount.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import type { DaemonInfo } from '../../chains/daemon/types.ts';
import type { PageClient } from '../../chains/explorer/pageClient.ts';

/** What one transaction did to a wallet, as its daemon tells it. */
interface ToldTransaction {
	txid: string;
	/** Unix milliseconds. */
	time: number;
	/** 0 while it is pending; below 0 where it is neither in the chain nor in the mempool. */
	confirmations: number;
	/** Satoshi that came minus those that went, the fee included. */
	net: Satoshi;
}

type ListedLine = DaemonResult<'listtransactions'>[number];
type Line = Exclude<ListedLine, { category: 'move' }>;

/** What was booked between accounts of the wallet moved nothing, and neither did the reward of a block that was lost. */
const movedSomething = (line: ListedLine): line is Line =>
	line.category !== 'move' && line.category !== 'orphan';

/** What the lines of one transaction say that it moved. Each of a payment names the fee of the whole: it counts once. */
function netOf(lines: readonly Line[]): Satoshi {
	const fee = lines.find((line) => line.fee !== undefined)?.fee ?? 0n;
	return lines.reduce((sum, { amount }) => sum + amount, fee);
}

/**
 * The newest transactions of a wallet, newest first. The daemon gives a line for each output, and cuts those of the
 * oldest transaction off where there are too many: that one is asked for by itself.
 * @param most how many lines are read: with several outputs they are fewer transactions
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
