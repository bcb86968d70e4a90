import { IMPORT_INDEX } from '#lib/chain/importProof.ts';
import { parseTransaction, type Transaction } from '#lib/chain/transaction.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import type { Index } from '../indexer/open.ts';
import { chainIdOf } from '../lists/chains.ts';
import { readOutputs } from '../lists/transaction.ts';
import type { PageClient } from './pageClient.ts';
import type { Depth } from './confirmations.ts';
import { daemonJson } from './daemonJson.ts';
import { unasked } from './problem.ts';
import type { Prevout, TransactionFacts, TransactionView } from './transactionView.ts';
import { viewTransaction } from './transactionView.ts';

/** Position of a transaction on its chain. Times are Unix milliseconds. */
export interface Mined extends Depth {
	/** Null while it is in the mempool. */
	height: number | null;
	blockHash: string | null;
	time: number | null;
	/** A reorganization removed its block, and it is not in the mempool either. */
	takenBack: boolean;
}

export interface TransactionPage {
	view: TransactionFacts;
	mined: Mined;
}

/** Facts that only the bytes of a transaction contain, read from its daemon. */
interface TransactionBytes {
	hex: string;
	/** The daemon's own decoding. */
	json: string;
	version: number;
	locktime: number;
	expiryHeight: number;
	/** All scripts, disassembled. */
	scripts: string;
}

type Verbose = Exclude<DaemonResult<'getrawtransaction'>, string>;

async function readVerbose(client: PageClient, chain: string, txid: string): Promise<Verbose> {
	const verbose = await client.call(chain, 'getrawtransaction', [txid, 1]);
	if (typeof verbose === 'string') throw unasked(chain, 'getrawtransaction');
	return verbose;
}

function minedOf(verbose: Verbose): Mined {
	// For a transaction on an abandoned branch, the daemon reports height -1. It looks into its mempool first.
	if (!('blocktime' in verbose) || verbose.height < 0)
		return {
			height: null,
			blockHash: null,
			time: null,
			takenBack: 'height' in verbose,
			confirmations: 0,
			rawConfirmations: 0
		};
	const blockTime = reported(verbose, 'blocktime') ?? reported(verbose, 'time');
	return {
		height: verbose.height,
		blockHash: verbose.blockhash,
		time: blockTime === null ? null : blockTime * 1000,
		takenBack: false,
		confirmations: verbose.confirmations,
		rawConfirmations: verbose.rawconfirmations
	};
}

/** Returns the spent outputs that the daemon's spent index describes. */
function prevoutsOf(verbose: Verbose): Map<string, Prevout> {
	const prevouts = new Map<string, Prevout>();
	for (const input of reported(verbose, 'vin') ?? []) {
		if ('coinbase' in input || !('valueSat' in input)) continue;
		// Where the value could not be read as satoshi, it follows from that in coins.
		const value = reported(input, 'valueSat') ?? reported(input, 'value');
		const txid = reported(input, 'txid');
		if (value === null || txid === null) continue;
		if ('is_import' in input) prevouts.set(`${txid}:${IMPORT_INDEX}`, { value, address: null });
		else {
			const place = `${txid}:${reported(input, 'vout')}`;
			prevouts.set(place, { value, address: reported(input, 'address') ?? null });
		}
	}
	return prevouts;
}

/** Adds outputs from the index that the daemon does not describe, since its spent index is optional. */
async function addIndexed(
	prevouts: Map<string, Prevout>,
	{ vin }: Transaction,
	index: Index,
	chain: string
): Promise<void> {
	const untold = vin.filter(({ txid, vout }) => !prevouts.has(`${txid}:${vout}`));
	const id = untold.length === 0 ? null : await chainIdOf(index, chain);
	if (id === null) return;
	for (const [place, output] of await readOutputs(index, id, untold)) prevouts.set(place, output);
}

/**
 * Reads a transaction and explains it from its bytes.
 * @param index used for spent outputs that the daemon does not describe
 * @throws {AppError} `daemon`
 */
export async function readTransaction(
	client: PageClient,
	chain: string,
	txid: string,
	index: Index | null = null
): Promise<TransactionPage & { view: TransactionView; bytes: TransactionBytes }> {
	const verbose = await readVerbose(client, chain, txid);
	const spends = new Map<number, { txid: string; n: number }>();
	for (const output of reported(verbose, 'vout') ?? []) {
		if (!('spentTxId' in output)) continue;
		const [at, spender] = [reported(output, 'n'), reported(output, 'spentTxId')];
		const n = reported(output, 'spentIndex');
		if (at !== null && spender !== null && n !== null) spends.set(at, { txid: spender, n });
	}
	const tx = parseTransaction(verbose.hex);
	const prevouts = prevoutsOf(verbose);
	if (index !== null) await addIndexed(prevouts, tx, index, chain);
	const view = viewTransaction(tx, { chain, prevouts, spends });
	const { version, locktime, expiryHeight } = view;
	const scripts = [
		...view.inputs.map(({ n, asm }) => `input ${n}: ${asm}`),
		...view.outputs.map(({ n, asm }) => `output ${n}: ${asm}`)
	].join('\n\n');
	const { hex } = verbose;
	const json = daemonJson('getrawtransaction', verbose);
	return {
		view,
		mined: minedOf(verbose),
		bytes: { hex, json, version, locktime, expiryHeight, scripts }
	};
}

/** Returns the block that contains a transaction. @throws {AppError} `daemon` */
export async function whereMined(client: PageClient, chain: string, txid: string): Promise<Mined> {
	return minedOf(await readVerbose(client, chain, txid));
}
