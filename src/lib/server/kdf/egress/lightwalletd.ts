/**
 * Probes a lightwalletd server: its last block, then its version, as gRPC over HTTP/2. The service has the
 * name by which the trading node calls it, so that a server that passes is one that it can use.
 */
import { connect, type ClientHttp2Session } from 'node:http2';
import { Collected } from '../../chains/upstream/answers/collected.ts';
import { someAtATime } from '../../platform/async/someAtATime.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import type { Egress } from './egress.ts';
import { inTime } from './inTime.ts';
import { AT_ONCE, MOST_LETTERS, TIMEOUT_MS, type Probe, type ProbeOptions } from './probe.ts';
import { readMessage, type WireMessage } from './protobuf.ts';
import { readUrl, targetText } from './target.ts';

const SERVICE = '/pirate.wallet.sdk.rpc.CompactTxStreamer/';
/** Far more than a height and a version. */
const MOST_BYTES = 64 * 1024;
/** An empty frame of gRPC: a byte for "not compressed", and four bytes with the length 0. */
const EMPTY = Buffer.alloc(5);
/** Field of `BlockID`. */
const HEIGHT_FIELD = 1;
/** Fields of `LightdInfo`. */
const VERSION_FIELD = 1;
const VENDOR_FIELD = 2;

const broken = (server: string, cause?: unknown): AppError =>
	new AppError('egress.broken', { server, how: 'not-lightwalletd' }, { cause });

/** Makes one call without parameters. @throws {AppError} `egress` */
function call(
	session: ClientHttp2Session,
	method: 'GetLatestBlock' | 'GetLightdInfo',
	server: string
): Promise<WireMessage> {
	return new Promise((resolve, reject) => {
		const failed = (cause?: unknown): void => reject(broken(server, cause));
		const request = session.request({
			':method': 'POST',
			':path': `${SERVICE}${method}`,
			'content-type': 'application/grpc',
			te: 'trailers'
		});
		const collected = new Collected(MOST_BYTES);
		let status: unknown = null;
		request.on('response', (headers) => {
			status = headers['grpc-status'] ?? status;
			if (headers[':status'] !== 200) failed();
		});
		request.on('trailers', (trailers) => (status = trailers['grpc-status'] ?? status));
		request.on('data', (chunk: Buffer) => {
			if (collected.add(chunk)) return;
			reject(new AppError('egress.too-large', { server }));
			request.close();
		});
		request.on('error', failed);
		request.on('close', () => failed());
		request.on('end', () => {
			const frame = collected.bytes();
			const isWhole = frame.length >= EMPTY.length && frame[0] === 0;
			const length = isWhole ? frame.readUInt32BE(1) : 0;
			const message =
				isWhole && frame.length === EMPTY.length + length && status === '0'
					? readMessage(frame.subarray(EMPTY.length))
					: null;
			if (message === null) failed();
			else resolve(message);
		});
		request.end(EMPTY);
	});
}

/** Reads height and software of a server. @throws {AppError} `egress` */
async function ask(
	session: ClientHttp2Session,
	server: string
): Promise<{ height: number; software: string }> {
	const block = await call(session, 'GetLatestBlock', server);
	const height = Number(block.get(HEIGHT_FIELD) ?? 0);
	if (!Number.isSafeInteger(height)) throw broken(server);
	// Some servers do not report it; the coin can be activated all the same.
	const info = await call(session, 'GetLightdInfo', server).catch((): WireMessage => new Map());
	const text = (field: number): string => {
		const value = info.get(field);
		return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : '';
	};
	return { height, software: `${text(VENDOR_FIELD)} ${text(VERSION_FIELD)}`.trim() };
}

/** Connects, asks, and closes the connection in every case. @throws {AppError} `egress` */
async function visit(
	egress: Egress,
	url: string,
	timeoutMs: number
): Promise<{ height: number; software: string }> {
	const until = performance.now() + timeoutMs;
	const { url: address, scheme, target } = readUrl(url, ['https', 'http']);
	const server = targetText(target);
	const socket = await egress.dial(target, {
		tls: scheme === 'https',
		protocol: 'h2',
		timeoutMs
	});
	const session = connect(address.origin, { createConnection: () => socket });
	// Each call fails with an error of its stream.
	session.on('error', () => undefined);
	try {
		return await inTime(ask(session, server), until - performance.now(), server);
	} finally {
		session.destroy();
		socket.destroy();
	}
}

/** Probes one server. Never rejects for a failure of the server: that is part of the result. */
async function probeLight(
	egress: Egress,
	url: string,
	{ timeoutMs = TIMEOUT_MS }: Pick<ProbeOptions, 'timeoutMs'> = {}
): Promise<Probe> {
	const began = performance.now();
	const facts = { url, protocol: 'gRPC' as const };
	const ms = (): number => Math.round(performance.now() - began);
	try {
		const { height, software } = await visit(egress, url, timeoutMs);
		const shown = software.slice(0, MOST_LETTERS);
		return {
			...facts,
			ok: true,
			ms: ms(),
			software: shown,
			height,
			reason: null,
			forbidden: false
		};
	} catch (error) {
		if (!isAppError(error, 'egress')) throw error;
		const forbidden = error.code === 'egress.forbidden';
		const { message: reason } = error;
		return { ...facts, ok: false, ms: ms(), software: null, height: null, reason, forbidden };
	}
}

/** Probes all servers, some at a time; results are in the order of the servers. */
export async function probeAllLight(
	egress: Egress,
	urls: readonly string[],
	options: Pick<ProbeOptions, 'timeoutMs'> = {}
): Promise<Probe[]> {
	return someAtATime(urls, AT_ONCE, (url) => probeLight(egress, url, options));
}
