/** Explains a transaction from the rows of the index, without asking a daemon. */
import { sumOf, valueOf } from '#lib/chain/amount.ts';
import type { OutputKind } from '#lib/messages/outputKinds.ts';
import type { TransactionKind } from '#lib/messages/transactionKinds.ts';
import { bytesToHex, displayHash } from '#lib/chain/bytes.ts';
import { TOKENS_GLOBAL_PUBKEY, tokenScript } from '#lib/chain/cryptocondition.ts';
import { claimedInterest } from '#lib/chain/interest.ts';
import { classify } from '#lib/chain/script.ts';
import type { Index } from '../indexer/open.ts';
import { chainIdOf, chainProgress } from '../lists/chains.ts';
import { readNotarization, type NotarizationRow } from '../lists/notarizations.ts';
import { notarizedHeight } from '../lists/notarized.ts';
import { notarizedFor } from '../lists/reach.ts';
import { readIndexedToken, type TokenRow } from '../lists/tokens.ts';
import {
	readIndexedTransaction,
	readTokenEffects,
	type IndexedInput,
	type IndexedOutput,
	type IndexedTransaction,
	type TokenEffectRow
} from '../lists/transaction.ts';
import { confirmationsOf } from './confirmations.ts';
import {
	BURN_HOLDER,
	headlineOf,
	kindOf,
	paymentHeadline,
	type TokenDecimals
} from './headlines.ts';
import type { Known } from './piece.ts';
import type { Mined } from './transaction.ts';
import { NO_CONTENT, type TransactionContent } from './transactionContent.ts';
import {
	dataKind,
	scriptKind,
	type InputView,
	type OutputView,
	type TransactionFacts
} from './transactionView.ts';

/** Most movements of tokens that are listed; a transaction hardly ever has more. */
const EFFECTS = 50;
const MARKER_ADDRESS = classify(tokenScript(TOKENS_GLOBAL_PUBKEY)).address;

/**
 * Reads a confirmed transaction from the index; null when it is not indexed.
 *
 * @param decimals decimals that the team has set for the chain's tokens
 */
export async function indexedTransaction(
	index: Index,
	chain: string,
	txid: string,
	decimals: TokenDecimals = new Map()
): Promise<{ view: TransactionFacts; mined: Mined } | null> {
	const id = await chainIdOf(index, chain);
	const found = id === null ? null : await readIndexedTransaction(index, id, txid);
	if (id === null || found === null) return null;
	const { row, height, reach } = found;
	const { kind, seq } = row;
	const [effects, token, notarization, notarized] = await Promise.all([
		kind.startsWith('token-') ? readTokenEffects(index, id, [seq], EFFECTS) : [],
		kind === 'token-create' || kind === 'token-import' ? readIndexedToken(index, id, txid) : null,
		kind === 'notarization' ? readNotarization(index, id, txid) : null,
		notarizedHeight(index, { id, name: chain })
	]);
	return {
		view: factsOf(found, { chain, effects, token, notarization, decimals }),
		mined: {
			height,
			blockHash: bytesToHex(found.blockHash),
			time: Number(row.time) * 1000,
			takenBack: false,
			...confirmationsOf(height, reach.tip, notarizedFor(height, reach, notarized))
		}
	};
}

/** Returns the block of a transaction by the index; null when it is not indexed. */
export async function indexedMined(
	{ index }: { index: Index },
	chain: string,
	txid: string
): Promise<Known<Mined> | null> {
	const [found, progress] = await Promise.all([
		indexedTransaction(index, chain, txid),
		chainProgress(index, chain)
	]);
	return found && progress && { at: progress.lookedAt, data: found.mined };
}

interface Beside {
	chain: string;
	effects: readonly TokenEffectRow[];
	/** The token that it creates or imports. */
	token: TokenRow | null;
	notarization: NotarizationRow | null;
	decimals: TokenDecimals;
}

/** Returns the claimed interest in satoshi, less the fee; null for none, or when an input is unknown. */
function claimedBy(chain: string, { row, inputs, outputs }: IndexedTransaction): bigint | null {
	const { kind, fee } = row;
	if (fee !== null) return null;
	if (kind === 'coinbase' || kind === 'import' || kind === 'token-import') return null;
	// In an unknown format, the inputs may not be all that it spends.
	if (kind === 'shielded' || kind === 'other' || inputs.some(({ value }) => value === null))
		return null;
	const spent = sumOf(inputs.map(({ value }) => value ?? 0n));
	const paid = valueOf(outputs);
	return claimedInterest(chain, spent, paid);
}

