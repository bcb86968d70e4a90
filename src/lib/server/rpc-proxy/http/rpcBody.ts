/** Reads the body of a call, as far as its sender and its method may go. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { daemonMethods, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { paramFacts } from '#lib/rpc/daemon/parameters.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { BodyMeter, type ShapeFault, type ShapeLimits } from './bodyMeter.ts';

export interface RpcBodyLimits extends ShapeLimits {
	bytes: number;
	/** The same where a parameter of the method is hex. */
	hexBytes: number;
}

export type RpcBodyFault = ShapeFault | 'too-large' | 'not-utf8';

/** Why a body was not taken. */
interface NoBody {
	fault: RpcBodyFault | 'over-budget';
}

/**
 * A transaction has at most 200,000 bytes (consensus rule of the chains), so 400,000 digits: one call, with
 * all that belongs to it, fits into the small limit, and a batch of some into the large one. Komodo daemon
 * 0.9.0 itself takes 32 MiB.
 */
export const RPC_BYTES = { bytes: 1024 * 1024, hexBytes: 2 * 1024 * 1024 };

/** The methods that take a transaction, a script or a proof as hex. */
export const HEX_METHODS: ReadonlySet<string> = new Set(
	(Object.keys(daemonMethods) as DaemonMethod[]).filter((method) =>
		daemonMethods[method].params.some(({ name }) => paramFacts(method, name)?.format === 'hex')
	)
);

/** Whether a body can be read as it comes. */
export const isPlain = ({ headers }: IncomingMessage): boolean =>
	/^(?:identity)?$/i.test(headers['content-encoding'] ?? '');

/** What a body may cost beside its size. */
interface BodyRules {
	limits: RpcBodyLimits;
	/** Whether a call of one of these methods may have the large size; none was seen yet when there are none. */
	mayBeLarge: (methods: ReadonlySet<string>) => boolean;
	/** Takes bytes off the sender's budget; false when that was too much. */
	charge: (bytes: number) => Promise<boolean>;
}

/**
 * The text of a body, or why it is not taken. Not a byte is read of one whose length says enough; of others
 * no more than the piece that goes beyond a limit. Events, because reading it as a stream costs more than the
 * rest of a small call.
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
		if (tooLarge(Number(length))) return { fault: 'too-large' };
		if (!(await charge(Number(length)))) return { fault: 'over-budget' };
	}
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let size = 0;
		const stop = (fault: NoBody['fault']): void => {
			request.removeAllListeners('data');
			request.pause();
			resolve({ fault });
		};
		request.on('data', (chunk: Buffer) => {
			size += chunk.length;
			if (tooLarge(size)) return stop('too-large');
			const fault = meter.feed(chunk);
			if (fault !== null) return stop(fault);
			chunks.push(chunk);
			if (length !== undefined) return;
			// What does not say how long it is costs as it comes.
			charge(chunk.length).then((within) => {
				if (!within) stop('over-budget');
			}, reject);
		});
		request.once('end', () => {
			const [only] = chunks;
			const body = chunks.length === 1 && only ? only : Buffer.concat(chunks, size);
			// The method may stand behind its parameters.
			const seen = meter.methods.size > 0 && mayBeLarge(meter.methods);
			const misplaced = size > limits.bytes && !seen;
			if (misplaced) return resolve({ fault: 'too-large' });
			// Read all the same, other characters would take the place of its own, in what is signed or sent, too.
			resolve(isUtf8(body) ? body.toString('utf8') : { fault: 'not-utf8' });
		});
		request.once('error', reject);
		request.once('close', () => {
			if (!request.complete) reject(new AppError('api.caller-gone'));
		});
	});
}
