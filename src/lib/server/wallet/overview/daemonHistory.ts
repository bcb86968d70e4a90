import type { Satoshi } from '#lib/chain/amount.ts';
import type { DaemonInfo } from '../../chains/daemon/types.ts';
import type { PageClient } from '../../chains/explorer/pageClient.ts';

/** What one transaction did to a wallet, as its daemon tells it. */
interface ToldTransaction {
	txid: string;
	/** Unix milliseconds. */
	time: number;
	/** 0 while it is pending; below, where it is neither in the chain nor in the mempool. */
	confirmations: number;
	/** Satoshi that came minus those that went, the fee included. */
	net: Satoshi;
}

/**
 * The newest transactions of a wallet, newest first. The daemon gives a line for each output.
 * @param lines how many lines are read: with several outputs they are fewer transactions
 * @throws {AppError} `daemon`
 */
export async function daemonHistory(
	client: PageClient,
	daemon: DaemonInfo,
	lines: number
): Promise<ToldTransaction[]> {
	const listed = await client.callDaemon(daemon, 'listtransactions', ['*', lines]);
	// What was booked between accounts of the wallet moved nothing.
	const told = listed.filter((line) => line.category !== 'move');
	const found = new Map<string, ToldTransaction>();
	for (const line of told.toReversed()) {
		const known = found.get(line.txid);
		found.set(line.txid, {
			txid: line.txid,
			time: line.time * 1000,
			confirmations: line.rawconfirmations,
			net: (known?.net ?? 0n) + line.amount
		});
	}
	// Each line of a payment names the fee of the whole: it is taken once.
	const fees = new Map(told.flatMap(({ txid, fee }) => (fee === undefined ? [] : [[txid, fee]])));
	return [...found.values()].map((one) => ({ ...one, net: one.net + (fees.get(one.txid) ?? 0n) }));
}
