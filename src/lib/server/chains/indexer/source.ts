/** The indexer's requests to a chain's daemons, in batches that they can handle. */
import { setImmediate as turn } from 'node:timers/promises';
import { isHash } from '#lib/chain/idText.ts';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { RPC_INVALID_PARAMETER, RPC_IN_WARMUP } from '#lib/rpc/errorCodes.ts';
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { measureJson } from '../upstream/answers/measure.ts';
import { daemonError } from '../daemon/daemonError.ts';
import { isHopeful } from '../daemon/health.ts';
import { rawMembers } from '../upstream/rawJson.ts';
import type { DaemonInfo, Gateway } from '../daemon/types.ts';
import { hashBlock, type RawBlock } from './decode.ts';
import { blocksInUsualAnswer } from './rawBlocks.ts';

interface Call {
	method: DaemonMethod;
	params: readonly unknown[];
}

interface Answer {
	id?: unknown;
	result?: unknown;
	error?: { code: number; message: string } | null;
}

/**
 * Concurrent calls to one daemon: it works on one while the answer to the other is transferred. Komodo daemon 0.9.0
 * has four worker threads; the others stay free for users.
 */
export const MAX_CONCURRENCY = 2;
/** Most blocks in one call. */
export const LARGEST_BATCH = 500;
/** Bytes of an answer with several blocks, four times the size that a batch aims at. Limits the memory. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Calls of waiting users come first. */
const BACKGROUND = { priority: 'background' } as const;

/** Reads a chain. Arguments and results can be passed to another thread. */
export interface ChainSource {
	/** Hash of the tip. */
	tip(): Promise<string>;
	height(): Promise<number>;
	/** The cross-chain id that the daemon was started with; null without one, undefined when it does not report it. */
	ccid(): Promise<number | null | undefined>;
	/**
	 * Checks again that the daemon follows the configured chain, in case another daemon has taken over its address.
	 * @throws {AppError} `indexer.unreachable`
	 */
	confirm(): Promise<void>;
	/** Hash of the block at a height; null above the tip. */
	hashAt(height: number): Promise<string | null>;
	/**
	 * Raw blocks; fewer than requested when the chain ends before.
	 *
	 * @param shared whether any daemon of the chain may be asked; the requests then alternate between them
	 */
	blocks(from: number, count: number, shared?: boolean): Promise<RawBlock[]>;
	/** The block as JSON text, decoded by the daemon: for a block whose bytes cannot be parsed here. */
	verboseBlock(height: number): Promise<string>;
	/**
	 * Returns which of these transactions the daemon accepts as notarizations: numbers of the signing notaries by
	 * txid; an empty list where the daemon does not know them.
	 */
	notarized(candidates: readonly Candidate[]): Promise<Map<string, number[]>>;
	/** Numbers of the notaries that signed the notarizations at these heights, by txid, as far as the daemon knows. */
	signers(heights: readonly number[]): Promise<Map<string, number[]>>;
}

/** A transaction with the form of a notarization. */
export interface Candidate {
	/** Height of the block that contains it. */
	height: number;
	txid: string;
	/** Name of the notarized chain. */
	symbol: string;
}

/** Failed batches in a row after which a daemon is only asked call by call. */
const MISANSWERED = 3;

function unanswered(error: unknown): never {
	if (!isAppError(error, 'daemon')) throw error;
	const tooMuch = error.code === 'daemon.too-large' || error.code === 'daemon.timeout';
	throw new AppError(
		tooMuch ? 'indexer.too-much' : 'indexer.unreachable',
		{ call: error.coded },
		{ cause: error }
	);
}

/**
 * Komodo daemon 0.9.0 answers a batch while it starts; each item then contains the refusal of a single call.
 * @throws {AppError} `indexer.unreachable`
 */
function notWhileStarting(daemon: string, answers: readonly Answer[]): void {
	const starting = answers.find(({ error }) => error?.code === RPC_IN_WARMUP)?.error;
	if (!starting) return;
	const facts = {
		delivery: 'not-sent',
		rpcCode: RPC_IN_WARMUP,
		rpcMessage: starting.message
	} as const;
	unanswered(daemonError('daemon.warming-up', { daemon, method: 'batch' }, facts));
}

/**
 * Creates the source of a chain. Each request uses the healthy daemon that comes first; only old blocks may come
 * from others, because two daemons need not have the same tip.
 */
