/** Methods about blocks and the state of the chain. */
import { z } from 'zod';
import { answers } from '../answerLimit.ts';
import { method } from '../method.ts';
import {
	bool,
	coins,
	hash,
	hex,
	hex4,
	int,
	list,
	object,
	oneOf,
	p,
	real,
	seconds,
	text,
	units
} from '../types.ts';
import { decodedTransaction } from './transactions.ts';

/** Value of a shielded pool or of the supply, present only when the daemon monitors it (`monitored`). */
const value = { chainValue: coins, chainValueZat: units };
const change = { valueDelta: coins, valueDeltaZat: units };
const watched = { monitored: z.literal(true) };
const unwatched = { monitored: z.literal(false) };
const id = { id: text };

const pool = oneOf([object({ ...id, ...watched, ...value }), object({ ...id, ...unwatched })]);
// A pool without a monitored total can still have the change by the block itself: blocks stored by an earlier
// release lack the totals.
const poolWithChange = oneOf([
	object({ ...id, ...watched, ...value, ...change }),
	object({ ...id, ...unwatched, ...change }),
	object({ ...id, ...unwatched })
]);
const supply = oneOf([object({ ...watched, ...value }), object(unwatched)]);
const supplyWithChange = oneOf([
	object({ ...watched, ...value, ...change }),
	object({ ...unwatched, ...change }),
	object(unwatched)
]);

const links = { previousblockhash: hash.optional(), nextblockhash: hash.optional() };
interface Linked {
	height: number;
	rawconfirmations: number;
	previousblockhash?: string | undefined;
	nextblockhash?: string | undefined;
}
/** The genesis block has no previous block; the tip and blocks of other branches have no next one. */
const isLinked = (block: Linked): boolean =>
	(block.height === 0) === (block.previousblockhash === undefined) &&
	block.rawconfirmations > 1 === (block.nextblockhash !== undefined);
const LINKED = 'a link to a neighbour is missing or too many';

export const headerFacts = {
	last_notarized_height: int,
	hash,
	confirmations: int,
	rawconfirmations: int,
	height: int,
	version: int,
	merkleroot: hash,
	finalsaplingroot: hash,
	time: seconds,
	nonce: hash,
	solution: hex,
	bits: hex4,
	difficulty: real,
	chainwork: hash,
	segid: int,
	...links
};
const header = object(headerFacts).refine(isLinked, LINKED);

const block = <T extends z.ZodType>(transaction: T) =>
	object({
		last_notarized_height: int,
		hash,
		confirmations: int,
		rawconfirmations: int,
		size: int,
		height: int,
		version: int,
		merkleroot: hash,
		segid: int,
		finalsaplingroot: hash,
		tx: list(transaction),
		time: seconds,
		nonce: hash,
		solution: hex,
		bits: hex4,
		difficulty: real,
		chainwork: hash,
		anchor: hash,
		chainSupply: supplyWithChange,
		valuePools: list(poolWithChange),
		...links
	}).refine(isLinked, LINKED);
const blockWithTxids = block(hash);
const blockWithTransactions = block(decodedTransaction);

export const softFork = object({
	status: bool,
	found: int,
	required: int,
	window: int
});

