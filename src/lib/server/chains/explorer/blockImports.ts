/**
 * The imports of one block: what its transactions really created, compared with the daemon's `getimports`. (Komodo
 * daemon 0.9.0: its `amount` is that of output 1, which for one payout is data without value; its total adds up
 * outputs 0 only; and it still answers for a block that a reorganization removed.)
 */
import { sumOf, valueOf } from '#lib/chain/amount.ts';
import { parseBlock } from '#lib/chain/block.ts';
import { IMPORT_FEE, parseBurn, SELF_IMPORT_CCID, type Burn } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { looksLikeImport, parseImport } from '#lib/chain/importProof.ts';
import { classify } from '#lib/chain/script.ts';
import { isMarker, tokenPayloadOf } from '#lib/chain/tokenEffect.ts';
import { txidOf, type Transaction } from '#lib/chain/transaction.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import { symbolOf } from '../indexer/storableText.ts';
import type { Index } from '../indexer/open.ts';
import { imports } from '../lists/imports.ts';
import { MAX_ROWS } from '../lists/list.ts';
import type { PageClient } from './pageClient.ts';
import { readBlockFacts } from './blocks.ts';
import { unasked } from './problem.ts';

type Told = DaemonResult<'getimports'>;

/** A recipient and its amount: satoshi, or units of a token. */
interface Payout {
	address: string | null;
	value: bigint;
}

export interface BlockImport {
	txid: string;
	kind: 'coins' | 'token' | 'self-import' | 'unread';
	payouts: Payout[];
	/** Satoshi paid to the recipients; 0 for tokens. */
	created: bigint;
	/** Units of a token; 0 for coins. */
	units: bigint;
	/** The burn that it redeems; null when that cannot be parsed. */
	burn: { txid: string; source: string | null; value: bigint; tokenid: string | null } | null;
	/** Satoshi that the miner receives. */
	fee: bigint;
	/**
	 * What `getimports` reports; null when it does not list this import. An amount that it does not report in a form
	 * that can be read is null.
	 */
	daemon: { amount: bigint | null; exportAmount: bigint | null; source: string | null } | null;
	/** Satoshi of its outputs by the index; null when it is not indexed. */
	index: bigint | null;
}

export interface BlockImports {
	height: number;
	hash: string;
	/** Unix milliseconds. */
	time: number;
	/** False when a reorganization removed the block. */
	onChain: boolean;
	imports: BlockImport[];
	/** Satoshi created, by our own decoding, and token units. */
	created: bigint;
	units: bigint;
	/** The daemon's `TotalImported`, satoshi; null when it does not report it in a form that can be read. */
	daemonTotal: bigint | null;
	/** Total by the index; null when it has no import of this block. */
	indexTotal: bigint | null;
}

const kindOf = (burn: Burn | null, isToken: boolean): BlockImport['kind'] => {
	if (burn === null) return 'unread';
	if (burn.targetCcid === SELF_IMPORT_CCID) return 'self-import';
	return isToken ? 'token' : 'coins';
};

/** Decodes one import from its bytes. */
function readImport(tx: Transaction): Omit<BlockImport, 'daemon' | 'index'> {
	const burnTx = parseImport(tx)?.burnTx;
	const burn = burnTx ? parseBurn(burnTx) : null;
	const isToken = tokenPayloadOf(tx) !== null;
	const payouts = tx.vout
		.map(({ value, script }) => ({ value, kind: classify(script), marker: isMarker(script) }))
		.filter(({ kind, marker }) => kind.type !== 'nulldata' && !(isToken && marker))
		.filter(({ kind }) => !isToken || kind.type === 'cryptocondition')
		.map(({ value, kind }) => ({ value, address: kind.address ?? null }));
	const sum = valueOf(payouts);
	const kind = kindOf(burn, isToken);
	const all = valueOf(tx.vout);
	return {
		txid: txidOf(tx),
		kind,
		payouts,
		created: isToken ? 0n : sum,
		units: isToken ? sum : 0n,
		burn:
			burn === null || burnTx === undefined
				? null
				: {
						txid: txidOf(burnTx),
						source: symbolOf(burn.sourceSymbol) || null,
						value: burn.value,
						tokenid: isToken && burn.tokenCreationTx ? txidOf(burn.tokenCreationTx) : null
					},
		fee: kind === 'coins' && burn !== null ? burn.value - all : kind === 'token' ? IMPORT_FEE : 0n
	};
}

function toldOf(told: Told, txid: string): BlockImport['daemon'] {
	const entry = told.imports.find((one) => one.txid === txid);
	if (!entry) return null;
	const burned = reported(entry, 'export');
	const burn = burned !== null && 'txid' in burned ? burned : null;
	return {
		amount: reported(entry, 'amount'),
		exportAmount: burn === null ? null : reported(burn, 'amount'),
		source: burn === null ? null : (reported(burn, 'source') ?? null)
	};
}

/**
 * Reads the imports of a block.
 * @param id height or hash
 * @throws {AppError} `daemon`, also when there is no such block
 */
export async function readBlockImports(
	client: PageClient,
	index: Index,
	chain: string,
	id: string
): Promise<BlockImports> {
	const [facts, hex, told] = await Promise.all([
		readBlockFacts(client, chain, id),
		client.call(chain, 'getblock', [id, 0]),
		client.call(chain, 'getimports', [id])
	]);
	if (typeof hex !== 'string') throw unasked(chain, 'getblock');
	const { height, hash } = facts;
	const daemonTotal = reported(told, 'TotalImported');
	const { rows } = await imports.read(index, {
		chain,
		filter: { from: height, to: height },
		sort: 'height',
		limit: MAX_ROWS
	});
	const indexed = new Map(rows.map((row) => [bytesToHex(row.txid), row.paid]));
	const found = parseBlock(hex)
		.transactions.filter(looksLikeImport)
		.map((tx): BlockImport => {
			const own = readImport(tx);
			return { ...own, daemon: toldOf(told, own.txid), index: indexed.get(own.txid) ?? null };
		});
	const known = found.filter((one) => one.index !== null);
	return {
		height,
		hash,
		time: facts.time * 1000,
		onChain: facts.confirmations >= 0,
		imports: found,
		created: sumOf(found.map(({ created }) => created)),
		units: sumOf(found.map(({ units }) => units)),
		daemonTotal: daemonTotal === 'none' ? 0n : daemonTotal,
		indexTotal: known.length === 0 ? null : sumOf(known.map(({ index }) => index ?? 0n))
	};
}
