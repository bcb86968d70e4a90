import { parseTransaction } from '#lib/chain/transaction.ts';
import type { Ask } from './ask.ts';
import type { Prevout, TransactionView } from './transactionView.ts';
import { viewTransaction } from './transactionView.ts';

/** Where a transaction stands on its chain. Times are Unix milliseconds. */
export interface Mined {
	/** Null while it waits in the mempool. */
	height: number | null;
	blockHash: string | null;
	time: number | null;
	/** As the daemon counts: 1 until a notarization covers the block. */
	confirmations: number;
	/** Blocks on top of it and its own. */
	rawConfirmations: number;
}

export interface TransactionPage {
	view: TransactionView;
	mined: Mined;
	hex: string;
	/** The daemon's own decoding. */
	json: unknown;
}

/**
 * Reads a transaction and explains it from its bytes.
 * @throws {UpstreamError}
 */
export async function readTransaction(
	ask: Ask,
	chain: string,
	txid: string
): Promise<TransactionPage> {
	const verbose = await ask.call(chain, 'getrawtransaction', [txid, 1]);
	if (typeof verbose === 'string') throw new TypeError('getrawtransaction 1 gave no object');
	const tx = parseTransaction(verbose.hex);
	const prevouts = new Map<string, Prevout>();
	for (const input of verbose.vin)
		if ('vout' in input && input.valueSat !== undefined)
			prevouts.set(`${input.txid}:${input.vout}`, {
				value: input.valueSat,
				address: input.address ?? null
			});
	const spends = new Map<number, { txid: string; n: number }>();
	for (const output of verbose.vout)
		if (output.spentTxId !== undefined)
			spends.set(output.n, { txid: output.spentTxId, n: output.spentIndex ?? 0 });
	return {
		view: viewTransaction(tx, { chain, chains: ask.gateway.chains(), prevouts, spends }),
		mined: {
			height: verbose.height !== undefined && verbose.height >= 0 ? verbose.height : null,
			blockHash: verbose.blockhash ?? null,
			time: verbose.blocktime === undefined ? null : verbose.blocktime * 1000,
			confirmations: verbose.confirmations ?? 0,
			rawConfirmations: verbose.rawconfirmations ?? 0
		},
		hex: verbose.hex,
		json: verbose
	};
}

/**
 * The block that holds a transaction.
 * @throws {UpstreamError}
 */
export async function whereMined(ask: Ask, chain: string, txid: string): Promise<Mined> {
	const verbose = await ask.call(chain, 'getrawtransaction', [txid, 1]);
	if (typeof verbose === 'string') throw new TypeError('getrawtransaction 1 gave no object');
	return {
		height: verbose.height !== undefined && verbose.height >= 0 ? verbose.height : null,
		blockHash: verbose.blockhash ?? null,
		time: verbose.blocktime === undefined ? null : verbose.blocktime * 1000,
		confirmations: verbose.confirmations ?? 0,
		rawConfirmations: verbose.rawconfirmations ?? 0
	};
}
