/** Computes MoM and MoMoM, and compares them with the daemon's. */
import { MAIN_CHAIN } from '#lib/chain/mainChain.ts';
import { displayHash, internalHash } from '#lib/chain/bytes.ts';
import { momOf, momomOf } from '#lib/chain/merkle.ts';
import { MOMOM_LAG, NOTARIZATION_WINDOW, momomAt } from '#lib/chain/proofRoot.ts';
import { daemonError } from '#lib/server/chains/daemon/daemonError.ts';
import { Limiter } from '#lib/server/chains/upstream/limiter.ts';
import type { Index } from '#lib/server/chains/indexer/open.ts';
import { heightOfSeq, seqOf } from '#lib/server/chains/indexer/tables.ts';
import { chainProgress } from '#lib/server/chains/lists/chains.ts';
import { someAtATime } from '../../../platform/async/someAtATime.ts';
import { isAppError } from '../../../platform/errors/appError.ts';
import { TIMEOUT_MS, type ProofClient } from './ways.ts';

/** Most blocks over which a MoM is computed. */
export const MOST_BLOCKS = 1_000;

/** One interpretation of "height" and "number of blocks". */
interface MomReading {
	/** `down`: the height is the last block, as running daemons interpret it; `up`: the first, as documented. */
	direction: 'down' | 'up';
	first: number;
	last: number;
	/** Display order; null when the range extends beyond the chain. */
	mom: string | null;
}

interface MomPage {
	readings: MomReading[];
	/** The daemon's answer; null, with a note, when it refused. */
	asked: string | null;
	/** The interpretations whose MoM equals the daemon's. */
	matched: MomReading['direction'][];
}

/** Blocks that are requested at once, with background priority, since others need the daemon too. */
const AT_A_TIME = 2;
/** Milliseconds for all blocks of one MoM, and for waiting until the previous one is done. */
const READ_MS = 20_000;
const TURN_MS = 10_000;
/** Whose turn a MoM takes: visitors do not keep members waiting. */
export type Asker = 'member' | 'visitor';
/** By chain and asker: only one MoM is computed at a time. */
const turns = new Map<string, Limiter>();

/**
 * Reads the blocks of a MoM when no other MoM of the chain is being read for such an asker.
 * @throws {AppError} `daemon.busy` when it waited too long
 */
async function inTurn<T>(chain: string, asker: Asker, read: () => Promise<T>): Promise<T> {
	const key = `${asker} ${chain}`;
	const turn = turns.get(key) ?? new Limiter({ maxConcurrency: 1, maxQueued: 16 });
	turns.set(key, turn);
	try {
		return await turn.run('interactive', TURN_MS, read);
	} catch (cause) {
		if (!isAppError(cause, 'queue')) throw cause;
		const place = { daemon: chain, method: 'getblock' };
		throw daemonError('daemon.busy', place, { delivery: 'not-sent' }, cause);
	}
}

function merkleRoots(
	client: ProofClient,
	chain: string,
	asker: Asker,
	{ first, last }: { first: number; last: number }
): Promise<Uint8Array[]> {
	const heights = Array.from({ length: last - first + 1 }, (_, i) => last - i);
	return inTurn(chain, asker, () => {
		const deadline = performance.now() + READ_MS;
		return someAtATime(heights, AT_A_TIME, async (height) => {
			const block = await client.call(chain, 'getblock', [String(height), 1], {
				priority: 'background',
				timeout: Math.max(1, Math.min(TIMEOUT_MS, Math.round(deadline - performance.now())))
			});
			if (typeof block === 'string') throw new TypeError('a block with its members was asked for');
			return internalHash(block.merkleroot);
		});
	});
}