function factsOf(found: IndexedTransaction, beside: Beside): TransactionFacts {
	const { row } = found;
	const { chain, decimals, effects, token, notarization } = beside;
	const { burn, import: arrived } = found;
	const kind = kindOf(row.kind, effects);
	const inputs = found.inputs.map((input, n) => inputOf(input, n, found));
	const outputs = found.outputs.map((output) => outputOf(output, kind, found));
	return {
		txid: bytesToHex(row.txid),
		kind,
		headline:
			headlineOf(
				row,
				{ effects, token, notarization, burn, import: arrived },
				{ ticker: chain, decimals }
			) ?? paymentHeadline(inputs, outputs, chain),
		content: contentOf(found, beside),
		size: Number(row.size),
		inputs,
		outputs,
		fee: row.fee,
		claimed: claimedBy(chain, found),
		shielded: row.kind === 'shielded'
	};
}

function contentOf(found: IndexedTransaction, beside: Beside): TransactionContent {
	const { burn, import: arrived } = found;
	const { effects, token, notarization, decimals } = beside;
	const [first] = effects;
	if (burn)
		return {
			code: 'burn',
			target: burn.target,
			ccid: burn.ccid,
			payoutsHash: displayHash(burn.payoutsHash),
			tokenid: burn.tokenid && bytesToHex(burn.tokenid),
			import: burn.import && { chain: burn.import.chain, txid: bytesToHex(burn.import.txid) }
		};
	// Only the bytes contain the source of a self-import.
	if (arrived?.ccid === null) return { code: 'self-import', sourceTxid: null };
	if (arrived)
		return {
			code: 'import',
			source: arrived.source || null,
			burnChain: arrived.burnChain ?? (arrived.source || null),
			burnTxid: bytesToHex(arrived.burnTxid),
			ccid: arrived.ccid,
			proof: { kind: arrived.proof, parts: null },
			tokenid: token && bytesToHex(token.tokenid)
		};
	if (token)
		return {
			code: 'token-creation',
			tokenid: bytesToHex(token.tokenid),
			name: token.name,
			description: token.description,
			creator: token.owner,
			data: token.nft_data
		};
	if (first !== undefined) {
		const tokenid = bytesToHex(first.tokenid);
		return {
			code: 'token-transfer',
			tokenid,
			name: first.name,
			decimals: decimals.get(tokenid) ?? 0,
			moves: effects.map(({ to_holder, units }) => ({ to: to_holder, units }))
		};
	}
	return notarization === null ? NO_CONTENT : indexedNotarization(notarization);
}

const indexedNotarization = (row: NotarizationRow): TransactionContent => ({
	code: 'notarization',
	symbol: row.symbol,
	height: Number(row.height),
	hash: bytesToHex(row.hash),
	kmdTxid: row.kmd_txid && bytesToHex(row.kmd_txid),
	mom: row.mom && {
		root: displayHash(row.mom),
		depth: Number(row.mom_depth ?? 0n),
		ccid: Number(row.ccid ?? 0n)
	},
	momom: row.momom && displayHash(row.momom),
	signers: Number(row.signer_count)
});

function inputOf(
	{ from, value, address, type }: IndexedInput,
	n: number,
	{ row, import: arrived }: IndexedTransaction
): Omit<InputView, 'asm'> {
	if (row.kind === 'coinbase')
		return { n, kind: 'coinbase', txid: null, vout: null, value: null, address: null };
	if (arrived) {
		const worth = arrived.value === 0n ? null : arrived.value;
		const txid = bytesToHex(arrived.burnTxid);
		return { n, kind: 'import', txid, vout: null, value: worth, address: null };
	}
	return {
		n,
		kind: type === 'cryptocondition' ? 'crypto-condition' : 'coins',
		txid: from && bytesToHex(from.txid),
		vout: from && from.n,
		value,
		address
	};
}

function outputOf(
	output: IndexedOutput,
	kind: TransactionKind,
	{ outputs }: IndexedTransaction
): Omit<OutputView, 'asm'> {
	const { n, value, type, address, token, spentBy } = output;
	const holder = token?.holder ?? null;
	return {
		n,
		value,
		kind: outputKind(output, kind, n === outputs.at(-1)?.n),
		address,
		holder,
		spendable: type !== 'nulldata',
		spentBy: spentBy && { txid: bytesToHex(spentBy.txid), n: spentBy.n }
	};
}

function outputKind(
	{ type, address, token }: IndexedOutput,
	kind: TransactionKind,
	last: boolean
): OutputKind {
	if (type === 'nulldata') return last || kind === 'notarization' ? dataKind(kind) : 'data';
	if (type !== 'cryptocondition') return scriptKind(type);
	if (token) return token.holder === BURN_HOLDER ? 'token-units-destroyed' : 'token-units';
	return address === MARKER_ADDRESS ? 'token-marker' : 'cryptocondition';
}
