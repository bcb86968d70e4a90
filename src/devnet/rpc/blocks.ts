import { serializeBlock, serializeHeader } from '#lib/chain/block.ts';
import { bytesToHex, reversed } from '#lib/chain/bytes.ts';
import { RPC_INVALID_ADDRESS_OR_KEY, RPC_INVALID_PARAMETER } from '#lib/rpc/errorCodes.ts';
import { isJsonObject, JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import { coins, int, real } from './coins.ts';
import { RpcError } from './error.ts';
import type { LedgerApi, LedgerBlock } from '../ledger/api.ts';
import { member } from './params.ts';
import type { DaemonContext, Handler } from './context.ts';
import { decodedTransaction } from './render.ts';

type JsonObject = { [key: string]: JsonValue };

/** Work of one block at the minimum difficulty. */
const WORK_PER_BLOCK = 17n;

type Totals = LedgerBlock['totals'];

/**
 * Formats coins up to a block, if monitored, in the daemon's two notations; with `before` also the change by
 * the block.
 */
const supplyOf = (known: boolean, satoshi: bigint, before?: bigint): JsonObject => ({
	monitored: known,
	...(known ? { chainValue: coins(satoshi), chainValueZat: int(satoshi) } : {}),
	...(before === undefined
		? {}
		: { valueDelta: coins(satoshi - before), valueDeltaZat: int(satoshi - before) })
});

/** Coins of the genesis block, which cannot be spent; the pools include them, `coinsupply` does not. */
const GENESIS_COINS = 5_000_000_000n;

const everMinted = ({ minted }: Totals): bigint => minted + GENESIS_COINS;

const transparent = (totals: Totals): bigint =>
	everMinted(totals) + totals.imported - totals.burned;

/**
 * Formats the supply, the transparent pool (including imports and burns) and what was burned. `before` is
 * null for the genesis block. Totals of the Sapling pool exist in every release.
 */
const supplyMembers = (
	{ upgraded }: DaemonContext,
	totals: Totals,
	before?: Totals | null
): JsonObject => {
	const known = !upgraded;
	const since = (of: (totals: Totals) => bigint): bigint | undefined =>
		before === undefined ? undefined : before === null ? 0n : of(before);
	const zero = since(() => 0n);
	return {
		chainSupply: supplyOf(known, everMinted(totals), since(everMinted)),
		valuePools: [
			{ id: 'transparent', ...supplyOf(known, transparent(totals), since(transparent)) },
			{ id: 'sprout', ...supplyOf(known, 0n, zero) },
			{ id: 'sapling', ...supplyOf(true, 0n, zero) },
			{
				id: 'burned',
				...supplyOf(
					known,
					totals.burned,
					since(({ burned }) => burned)
				)
			}
		]
	};
};

const chainWork = (height: number): string =>
	(WORK_PER_BLOCK * BigInt(height + 1)).toString(16).padStart(64, '0');

/** Difficulty of every block here. */
export const DIFFICULTY = real(1);

const onChain = (ledger: LedgerApi, block: LedgerBlock): boolean =>
	ledger.blockAt(block.height)?.hash === block.hash;

const confirmationMembers = (ledger: LedgerApi, block: LedgerBlock): JsonObject =>
	onChain(ledger, block)
		? {
				confirmations: int(ledger.confirmations(block.height)),
				rawconfirmations: int(ledger.rawConfirmations(block.height))
			}
		: { confirmations: int(-1), rawconfirmations: int(-1) };

const neighbours = (ledger: LedgerApi, block: LedgerBlock): JsonObject => {
	const next = onChain(ledger, block) ? ledger.blockAt(block.height + 1) : undefined;
	return {
		...(block.height > 0 ? { previousblockhash: block.header.previousHash } : {}),
		...(next ? { nextblockhash: next.hash } : {})
	};
};

const headerTail = (block: LedgerBlock): JsonObject => ({
	time: int(block.header.time),
	nonce: bytesToHex(reversed(block.header.nonce)),
	solution: bytesToHex(block.header.solution),
	bits: block.header.bits.toString(16).padStart(8, '0'),
	difficulty: DIFFICULTY,
	chainwork: chainWork(block.height)
});

const verboseBlock = (
	context: DaemonContext,
	block: LedgerBlock,
	withTransactions: boolean
): JsonObject => {
	const { ledger } = context;
	const before = ledger.blockByHash(block.header.previousHash)?.totals ?? null;
	return {
		last_notarized_height: int(ledger.lastNotarizedHeight()),
		hash: block.hash,
		...confirmationMembers(ledger, block),
		size: int(block.size),
		height: int(block.height),
		version: int(block.header.version),
		merkleroot: block.header.merkleRoot,
		segid: int(-1),
		finalsaplingroot: block.header.finalSaplingRoot,
		tx: withTransactions
			? block.transactions.map((tx) => decodedTransaction(tx, ledger.params.ccid))
			: block.txids,
		...headerTail(block),
		anchor: EMPTY_SPROUT_ROOT,
		...supplyMembers(context, block.totals, before),
		...neighbours(ledger, block)
	};
};

/** Root of the empty Sprout tree, which every block here has. */
const EMPTY_SPROUT_ROOT = '59d2cde5e65c1414c32ba54f0fe4bdb3d67618125286e6a191317917c812c6d7';

/** Finds a block by its height as text: digits only, within the chain. */
const heightFromText = (ledger: LedgerApi, text: string): LedgerBlock => {
	if (!/^\d+$/.test(text))
		throw new RpcError(RPC_INVALID_PARAMETER, 'Invalid block height parameter');
	const block = ledger.blockAt(Number(text));
	if (!block) throw new RpcError(RPC_INVALID_PARAMETER, 'Block height out of range');
	return block;
};

/** Finds a block by its hash, or by its height as text. */
export const blockByText = (ledger: LedgerApi, text: string): LedgerBlock => {
	if (text.length !== 64) return heightFromText(ledger, text);
	const block = ledger.blockByHash(text.toLowerCase());
	if (!block) throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Block not found');
	return block;
};

const getblock: Handler = (context, params) => {
	const { ledger } = context;
	params.between(1, 2);
	const text = params.string(0);
	let verbosity = 1;
	if (params.has(1)) {
		verbosity = params.at(1) instanceof JsonNumber ? params.integer(1) : params.bool(1) ? 1 : 0;
	}
	if (verbosity < 0 || verbosity > 2) {
		throw new RpcError(RPC_INVALID_PARAMETER, 'Verbosity must be in range from 0 to 2');
	}
	const block = blockByText(ledger, text);
	if (verbosity === 0) return bytesToHex(serializeBlock(block));
	return verboseBlock(context, block, verbosity === 2);
};

const getblockheader: Handler = ({ ledger }, params) => {
	params.between(1, 2);
	const hash = params.string(0).toLowerCase();
	const verbose = params.has(1) ? params.bool(1) : true;
	const block = ledger.blockByHash(hash);
	if (!block) throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Block not found');
	if (!verbose) return bytesToHex(serializeHeader(block.header));
	return {
		last_notarized_height: int(ledger.lastNotarizedHeight()),
		hash: block.hash,
		...confirmationMembers(ledger, block),
		height: int(block.height),
		version: int(block.header.version),
		merkleroot: block.header.merkleRoot,
		finalsaplingroot: block.header.finalSaplingRoot,
		...headerTail(block),
		segid: int(-1),
		...neighbours(ledger, block)
	};
};

const getblockhash: Handler = ({ ledger }, params) => {
	params.between(1, 1);
	const block = ledger.blockAt(params.integer(0));
	if (!block) throw new RpcError(RPC_INVALID_PARAMETER, 'Block height out of range');
	return block.hash;
};

/** Converts a time like the daemon, which treats 32-bit integers as unsigned. */
const unsigned = (value: number): number => value >>> 0;

const getblockhashes: Handler = ({ ledger, rules }, params) => {
	params.between(2, Infinity);
	const [high, low] = [unsigned(params.integer(0)), unsigned(params.integer(1))];
	const options = params.at(2);
	// Options of other types are ignored, as a whole or individually.
	const isSet = (name: string): boolean => isJsonObject(options) && member(options, name) === true;
	if (!rules.timestampIndex) {
		throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'No information available for block hashes');
	}
	const isActive = (hash: string): boolean => {
		const block = ledger.blockByHash(hash);
		return block !== undefined && onChain(ledger, block);
	};
	return ledger
		.blocksByTime(low, high)
		.filter(({ hash }) => !isSet('noOrphans') || isActive(hash))
		.map(({ hash, time }) =>
			isSet('logicalTimes') ? { blockhash: hash, logicalts: int(time) } : hash
		);
};

