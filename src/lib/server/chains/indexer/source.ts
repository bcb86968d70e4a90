/** What the indexer asks of a chain's daemons, in batches that they can bear. */
import { setImmediate as turn } from 'node:timers/promises';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { WARMING_UP } from '../daemon/answer.ts';
import { measureJson } from '../daemon/answers/measure.ts';
import { daemonError } from '../daemon/daemonError.ts';
import { isHopeful } from '../daemon/health.ts';
import { rawMembers } from '../daemon/rawJson.ts';
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
 * Calls on the wire to one daemon at a time: one is worked on while the answer to the other one comes over. Komodo
 * daemon 0.9.0 has four workers, people need the others.
 */
export const MAX_CONCURRENCY = 2;
/** Blocks in one call at most. */
export const LARGEST_BATCH = 500;
/** Bytes of an answer with several blocks, four times what one aims at: memory is bounded by it. */
const MOST_BYTES = 8 * 1024 * 1024;
/** People who wait come first. */
const BACKGROUND = { priority: 'background' } as const;

/** Its methods take and give what can be handed to another thread. */
export interface ChainSource {
	/** Hash of the tip. */
	tip(): Promise<string>;
	height(): Promise<number>;
	/** The cross-chain id that the daemon was started with; null without one. */
	ccid(): Promise<number | null>;
	/**
	 * Asks the daemon once more which chain it follows: behind its address may be another one by now.
	 * @throws {AppError} `indexer.unreachable`
	 */
	confirm(): Promise<void>;
	/** Hash of the block at a height, or null above the tip. */
	hashAt(height: number): Promise<string | null>;
	/**
	 * Raw blocks; fewer than asked for when the chain ends before.
	 *
	 * @param shared whether any daemon of the chain may be asked that has them: they come in turns from all
	 */
	blocks(from: number, count: number, shared?: boolean): Promise<RawBlock[]>;
	/** The daemon's own decoding, as text: for a block whose bytes cannot be read here. */
	verboseBlock(height: number): Promise<string>;
	/**
	 * Which of these transactions count as notarizations, as the daemon judges it: numbers of the notaries that
	 * signed, by txid; none where the daemon does not know them.
	 */
	notarized(candidates: readonly Candidate[]): Promise<Map<string, number[]>>;
	/** Numbers of the notaries that signed notarizations in blocks of these heights, by txid, where the daemon knows them. */
	signers(heights: readonly number[]): Promise<Map<string, number[]>>;
}

/** A transaction that has the form of a notarization. */
export interface Candidate {
	/** Of the block that holds it. */
	height: number;
	txid: string;
	/** The chain that it notarizes. */
	symbol: string;
}

/** After so many batches in vain no more are tried. */
const MISANSWERED = 3;

/** Komodo daemon 0.9.0: a height above the tip. */
const OUT_OF_RANGE = -8;

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
 * Komodo daemon 0.9.0 answers a batch while it starts: each item then holds the refusal that a single call gets.
 * @throws {AppError} `indexer.unreachable`
 */
function notWhileStarting(daemon: string, answers: readonly Answer[]): void {
	const starting = answers.find(({ error }) => error?.code === WARMING_UP)?.error;
	if (!starting) return;
	const facts = {
		delivery: 'not-sent',
		rpcCode: WARMING_UP,
		rpcMessage: starting.message
	} as const;
	unanswered(daemonError('daemon.warming-up', { daemon, method: 'batch' }, facts));
}

/**
 * Any healthy daemon of the chain serves; the choice is made anew for each question. All but old blocks comes from the
 * first one: two daemons need not have the same tip.
 */
