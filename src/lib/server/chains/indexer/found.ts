/** What blocks may refer to in earlier blocks, and the rows that are found in them. */
import type { Notarization } from '#lib/chain/notarization.ts';
import type { SpentOutput } from '#lib/chain/tokenEffect.ts';
import type { DecodedTransaction } from './decode.ts';
import type { IndexTokenMovesTable, TxKind } from './tables.ts';

/** An output that later inputs may spend. */
export interface KnownOutput {
	seq: bigint;
	n: number;
	value: bigint;
	type: SpentOutput['type'];
	address: string | null;
	/** The token whose units it holds; null for coins. */
	token: KnownToken | null;
	holder: string | null;
}

export interface KnownToken {
	tokenid: string;
	seq: bigint;
	/** Non-fungible data, evaluation code first; null for a fungible token. */
	data: Uint8Array | null;
}

/** What the blocks may refer to in earlier blocks; the batch adds its own outputs and tokens. */
export interface Known {
	/** By `txid:n`. */
	outputs: Map<string, KnownOutput>;
	/** By tokenid. */
	tokens: Map<string, KnownToken>;
	/** Numbers of the signing notaries, by txid of the notarizations that count. */
	notarized: ReadonlyMap<string, readonly number[]>;
}

export interface FoundOutput extends KnownOutput {
	txid: string;
}

export interface FoundInput {
	seq: bigint;
	n: number;
	/** The output that is spent; null when it is not indexed. */
	prev: { seq: bigint; txid: string; n: number } | null;
}

export interface FoundMove {
	token: bigint;
	seq: bigint;
	n: number;
	kind: IndexTokenMovesTable['kind'];
	from: string | null;
	to: string | null;
	units: bigint;
}

export interface FoundToken extends KnownToken {
	name: string;
	/** See `nameKeyOf`. */
	nameKey: string;
	description: string;
	owner: string;
	supply: bigint;
	originChain: string | null;
	originTokenid: string | null;
	createdAt: number;
}

export interface FoundTransaction {
	seq: bigint;
	txid: string;
	kind: TxKind;
	size: number;
	inputs: number;
	outputs: number;
	value: bigint;
	fee: bigint | null;
}

export interface FoundNotarization {
	seq: bigint;
	txid: string;
	time: number;
	form: 'kmd' | 'back';
	data: Notarization;
	signers: readonly number[];
}

export interface FoundBurn {
	seq: bigint;
	txid: string;
	time: number;
	target: string;
	ccid: number;
	/** Satoshi; 0 for tokens. */
	value: bigint;
	tokenid: string | null;
	units: bigint;
	payoutsHash: Uint8Array;
}

export interface FoundImport {
	seq: bigint;
	txid: string;
	time: number;
	burnTxid: string;
	/** The chain that the burn names as its own; empty for a self-import, and where it names none. */
	source: string;
	/** Null for a self-import. */
	ccid: number | null;
	value: bigint;
	token: bigint | null;
	proof: 'txproof' | 'approvals' | 'merkleblock';
}

/** Rows of a batch of blocks. */
export interface Found {
	blocks: { height: number; hash: string; time: number; size: number; txs: number }[];
	transactions: FoundTransaction[];
	outputs: FoundOutput[];
	inputs: FoundInput[];
	/** One for each address and transaction. */
	addressTxs: { address: string; seq: bigint; received: bigint; sent: bigint }[];
	tokens: FoundToken[];
	moves: FoundMove[];
	notarizations: FoundNotarization[];
	burns: FoundBurn[];
	imports: FoundImport[];
}

export const nothingFound = (): Found => ({
	blocks: [],
	transactions: [],
	outputs: [],
	inputs: [],
	addressTxs: [],
	tokens: [],
	moves: [],
	notarizations: [],
	burns: [],
	imports: []
});

/** A transaction in its block, with what is known before it and what is found in the batch. */
export interface Extraction extends DecodedTransaction {
	chain: string;
	/** Whether it is in the genesis block, whose outputs cannot be spent. */
	isGenesis: boolean;
	seq: bigint;
	/** Unix seconds of the block. */
	time: number;
	known: Known;
	found: Found;
}