const getblockcount: Handler = ({ ledger }, params) => {
	params.between(0, 0);
	return int(ledger.height);
};

const getbestblockhash: Handler = ({ ledger }, params) => {
	params.between(0, 0);
	return ledger.tip.hash;
};

const softFork = (id: string, version: number, height: number): JsonObject => {
	const found = int(Math.min(height, 4000));
	const rule = (required: number): JsonObject => ({
		status: height >= required,
		found,
		required: int(required),
		window: int(4000)
	});
	return { id, version: int(version), enforce: rule(750), reject: rule(950) };
};

const OVERWINTER_BRANCH = '5ba81b19';
const SAPLING_BRANCH = '76b809bb';

/** Number of blocks after which the daemon has determined the activation height of Sapling. */
const SAPLING_KNOWN_FROM = 31;

/** Activation height of Sapling; -1 until the daemon has determined it. */
export const knownSapling = ({ height, params: { saplingHeight } }: LedgerApi): number =>
	height >= Math.min(SAPLING_KNOWN_FROM, saplingHeight) ? saplingHeight : -1;

const upgrades = (ledger: LedgerApi): JsonObject => {
	const saplingHeight = knownSapling(ledger);
	if (saplingHeight < 0) return {};
	const state = (name: string, info: string): JsonObject => ({
		name,
		activationheight: int(saplingHeight),
		status: ledger.isSaplingAt(ledger.height) ? 'active' : 'pending',
		info
	});
	return {
		[OVERWINTER_BRANCH]: state(
			'Overwinter',
			'See https://z.cash/upgrade/overwinter.html for details.'
		),
		[SAPLING_BRANCH]: state('Sapling', 'See https://z.cash/upgrade/sapling.html for details.')
	};
};

