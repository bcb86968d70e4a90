/** Probes a node of an EVM chain: its version and its last block, over JSON-RPC. */
import { z } from 'zod';
import { someAtATime } from '../../platform/async/someAtATime.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import type { Egress } from './egress.ts';
import { AT_ONCE, MOST_LETTERS, TIMEOUT_MS, type Probe } from './probe.ts';

/** Far more than a version and a height. */
const MOST_BYTES = 64 * 1024;

const Answer = z.looseObject({ result: z.string() });

/** The errors of a node that gives no result for a method. */
const WITHOUT_RESULT = {
	eth_blockNumber: 'egress.no-evm-node',
	web3_clientVersion: 'egress.no-client-version'
} as const;

type Method = keyof typeof WITHOUT_RESULT;

/** Names only the host: the path may contain a key. */
const withoutResult = (url: string, method: Method, cause?: unknown): AppError =>
	new AppError(WITHOUT_RESULT[method], { host: new URL(url).host }, { cause });

/** Makes one call and returns its result. @throws {AppError} `egress` */
async function ask(egress: Egress, url: string, method: Method): Promise<string> {
	const { status, body } = await egress.http(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
		timeoutMs: TIMEOUT_MS,
		maxBytes: MOST_BYTES
	});
	if (status !== 200) throw withoutResult(url, method);
	let content: unknown;
	try {
		content = JSON.parse(body.toString('utf8'));
	} catch (cause) {
		throw withoutResult(url, method, cause);
	}
	const parsed = Answer.safeParse(content);
	if (!parsed.success) throw withoutResult(url, method);
	return parsed.data.result;
}

/** Probes one node. Never rejects for a failure of the node: that is part of the result. */
async function probeEvm(egress: Egress, url: string): Promise<Probe> {
	const began = performance.now();
	const failed = (error: AppError): Probe => ({
		url,
		protocol: 'HTTP',
		ok: false,
		ms: Math.round(performance.now() - began),
		software: null,
		height: null,
		reason: error.message,
		forbidden: error.code === 'egress.forbidden'
	});
	try {
		const height = Number(await ask(egress, url, 'eth_blockNumber'));
		if (!Number.isSafeInteger(height)) {
			throw withoutResult(url, 'eth_blockNumber');
		}
		// The trading node drops a node of the chain that does not report its version.
		const software = await ask(egress, url, 'web3_clientVersion');
		return {
			url,
			protocol: 'HTTP',
			ok: true,
			ms: Math.round(performance.now() - began),
			software: software.slice(0, MOST_LETTERS),
			height,
			reason: null,
			forbidden: false
		};
	} catch (error) {
		if (!isAppError(error, 'egress')) throw error;
		return failed(error);
	}
}

/** Probes all nodes, some at a time; results are in the order of the nodes. */
export async function probeAllEvm(egress: Egress, urls: readonly string[]): Promise<Probe[]> {
	return someAtATime(urls, AT_ONCE, (url) => probeEvm(egress, url));
}
