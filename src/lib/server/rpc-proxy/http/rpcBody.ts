/** Reads the body of a request, within the limits of its caller and methods. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { daemonMethods, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { paramFacts } from '#lib/rpc/daemon/parameters.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { BodyMeter, type ShapeFault, type ShapeLimits } from './bodyMeter.ts';

export interface RpcBodyLimits extends ShapeLimits {
	bytes: number;
	/** Size limit when a parameter of the method is hex. */
	hexBytes: number;
}

export type RpcBodyFault = ShapeFault | 'too-large' | 'not-utf8';

/** Reason why a body was refused. */
interface NoBody {
	fault: RpcBodyFault | 'over-budget';
	/** Bytes that were read. */
	size: number;
}

/**
 * Size limits. A transaction has at most 200,000 bytes (consensus rule of the chains), so 400,000 hex digits:
 * one call with everything that belongs to it fits the small limit, and a batch of several the large one.
 * Komodo daemon 0.9.0 itself accepts 32 MiB.
 */
export const RPC_BYTES = { bytes: 1024 * 1024, hexBytes: 2 * 1024 * 1024 };

/** Methods that take a transaction, a script or a proof as hex. */
export const HEX_METHODS: ReadonlySet<string> = new Set(
	(Object.keys(daemonMethods) as DaemonMethod[]).filter((method) =>
		daemonMethods[method].params.some(({ name }) => paramFacts(method, name)?.format === 'hex')
	)
);

/** Whether the body has no content encoding. */
export const isPlain = ({ headers }: IncomingMessage): boolean =>
	/^(?:identity)?$/i.test(headers['content-encoding'] ?? '');

/** Limits for reading a body. */
interface BodyRules {
	limits: RpcBodyLimits;
	/**
	 * Whether a call of one of these methods may use the large limit; the set is empty while no method was
	 * seen.
	 */
	mayBeLarge: (methods: ReadonlySet<string>) => boolean;
	/** Charges bytes to the caller's budget; returns false when it is exceeded. */
	charge: (bytes: number) => Promise<boolean>;
}

/**
 * Returns the text of a body, or the reason to refuse it. A body whose Content-Length exceeds a limit is not
 * read at all, others only up to the piece that exceeds one. Uses events, because the stream interface costs
 * more than the rest of a small call.
 */
export async function readRpcBody(
	request: IncomingMessage,
	{ limits, mayBeLarge, charge }: BodyRules
): Promise<string | NoBody> {
	const meter = new BodyMeter(limits);
	const tooLarge = (size: number): boolean =>
		size > limits.hexBytes || (size > limits.bytes && !mayBeLarge(meter.methods));
	const { 'content-length': length } = request.headers;
	if (length !== undefined) {
		if (tooLarge(Number(length))) return { fault: 'too-large', size: 0 };
		if (!(await charge(Number(length)))) return { fault: 'over-budget', size: 0 };
	}
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let size = 0;
		const stop = (fault: NoBody['fault']): void => {
			request.removeAllListeners('data');
			request.pause();
			resolve({ fault, size });
		};
		request.on('data', (chunk: Buffer) => {
			size += chunk.length;
			if (tooLarge(size)) return stop('too-large');
			const fault = meter.feed(chunk);
			if (fault !== null) return stop(fault);
			chunks.push(chunk);
			if (length !== undefined) return;
			// Without Content-Length, bytes are charged as they arrive.
			charge(chunk.length).then((within) => {
				if (!within) stop('over-budget');
			}, reject);
		});
		request.once('end', () => {
			const [only] = chunks;
			const body = chunks.length === 1 && only ? only : Buffer.concat(chunks, size);
			// The method may come after the parameters.
			const seen = meter.methods.size > 0 && mayBeLarge(meter.methods);
			const misplaced = size > limits.bytes && !seen;
			if (misplaced) return resolve({ fault: 'too-large', size });
			// Decoding invalid UTF-8 would substitute characters, possibly in what is signed or sent.
			resolve(isUtf8(body) ? body.toString('utf8') : { fault: 'not-utf8', size });
		});
		request.once('error', reject);
		request.once('close', () => {
			if (!request.complete) reject(new AppError('api.caller-gone'));
		});
	});
}