const branchAt = (ledger: LedgerApi, height: number): string =>
	ledger.isSaplingAt(height) ? SAPLING_BRANCH : '00000000';

const getblockchaininfo: Handler = (context, params) => {
	params.between(0, 0);
	const { ledger } = context;
	const { height, tip } = ledger;
	return {
		chain: 'main',
		blocks: int(height),
		synced: true,
		headers: int(height),
		bestblockhash: tip.hash,
		difficulty: DIFFICULTY,
		verificationprogress: int(1),
		chainwork: chainWork(height),
		pruned: false,
		commitments: int(0),
		...supplyMembers(context, tip.totals),
		softforks: [
			softFork('bip34', 2, height),
			softFork('bip66', 3, height),
			softFork('bip65', 4, height)
		],
		upgrades: upgrades(ledger),
		consensus: { chaintip: branchAt(ledger, height), nextblock: branchAt(ledger, height + 1) }
	};
};

const coinsupply: Handler = (context, params): JsonValue => {
	params.between(0, 1);
	const { ledger } = context;
	const height = params.has(0) ? Number(params.string(0)) : ledger.height;
	const block = ledger.blockAt(height);
	if (!block) return { error: 'couldnt calculate supply' };
	const { minted, burned } = block.totals;
	const supply = minted - burned;
	return {
		result: 'success',
		coin: ledger.symbol,
		height: int(height),
		supply: coins(supply),
		zfunds: coins(0n),
		sprout: coins(0n),
		total: coins(supply)
	};
};

const getchaintips: Handler = ({ ledger }, params) => {
	params.between(0, 0);
	return [
		{ height: int(ledger.height), hash: ledger.tip.hash, branchlen: int(0), status: 'active' }
	];
};

const getdifficulty: Handler = (_context, params) => {
	params.between(0, 0);
	return DIFFICULTY;
};

export const blockHandlers = {
	getblock,
	getblockheader,
	getblockhash,
	getblockhashes,
	getblockcount,
	getbestblockhash,
	getblockchaininfo,
	coinsupply,
	getchaintips,
	getdifficulty
};
