/** Refusals that prove that a daemon did nothing, so that what was counted for the call can be given back. */
import { inBandError } from '#lib/rpc/codec.ts';
import { daemonMethods, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { recognizeError } from '#lib/rpc/errors/index.ts';
import { isInternal } from '../../chains/daemon/lookup.ts';
import { readEnvelope } from '../../chains/daemon/result.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { composes } from './composedSends.ts';

/** Longer responses are not parsed. */
const MOST_READ = 16 * 1024;

/**
 * Whether a response proves that the daemon made no transaction and no signature for this call. Only known errors
 * prove it: an unknown one may come after the wallet stored the transaction. Bytes that the caller sent prove
 * nothing, because the daemon has them.
 */
export function isProvenRefusal(method: DaemonMethod, body: Buffer): boolean {
	if (!composes(method) && method !== 'signmessage') return false;
	if (body.length > MOST_READ) return false;
	try {
		const said = readEnvelope({ body });
		if (said.kind === 'error' && isInternal(said.code)) return false;
		const message =
			said.kind === 'error' ? said.message : inBandError(daemonMethods[method], said.result);
		const known = message === null ? null : recognizeError(method, message);
		return known !== null && known.code !== 'transactions.kept-by-wallet';
	} catch (error) {
		if (isAppError(error, 'answer.no-envelope')) return false;
		throw error;
	}
}