export const blockMethods = {
	getblockcount: method({
		access: 'read',
		params: [],
		result: int,
		examples: [[]]
	}),
	getbestblockhash: method({
		access: 'read',
		params: [],
		result: hash,
		examples: [[]]
	}),
	getblockhash: method({
		access: 'read',
		params: [p.integer('height')],
		result: hash,
		examples: [[1]]
	}),
	getblock: method({
		access: 'read',
		answer: answers.list,
		params: [
			p.string('hashOrHeight', { hint: 'a height is text, too' }),
			p.optional(p.level('verbosity', { hint: '0, 1 or 2' }))
		],
		result: oneOf([hex, blockWithTxids, blockWithTransactions]),
		examples: [['1', 1]]
	}),
	getblockheader: method({
		access: 'read',
		answer: answers.transaction,
		params: [p.string('hash'), p.optional(p.bool('verbose'))],
		result: oneOf([hex, header])
	}),
	getblockhashes: method({
		access: 'read',
		answer: answers.list,
		params: [p.integer('high'), p.integer('low'), p.optional(p.json('options'))],
		result: oneOf([list(hash), list(object({ blockhash: hash, logicalts: int }))])
	}),
	getblockchaininfo: method({
		access: 'read',
		answer: answers.transaction,
		params: [],
		result: object({
			chain: text,
			blocks: int,
			synced: bool,
			headers: int,
			bestblockhash: hash,
			difficulty: real,
			verificationprogress: real,
			chainwork: hash,
			pruned: bool,
			commitments: int,
			chainSupply: supply,
			valuePools: list(pool),
			softforks: list(object({ id: text, version: int, enforce: softFork, reject: softFork })),
			upgrades: z.record(
				hex4,
				object({ name: text, activationheight: int, status: text, info: text })
			),
			consensus: object({ chaintip: hex4, nextblock: hex4 }),
			pruneheight: int.optional()
		}),
		examples: [[]]
	}),
	getchaintips: method({
		access: 'read',
		answer: answers.list,
		params: [],
		result: list(object({ height: int, hash, branchlen: int, status: text })),
		examples: [[]]
	}),
	getchaintxstats: method({
		access: 'read',
		params: [
			p.optional(p.integer('nblocks', { orNull: true })),
			p.optional(p.string('blockhash', { orNull: true }))
		],
		// A window of no blocks has no facts, one that took no time no rate.
		result: object({
			time: int,
			txcount: int,
			window_final_block_hash: hash,
			window_block_count: int,
			window_tx_count: int.optional(),
			window_interval: int.optional(),
			txrate: real.optional()
		}).refine(
			(stats) =>
				stats.window_block_count > 0 === (stats.window_tx_count !== undefined) &&
				stats.window_block_count > 0 === (stats.window_interval !== undefined) &&
				(stats.window_interval ?? 0) > 0 === (stats.txrate !== undefined),
			'the facts do not fit the window'
		)
	}),
	getdifficulty: method({
		access: 'read',
		params: [],
		result: real,
		examples: [[]]
	}),
	gettxoutsetinfo: method({
		access: 'read',
		deadline: 'slow',
		params: [],
		result: object({
			height: int,
			bestblock: hash,
			transactions: int,
			txouts: int,
			bytes_serialized: int,
			hash_serialized: hash,
			total_amount: coins
		})
	}),
	coinsupply: method({
		access: 'read',
		deadline: 'slow',
		params: [p.optional(p.numeric('height'))],
		result: object({
			result: text,
			coin: text,
			height: int,
			supply: coins,
			zfunds: coins,
			sprout: coins,
			total: coins,
			// Present once the chain is older than a year.
			lastmonth: coins.optional(),
			monthcoins: coins.optional(),
			lastquarter: coins.optional(),
			quartercoins: coins.optional(),
			lastyear: coins.optional(),
			yearcoins: coins.optional(),
			inflation: real.optional(),
			blocksperyear: int.optional()
		}),
		fails: ['rpc', 'soft', 'member'],
		examples: [[], ['100']]
	}),
	verifychain: method({
		access: 'admin',
		signs: false,
		deadline: 'slow',
		params: [p.optional(p.integer('checklevel')), p.optional(p.integer('numblocks'))],
		result: bool
	}),
	invalidateblock: method({
		access: 'admin',
		signs: false,
		params: [p.string('hash')],
		result: z.null()
	}),
	reconsiderblock: method({
		access: 'admin',
		signs: false,
		params: [p.string('hash')],
		result: z.null()
	}),
	minerids: method({
		access: 'read',
		answer: answers.transaction,
		params: [p.numeric('height')],
		result: object({
			mined: list(
				oneOf([
					object({ notaryid: int, KMDaddress: text, pubkey: text, blocks: int }),
					object({ pubkey: text, blocks: int })
				])
			),
			numnotaries: int
		}),
		fails: ['rpc', 'member']
	}),
	getlastsegidstakes: method({
		access: 'read',
		answer: answers.transaction,
		params: [p.integer('depth')],
		result: object({
			NotSet: int,
			PoW: int,
			PoSPerc: int,
			SegIds: z.record(z.string().regex(/^\d+$/), int)
		})
	})
};
