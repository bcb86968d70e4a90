/** What the indexer asks of a chain's daemons, in batches that they can bear. */
import { setImmediate as turn } from 'node:timers/promises';
import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { UpstreamError, type DaemonInfo, type Gateway } from '../gateway/types.ts';
import { hashBlock, type RawBlock } from './decode.ts';

/** `too-much`: fewer blocks at once may be answered. */
export type SourceErrorCode = 'no-daemon' | 'refused' | 'unreachable' | 'too-much';

/** The daemon gave no answer that the index can be built from. */
export class SourceError extends Error {
	override readonly name = 'SourceError';
	readonly code: SourceErrorCode;

	constructor(code: SourceErrorCode, message: string, cause?: unknown) {
		super(message, cause === undefined ? undefined : { cause });
		this.code = code;
	}
}

interface Call {
	method: DaemonMethod;
	params: readonly unknown[];
}

interface Answer {
	id: number;
	result: unknown;
	error: { code: number; message: string } | null;
}

/** Calls on the wire to one daemon at a time: komodod 0.9.0 has four workers, people need the others. */
export const PLACES = 1;
/** The daemon's place for background work is one call at a time: people who wait come first. */
const BACKGROUND = { priority: 'background' } as const;

/** Its methods take and give what can be handed to another thread. */
export interface ChainSource {
	/** Hash of the tip. */
	tip(): Promise<string>;
	height(): Promise<number>;
	/** Hash of the block at a height, or null above the tip. */
	hashAt(height: number): Promise<string | null>;
	/** Raw blocks; fewer than asked for when the chain ends before. */
	blocks(from: number, count: number): Promise<RawBlock[]>;
	/** The daemon's own decoding, as text: for a block whose bytes cannot be read here. */
	verboseBlock(height: number): Promise<string>;
	/**
	 * Which notarizations in these blocks count, as the daemon judges it: numbers of the notaries that signed,
	 * by txid.
	 */
	notarized(heights: readonly number[]): Promise<Map<string, number[]>>;
}

/** Komodo daemon 0.9.0: a height above the tip. */
const OUT_OF_RANGE = -8;

function unanswered(error: unknown): never {
	if (!(error instanceof UpstreamError)) throw error;
	const tooMuch = error.code === 'too-large' || error.code === 'timeout';
	throw new SourceError(tooMuch ? 'too-much' : 'unreachable', error.message, error);
}

/** Any healthy daemon of the chain serves; the choice is made anew for each question. */
export function createSource(gateway: Gateway, chain: string): ChainSource {
	function daemon(): DaemonInfo {
		const found = gateway.daemonFor(chain, 'read');
		if (!found)
			throw new SourceError('no-daemon', `No daemon of ${chain} is configured for reading.`);
		return found;
	}

	async function ask(calls: readonly Call[]): Promise<Answer[]> {
		const { body } = await gateway
			.forwardBatch(
				daemon().id,
				calls.map(({ method, params }, id) => ({
					method,
					paramsText: JSON.stringify(params),
					idText: String(id)
				})),
				BACKGROUND
			)
			.catch(unanswered);
		// So that the call that waits behind this one is on its way before this one's answer is read.
		await turn();
		const answers: unknown = JSON.parse(body.toString());
		if (!Array.isArray(answers) || answers.length !== calls.length) {
			throw new SourceError('refused', `${chain} did not answer every call of a batch.`);
		}
		return answers as Answer[];
	}

	async function one(method: DaemonMethod, params: readonly unknown[]): Promise<unknown> {
		const [answer] = await ask([{ method, params }]);
		if (answer!.error) {
			throw new SourceError('refused', `${chain} ${method}: ${answer!.error.message}`);
		}
		return answer!.result;
	}

	return {
		async tip() {
			return String(await one('getbestblockhash', []));
		},
		async height() {
			return Number(await one('getblockcount', []));
		},
		async hashAt(height) {
			const [answer] = await ask([{ method: 'getblockhash', params: [height] }]);
			if (answer!.error?.code === OUT_OF_RANGE) return null;
			if (answer!.error) throw new SourceError('refused', answer!.error.message);
			return String(answer!.result);
		},
		async blocks(from, count) {
			const answers = await ask(
				Array.from({ length: count }, (_, at) => ({
					method: 'getblock' as const,
					params: [String(from + at), 0]
				}))
			);
			const texts: string[] = [];
			for (const { result, error } of answers) {
				if (error) {
					if (texts.length > 0 || error.code === OUT_OF_RANGE) break;
					throw new SourceError('refused', `${chain} getblock: ${error.message}`);
				}
				texts.push(String(result));
			}
			return bytesOf(chain, texts).map(hashBlock);
		},
		async verboseBlock(height) {
			const { body } = await gateway
				.forward(daemon().id, 'getblock', JSON.stringify([String(height), 2]), BACKGROUND)
				.catch(unanswered);
			return resultText(body.toString());
		},
		async notarized(heights) {
			const signers = new Map<string, number[]>();
			if (heights.length === 0) return signers;
			const answers = await ask(
				heights.map((height) => ({ method: 'getNotarisationsForBlock' as const, params: [height] }))
			);
			for (const { result, error } of answers) {
				if (error) throw new SourceError('refused', `${chain} notarizations: ${error.message}`);
				for (const { txid, notaries } of recordsOf(result)) signers.set(txid, notaries);
			}
			return signers;
		}
	};
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
			throw new SourceError('refused', `${chain} getblock gave a text that is not hexadecimal.`);
		}
		at += length;
		return new Uint8Array(whole, at - length, length);
	});
}

/** The text of the member `result`, so that its numbers keep their digits. */
function resultText(body: string): string {
	const start = body.indexOf('"result":');
	const end = body.lastIndexOf(',"error":');
	if (start < 0 || end < start) throw new SourceError('refused', 'The answer holds no result.');
	return body.slice(start + '"result":'.length, end);
}

/** The groups of an answer to `getNotarisationsForBlock` (`KMD`, `LABS`) joined. */
function recordsOf(result: unknown): { txid: string; notaries: number[] }[] {
	if (typeof result !== 'object' || result === null) return [];
	return Object.values(result as Record<string, unknown>)
		.filter(Array.isArray)
		.flat()
		.filter(
			(record): record is { txid: string; notaries: number[] } =>
				typeof record === 'object' && record !== null && 'txid' in record && 'notaries' in record
		);
}