/** Computes the MoM over a range in both interpretations, and asks the daemon for its own. */
export async function readMom(
	client: ProofClient,
	chain: string,
	{ height, depth }: { height: number; depth: number },
	asker: Asker
): Promise<MomPage> {
	const tip = await client.orNote({ code: 'height', chain }, () =>
		client.call(chain, 'getblockcount', [])
	);
	const read = async (
		direction: 'down' | 'up',
		first: number,
		last: number
	): Promise<MomReading> => {
		const outside = tip === null || first < 0 || last > tip;
		const roots = outside
			? null
			: await client.orNote({ code: 'blocks', first, last }, () =>
					merkleRoots(client, chain, asker, { first, last })
				);
		return { direction, first, last, mom: roots === null ? null : displayHash(momOf(roots)) };
	};
	const readings = [
		await read('down', height - depth + 1, height),
		await read('up', height, height + depth - 1)
	];
	const answer = await client.orNote({ code: 'method', method: 'calc_MoM' }, () =>
		client.call(chain, 'calc_MoM', [String(height), String(depth)])
	);
	const asked = answer === null ? null : answer.MoM;
	return {
		readings,
		asked,
		matched: readings.filter(({ mom }) => mom !== null && mom === asked).map((one) => one.direction)
	};
}

interface MomomPage {
	/** The daemon's answer; null, with a note, when it refused. */
	asked: {
		momom: string;
		moms: string[];
		notarization: string;
		/** The Merkle root over the daemon's own list, computed here. */
		overList: string;
	} | null;
	/** Computed from the notarizations in the index; null when there are too few of them, or `isBehind`. */
	own: {
		momom: string;
		moms: { hash: string; from: { txid: string; symbol: string; height: number }[] }[];
		notarization: string;
	} | null;
	/** Height of KMD that was evaluated. */
	height: number;
	/** Last indexed block of KMD; null when there is none. */
	indexed: number | null;
	/** Whether that is below `height`, so that notarizations may be missing. */
	isBehind: boolean;
}

/** Computes the MoMoM of a chain at a height of KMD, and asks the daemon for its own. */
export async function readMomom(
	client: ProofClient,
	index: Index,
	symbol: string,
	kmdHeight: number,
	ccid: number
): Promise<MomomPage> {
	const height = kmdHeight - MOMOM_LAG;
	const answer = await client.orNote({ code: 'method', method: 'MoMoMdata' }, () =>
		client.call(MAIN_CHAIN, 'MoMoMdata', [symbol, String(kmdHeight), String(ccid)])
	);
	const progress = await chainProgress(index, MAIN_CHAIN);
	const indexed = progress === null || progress.hash === null ? null : progress.height;
	const isBehind = progress === null || progress.height < height;
	const rows =
		progress === null || isBehind
			? []
			: await index
					.selectFrom('ix_notarizations as n')
					.innerJoin('ix_txs as t', (join) =>
						join.onRef('t.chain', '=', 'n.chain').onRef('t.seq', '=', 'n.seq')
					)
					.select(['n.seq', 't.txid', 'n.symbol', 'n.mom', 'n.ccid'])
					.where('n.chain', '=', progress.id)
					.where('n.seq', '<', seqOf(Math.max(0, height + 1), 0))
					.where('n.seq', '>=', seqOf(Math.max(0, height - NOTARIZATION_WINDOW + 1), 0))
					.orderBy('n.seq', 'desc')
					.execute();
	const records = rows.map((row) => ({
		height: heightOfSeq(row.seq),
		txid: Buffer.from(row.txid).toString('hex'),
		symbol: row.symbol,
		mom: row.mom === null ? null : Uint8Array.from(row.mom),
		ccid: row.ccid === null ? null : Number(row.ccid)
	}));
	const own = momomAt(records, symbol, ccid, height);
	return {
		asked:
			answer === null
				? null
				: {
						momom: answer.MoMoM,
						moms: answer.MoMs,
						notarization: answer.notarization_hash,
						overList: displayHash(momomOf(answer.MoMs.map(internalHash)))
					},
		own:
			own === null
				? null
				: {
						momom: displayHash(own.momom),
						notarization: own.notarization,
						moms: own.moms.map((mom) => ({
							hash: displayHash(mom),
							from: records
								.filter((one) => one.mom !== null && displayHash(one.mom) === displayHash(mom))
								.map(({ txid, symbol: of, height: at }) => ({ txid, symbol: of, height: at }))
						}))
					},
		height,
		indexed,
		isBehind
	};
}