export function createSource(gateway: Gateway, chain: string): ChainSource {
	function daemon(): DaemonInfo {
		const found = gateway.daemonFor(chain, 'read');
		if (!found) throw new AppError('indexer.no-daemon', { chain });
		return found;
	}

	let turns = 0;
	/** The daemons that can be read from, one after the other. */
	function next(): DaemonInfo {
		const usable = gateway
			.daemons()
			.filter(
				(one) => one.chain === chain && one.purposes.includes('read') && isHopeful(one.health)
			);
		return usable[turns++ % Math.max(1, usable.length)] ?? daemon();
	}

	/**
	 * Batches in a row that were answered with anything else, by daemon: such a one is asked call by call.
	 */
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

	/** What is read from the answer to a batch; null when not all is there, and where batches were in vain. */
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
		// So that the call that waits behind this one is on its way before this one's answer is read.
		await turn();
		const found = read(body);
		misanswered.set(asked.id, found === null ? vain + 1 : 0);
		return found;
	}

	/** The answers in the order of the calls; null when they are not all there. */
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

	/** The results of calls that all have to be answered. */
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

	async function blocksOf(asked: DaemonInfo, from: number, count: number): Promise<RawBlock[]> {
		const calls = Array.from({ length: count }, (_, at) => ({
			method: 'getblock' as const,
			params: [String(from + at), 0]
		}));
		const read = (body: Buffer): Uint8Array[] | null => {
			const usual = blocksInUsualAnswer(body, count);
			if (usual) return usual;
			const answers = answersOf(asked, body, count);
			return answers && blocksIn(answers);
		};
		const limit = count > 1 ? { maxBytes: MOST_BYTES } : {};
		const blocks = await askAtOnce(asked, calls, read, limit);
		return (blocks ?? blocksIn(await askSingly(asked, calls))).map(hashBlock);
	}

	function blocksIn(answers: readonly Answer[]): Uint8Array[] {
		const texts: string[] = [];
		for (const { result, error } of answers) {
			if (error) {
				if (texts.length > 0 || error.code === OUT_OF_RANGE) break;
				throw new AppError('indexer.refused', { chain, method: 'getblock', said: error.message });
			}
			texts.push(typeof result === 'string' ? result : mismatch('getblock'));
		}
		return bytesOf(chain, texts);
	}

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
			if (typeof info !== 'object' || info === null || !('CCid' in info)) return null;
			const ccid = Number(info.CCid);
			return Number.isSafeInteger(ccid) && ccid > 0 ? ccid : null;
		},
		async confirm() {
			const { id } = daemon();
			await gateway.proxy(id, 'getinfo', '[]', BACKGROUND).catch(unanswered);
			const { state, reason } = gateway.health(id);
			if (state === 'wrong-chain' && reason !== null) unanswered(AppError.of(reason));
		},
		async hashAt(height) {
			const [answer] = await ask([{ method: 'getblockhash', params: [height] }]);
			if (answer!.error?.code === OUT_OF_RANGE) return null;
			if (answer!.error) {
				const { message: said } = answer!.error;
				throw new AppError('indexer.refused', { chain, method: 'getblockhash', said });
			}
			const hash = answer!.result;
			return typeof hash === 'string' ? hash.toLowerCase() : mismatch('getblockhash');
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
			// What one daemon does not give, another one may.
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
			// Komodo daemon 0.9.0 lists no notarization whose signers are not in its table of notaries, as those of
			// other seasons and of regtest; its database, by which it judges proofs, has them.
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

/** Values in an answer to the indexer: a batch of blocks has a few for each, as have their notarizations. */
const MOST_VALUES = 500_000;

function parsed(body: Buffer): unknown {
	// What would not fit into memory is as good as no JSON.
	if (measureJson(body, MOST_VALUES).excess !== null) return null;
	try {
		return JSON.parse(body.toString());
	} catch (error) {
		if (error instanceof SyntaxError) return null;
		throw error;
	}
}

const isAnswer = (answer: unknown): answer is Answer =>
	typeof answer === 'object' && answer !== null && ('result' in answer || 'error' in answer);

/** Answers of a batch may come in any order: each names its call. Those that name none stand in order. */
function inOrder(answers: readonly unknown[], count: number): Answer[] | null {
	if (!answers.every(isAnswer)) return null;
	if (answers.every(({ id }) => id === undefined || id === null)) {
		return answers.length === count ? [...answers] : null;
	}
	const byId = new Map(answers.map((answer) => [String(answer.id), answer]));
	// Two answers to one call: neither can be believed.
	if (byId.size !== answers.length) return null;
	const found = Array.from({ length: count }, (_, id) => byId.get(String(id)));
	return found.every((answer) => answer !== undefined) ? found : null;
}

/** Blocks from their hex, all in one piece of memory, which is handed to another thread without a copy. */
function bytesOf(chain: string, texts: readonly string[]): Uint8Array[] {
	const whole = new ArrayBuffer(texts.reduce((sum, { length }) => sum + (length >> 1), 0));
	const buffer = Buffer.from(whole);
	let at = 0;
	return texts.map((text) => {
		const length = text.length >> 1;
		// What is no hex digit ends the writing.
		if (text.length % 2 !== 0 || buffer.write(text, at, 'hex') !== length) {
			throw new AppError('indexer.not-hex', { chain, method: 'getblock' });
		}
		at += length;
		return new Uint8Array(whole, at - length, length);
	});
}

/** The text of the member `result`, so that its numbers keep their digits. */
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

/** The notarization that `scanNotarisationsDB` found; null when it found none. */
function hashOf(chain: string, result: unknown): string | null {
	if (result === null) return null;
	const hash = typeof result === 'object' ? (result as { hash?: unknown }).hash : undefined;
	// Without its id what was found would count as not found, and the notarization as a payment.
	if (typeof hash !== 'string') {
		throw new AppError('indexer.hash-missing', { chain, method: 'scanNotarisationsDB' });
	}
	return hash.toLowerCase();
}

interface SignedBy {
	txid: string;
	notaries: number[];
}

/** The groups of an answer to `getNotarisationsForBlock` (`KMD`, `LABS`) joined; what is no record is left out. */
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