export function createSource(gateway: Gateway, chain: string): ChainSource {
	function daemon(): DaemonInfo {
		const found = gateway.daemonFor(chain, 'read');
		if (!found) throw new AppError('indexer.no-daemon', { chain });
		return found;
	}

	let turns = 0;
	/** Returns the next readable daemon, in rotation. */
	function next(): DaemonInfo {
		const usable = gateway
			.daemons()
			.filter(
				(one) => one.chain === chain && one.purposes.includes('read') && isHopeful(one.health)
			);
		return usable[turns++ % Math.max(1, usable.length)] ?? daemon();
	}

	/** Consecutive batches without a valid answer, by daemon; after {@link MISANSWERED} it is asked call by call. */
	const misanswered = new Map<string, number>();

	async function single(asked: DaemonInfo, { method, params }: Call): Promise<Answer> {
		const { body } = await gateway
			.proxy(asked.id, method, JSON.stringify(params), BACKGROUND)
			.catch(unanswered);
		const answer = parsed(body);
		if (!isAnswer(answer)) throw new AppError('indexer.no-answer', { chain, method });
		return answer;
	}

	async function ask(calls: readonly Call[], asked = daemon()): Promise<Answer[]> {
		const read = (body: Buffer): Answer[] | null => answersOf(asked, body, calls.length);
		return (await askAtOnce(asked, calls, read)) ?? (await askSingly(asked, calls));
	}

	async function askSingly(asked: DaemonInfo, calls: readonly Call[]): Promise<Answer[]> {
		const singly: Answer[] = [];
		for (const call of calls) singly.push(await single(asked, call));
		return singly;
	}

	/** Sends a batch and returns what `read` makes of the answer; null when incomplete, or after too many failures. */
	async function askAtOnce<T>(
		asked: DaemonInfo,
		calls: readonly Call[],
		read: (body: Buffer) => T | null,
		limit: { maxBytes?: number } = {}
	): Promise<T | null> {
		const vain = misanswered.get(asked.id) ?? 0;
		if (vain >= MISANSWERED) return null;
		const { body } = await gateway
			.proxyBatch(
				asked.id,
				calls.map(({ method, params }, id) => ({
					method,
					paramsText: JSON.stringify(params),
					idText: String(id)
				})),
				{ ...BACKGROUND, ...limit }
			)
			.catch((error: unknown) => {
				if (isAppError(error, 'daemon.not-rpc')) return NOTHING;
				return unanswered(error);
			});
		// Lets the next queued call be sent before this answer is parsed.
		await turn();
		const found = read(body);
		misanswered.set(asked.id, found === null ? vain + 1 : 0);
		return found;
	}

	/** Returns the answers in the order of the calls; null when some are missing. */
	function answersOf({ id: daemonId }: DaemonInfo, body: Buffer, count: number): Answer[] | null {
		const answers = parsed(body);
		if (!Array.isArray(answers)) return null;
		const inTurn = inOrder(answers, count);
		notWhileStarting(daemonId, inTurn ?? []);
		return inTurn;
	}

	async function one(method: DaemonMethod, params: readonly unknown[]): Promise<unknown> {
		const [answer] = await ask([{ method, params }]);
		if (answer!.error) {
			throw new AppError('indexer.refused', { chain, method, said: answer!.error.message });
		}
		return answer!.result;
	}

	/** Returns the results of calls; throws when one of them failed. */
	async function answered(calls: readonly Call[]): Promise<unknown[]> {
		if (calls.length === 0) return [];
		return (await ask(calls)).map(({ result, error }) => {
			if (error)
				throw new AppError('indexer.refused', {
					chain,
					method: 'notarizations',
					said: error.message
				});
			return result;
		});
	}

	/** Whether the hashes of the chain's blocks cannot be computed from their bytes. Known from the first call on. */
	const hasOtherHashes = ({ id }: DaemonInfo): boolean => {
		const info = gateway.daemon(id);
		return info !== undefined && info.algorithm !== null;
	};

	async function blocksOf(asked: DaemonInfo, from: number, count: number): Promise<RawBlock[]> {
		if (!hasOtherHashes(asked)) {
			const blocks = await rawBlocksOf(asked, heightsFrom(from, count));
			if (!hasOtherHashes(asked)) return blocks.map((bytes) => hashBlock(bytes, null));
		}
		return blocksByHash(asked, from, count);
	}

	/** Returns blocks with the hashes that the daemon tells, each requested by its hash, so that both belong together. */
	async function blocksByHash(asked: DaemonInfo, from: number, count: number): Promise<RawBlock[]> {
		const heights = Array.from({ length: count }, (_, at) => from + at);
		const calls = heights.map((height) => ({ method: 'getblockhash' as const, params: [height] }));
		const answers = await ask(calls, asked);
		const told = resultsIn('getblockhash', answers).map((hash) => hash.toLowerCase());
		const hashes = told.map((hash) => (isHash(hash) ? hash : mismatch('getblockhash')));
		if (hashes.length === 0) return [];
		const blocks = await rawBlocksOf(asked, hashes);
		return blocks.map((bytes, at) => hashBlock(bytes, hashes[at]!));
	}

	/** @param ids heights or hashes */
	async function rawBlocksOf(asked: DaemonInfo, ids: readonly string[]): Promise<Uint8Array[]> {
		const count = ids.length;
		const calls = ids.map((id) => ({ method: 'getblock' as const, params: [id, 0] }));
		const read = (body: Buffer): Uint8Array[] | null => {
			const usual = blocksInUsualAnswer(body, count);
			if (usual) return usual;
			const answers = answersOf(asked, body, count);
			return answers && blocksIn(answers);
		};
		const limit = count > 1 ? { maxBytes: MOST_BYTES } : {};
		const blocks = await askAtOnce(asked, calls, read, limit);
		return blocks ?? blocksIn(await askSingly(asked, calls));
	}

	/** Returns the texts up to the end of the chain. */
	function resultsIn(method: DaemonMethod, answers: readonly Answer[]): string[] {
		const texts: string[] = [];
		for (const { result, error } of answers) {
			if (error) {
				// The height is above the tip.
				if (texts.length > 0 || error.code === RPC_INVALID_PARAMETER) break;
				throw new AppError('indexer.refused', { chain, method, said: error.message });
			}
			texts.push(typeof result === 'string' ? result : mismatch(method));
		}
		return texts;
	}

	const blocksIn = (answers: readonly Answer[]): Uint8Array[] =>
		bytesOf(chain, resultsIn('getblock', answers));

	const mismatch = (method: string): never => {
		throw new AppError('indexer.answer-unknown', { chain, method });
	};

	async function signersAt(heights: readonly number[]): Promise<Map<string, number[]>> {
		const listed = await answered(
			heights.map((height) => ({ method: 'getNotarisationsForBlock', params: [height] }))
		);
		return new Map(
			listed.flatMap(recordsOf).map(({ txid, notaries }) => [txid, notaries] as const)
		);
	}

	return {
		signers: signersAt,
		async tip() {
			const tip = await one('getbestblockhash', []);
			return typeof tip === 'string' ? tip.toLowerCase() : mismatch('getbestblockhash');
		},
		async height() {
			const height = Number(await one('getblockcount', []));
			return Number.isSafeInteger(height) ? height : mismatch('getblockcount');
		},
		async ccid() {
			const info = await one('getinfo', []);
			if (typeof info !== 'object' || info === null) return undefined;
			if (!('CCid' in info)) return null;
			const ccid = info.CCid === null ? NaN : Number(info.CCid);
			if (!Number.isSafeInteger(ccid)) return undefined;
			return ccid > 0 ? ccid : null;
		},
		async confirm() {
			await gateway.proxy(daemon().id, 'getinfo', '[]', BACKGROUND).catch(unanswered);
		},
		async hashAt(height) {
			const answers = await ask([{ method: 'getblockhash', params: [height] }]);
			return resultsIn('getblockhash', answers)[0]?.toLowerCase() ?? null;
		},
		async blocks(from, count, shared = false) {
			if (!shared) return blocksOf(daemon(), from, count);
			const first = daemon();
			const asked = next();
			if (asked.id === first.id) return blocksOf(first, from, count);
			const blocks = await blocksOf(asked, from, count).catch((error: unknown) => {
				if (!isAppError(error, 'indexer')) throw error;
				return [];
			});
			// Another daemon may have the blocks that this one did not return.
			return blocks.length === count ? blocks : blocksOf(first, from, count);
		},
		async verboseBlock(height) {
			const { body } = await gateway
				.proxy(daemon().id, 'getblock', JSON.stringify([String(height), 2]), BACKGROUND)
				.catch(unanswered);
			return resultText(body.toString());
		},
		async notarized(candidates) {
			const signers = await signersAt([...new Set(candidates.map(({ height }) => height))]);
			// Komodo daemon 0.9.0 does not list notarizations with signers outside its table of notaries, as in
			// other seasons and on regtest. Its database, which it uses to judge proofs, contains them.
			const unlisted = candidates.filter(({ txid }) => !signers.has(txid));
			const searched = await answered(
				unlisted.map(({ height, symbol }) => ({
					method: 'scanNotarisationsDB',
					params: [String(height), symbol, '1']
				}))
			);
			unlisted.forEach(({ txid }, at) => {
				if (hashOf(chain, searched[at]) === txid) signers.set(txid, []);
			});
			return signers;
		}
	};
}

