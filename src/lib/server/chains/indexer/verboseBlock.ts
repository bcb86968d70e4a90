/** Reads the daemon's own decoding of a block, for blocks whose bytes cannot be parsed here. */
import { hexToBytes, NO_HASH } from '#lib/chain/bytes.ts';
import {
	COINBASE_OUTPOINT,
	NO_SHIELDED,
	OVERWINTER_GROUP_ID,
	SAPLING_GROUP_ID
} from '#lib/chain/transaction.ts';
import { exactInteger } from '#lib/rpc/exact.ts';
import type { BlockForm } from '#lib/messages/errors/indexer.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { DecodedBlock, DecodedTransaction } from './decode.ts';

/**
 * The decoding lacks something that the index needs.
 * @param place such as `tx.0.vout`; empty for the whole answer
 */
const mismatch = (place: string, misses: BlockForm, cause?: unknown) =>
	new AppError('indexer.block-mismatch', { place, misses }, { cause });

/** Members of an input that spends an output; a coinbase input has none of them. */
const SPENDING = ['txid', 'vout', 'scriptSig'];
const HASH = /^[0-9a-f]{64}$/i;
const HEX = /^(?:[0-9a-f]{2})*$/i;
const SHIELDED = ['vjoinsplit', 'vShieldedSpend', 'vShieldedOutput'];
/** The known formats, as a daemon reports them. */
const FORMATS = [
	{ overwintered: false, version: 1 },
	{ overwintered: false, version: 2 },
	{ overwintered: true, version: 3, group: hexOf(OVERWINTER_GROUP_ID) },
	{ overwintered: true, version: 4, group: hexOf(SAPLING_GROUP_ID) }
];

function hexOf(group: number): string {
	return group.toString(16).padStart(8, '0');
}

/** An object of the answer, with its path for error messages. */
class Node {
	readonly #members: Readonly<Record<string, unknown>>;
	readonly #path: string;

	constructor(value: unknown, path: string) {
		if (typeof value !== 'object' || value === null) {
			throw mismatch(path, 'object');
		}
		this.#members = value as Record<string, unknown>;
		this.#path = path;
	}

	has(name: string): boolean {
		return this.#members[name] !== undefined;
	}

	/** Whether the member exists and is not an empty list. */
	holds(name: string): boolean {
		const value = this.#members[name];
		return value !== undefined && !(Array.isArray(value) && value.length === 0);
	}

	#read<T>(name: string, form: BlockForm, fits: (value: unknown) => value is T): T {
		const value = this.#members[name];
		const place = this.#path === '' ? name : `${this.#path}.${name}`;
		if (value === undefined) throw mismatch(place, 'value');
		if (!fits(value)) throw mismatch(place, form);
		return value;
	}

	#text(name: string, form: BlockForm, pattern: RegExp): string {
		return this.#read(
			name,
			form,
			(value): value is string => typeof value === 'string' && pattern.test(value)
		).toLowerCase();
	}

	/** Returns any value that exists. */
	told(name: string): unknown {
		return this.#read(name, 'value', (_value): _value is unknown => true);
	}

	hash(name: string): string {
		return this.#text(name, 'hash', HASH);
	}

	bytes(name: string): Uint8Array {
		return hexToBytes(this.#text(name, 'hex', HEX));
	}

	whole(name: string): number {
		return this.#read(name, 'integer', (value): value is number => Number.isSafeInteger(value));
	}

	satoshi(name: string): bigint {
		return this.#read(name, 'amount', (value): value is bigint => typeof value === 'bigint');
	}

	node(name: string): Node {
		return new Node(this.#members[name], this.#path === '' ? name : `${this.#path}.${name}`);
	}

	nodes(name: string): Node[] {
		const path = this.#path === '' ? name : `${this.#path}.${name}`;
		return this.#read(name, 'list', (value): value is unknown[] => Array.isArray(value)).map(
			(value, at) => new Node(value, `${path}.${at}`)
		);
	}
}

/**
 * Converts the daemon's decoding of a block with an unknown transaction format, so that indexing can continue. Its
 * transactions have the inputs and outputs that the daemon lists. No missing value is invented, except the size,
 * which a daemon may omit for a transaction in a block: it becomes 0.
 *
 * @param text answer of `getblock` with verbosity 2, whose amounts are read from their digits
 * @param height of the requested block: only the genesis block has no predecessor
 * @throws {AppError} `indexer.block-mismatch`
 */
export function decodeVerboseBlock(text: string, height: number): DecodedBlock {
	let parsed: unknown;
	try {
		parsed = JSON.parse(text, exactSatoshi);
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		throw mismatch('', 'json', error);
	}
	const block = new Node(parsed, '');
	return {
		hash: block.hash('hash'),
		previousHash: height === 0 ? NO_HASH : block.hash('previousblockhash'),
		time: block.whole('time'),
		size: block.whole('size'),
		transactions: block.nodes('tx').map(transactionOf)
	};
}

/** Whether a transaction consists only of inputs and outputs: it has a known format and no shielded part. */
function isTransparent(tx: Node): boolean {
	const overwintered = tx.told('overwintered');
	const version = tx.told('version');
	const group = overwintered === true ? tx.told('versiongroupid') : undefined;
	const isKnown = FORMATS.some(
		(format) =>
			format.overwintered === overwintered && format.version === version && format.group === group
	);
	return isKnown && !SHIELDED.some((name) => tx.holds(name));
}

function transactionOf(tx: Node): DecodedTransaction {
	return {
		txid: tx.hash('txid'),
		size: tx.has('hex') ? tx.bytes('hex').length : 0,
		tx: {
			// A combination that no known format has marks the transaction as unknown.
			overwintered: !isTransparent(tx),
			version: 4,
			versionGroupId: 0,
			vin: tx.nodes('vin').map((input) => ({
				...(SPENDING.some((name) => input.has(name))
					? {
							txid: input.hash('txid'),
							vout: input.whole('vout'),
							scriptSig: input.node('scriptSig').bytes('hex')
						}
					: { ...COINBASE_OUTPOINT, scriptSig: input.bytes('coinbase') }),
				sequence: 0xffffffff
			})),
			vout: tx.nodes('vout').map((output) => ({
				value: satoshiOf(output),
				script: output.node('scriptPubKey').bytes('hex')
			})),
			locktime: 0,
			expiryHeight: 0,
			valueBalance: 0n,
			shielded: NO_SHIELDED
		}
	};
}

/** Parses satoshi from the digits: a double may lose the last one. */
function exactSatoshi(name: string, value: unknown, context?: { source?: string }): unknown {
	const decimals = DECIMALS.get(name);
	if (decimals === undefined || context?.source === undefined) return value;
	return exactInteger(context.source, decimals) ?? undefined;
}

/** Decimals by member name. Komodo daemon 0.9.0: `valueZat` in a block, `valueSat` in a transaction. */
const DECIMALS = new Map([
	['valueSat', 0],
	['valueZat', 0],
	['value', 8]
]);

/** Reads the first member that exists. */
const satoshiOf = (output: Node): bigint =>
	output.satoshi([...DECIMALS.keys()].find((name) => output.has(name)) ?? 'value');