const NOTHING = { body: Buffer.from('null') };

const heightsFrom = (from: number, count: number): string[] =>
	Array.from({ length: count }, (_, at) => String(from + at));

/** Limit of the values in an answer: a batch of blocks has a few for each block, as have notarizations. */
const MOST_VALUES = 500_000;

function parsed(body: Buffer): unknown {
	// An answer that would need too much memory is treated like invalid JSON.
	return measureJson(body, MOST_VALUES).excess === null ? jsonOrNull(body.toString()) : null;
}

const isAnswer = (answer: unknown): answer is Answer =>
	typeof answer === 'object' && answer !== null && ('result' in answer || 'error' in answer);

/** Sorts the answers of a batch by call id, since any order is valid. Answers without ids are taken in order. */
function inOrder(answers: readonly unknown[], count: number): Answer[] | null {
	if (!answers.every(isAnswer)) return null;
	if (answers.every(({ id }) => id === undefined || id === null)) {
		return answers.length === count ? [...answers] : null;
	}
	const byId = new Map(answers.map((answer) => [String(answer.id), answer]));
	// Two answers to one call: neither can be trusted.
	if (byId.size !== answers.length) return null;
	const found = Array.from({ length: count }, (_, id) => byId.get(String(id)));
	return found.every((answer) => answer !== undefined) ? found : null;
}

/** Decodes the hex of blocks into one buffer, which can be transferred to another thread without a copy. */
function bytesOf(chain: string, texts: readonly string[]): Uint8Array[] {
	const whole = new ArrayBuffer(texts.reduce((sum, { length }) => sum + (length >> 1), 0));
	const buffer = Buffer.from(whole);
	let at = 0;
	return texts.map((text) => {
		const length = text.length >> 1;
		// `write` stops at the first character that is not a hex digit.
		if (text.length % 2 !== 0 || buffer.write(text, at, 'hex') !== length) {
			throw new AppError('indexer.not-hex', { chain, method: 'getblock' });
		}
		at += length;
		return new Uint8Array(whole, at - length, length);
	});
}

/** Returns the JSON text of the member `result`, so that its numbers keep their digits. */
function resultText(body: string): string {
	let members: Map<string, string>;
	try {
		members = new Map(rawMembers(body));
	} catch (error) {
		if (!isAppError(error, 'answer.malformed')) throw error;
		members = new Map();
	}
	const result = members.get('result');
	if (result === undefined || result === 'null') {
		throw new AppError('indexer.no-result');
	}
	return result;
}

/** Returns the txid of the notarization that `scanNotarisationsDB` found; null when it found none. */
function hashOf(chain: string, result: unknown): string | null {
	if (result === null) return null;
	const hash = typeof result === 'object' ? (result as { hash?: unknown }).hash : undefined;
	// Without the txid the notarization would be indexed as a payment.
	if (typeof hash !== 'string') {
		throw new AppError('indexer.hash-missing', { chain, method: 'scanNotarisationsDB' });
	}
	return hash.toLowerCase();
}

interface SignedBy {
	txid: string;
	notaries: number[];
}

/** Joins the groups (`KMD`, `LABS`) of an answer to `getNotarisationsForBlock`; other entries are skipped. */
function recordsOf(result: unknown): SignedBy[] {
	if (typeof result !== 'object' || result === null) return [];
	return Object.values(result as Record<string, unknown>)
		.filter(Array.isArray)
		.flat()
		.filter((record): record is SignedBy => {
			const { txid, notaries } = (record ?? {}) as Partial<Record<keyof SignedBy, unknown>>;
			return (
				typeof txid === 'string' && Array.isArray(notaries) && notaries.every(Number.isSafeInteger)
			);
		});
}
