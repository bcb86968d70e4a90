/** Whether a daemon can be asked for tokens at all, and how its refusals are told apart. */
import { recognizeError, type DaemonErrorCode } from '#lib/rpc/errors/index.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** A token that no chain has: asking for it changes nothing. */
export const NO_TOKEN = 'f'.repeat(64);

/** Whether a daemon refused with these words. */
export const refusesAs = (error: unknown, code: DaemonErrorCode): boolean =>
	isAppError(error, 'daemon.rpc-error') &&
	recognizeError(error.params.method, error.params.rpcMessage ?? '')?.code === code;

/**
 * Whether a daemon serves tokens. Without `-pubkey`, `-addressindex` or `-spentindex` it refuses every method of theirs
 * with one text, which does not say what is missing. (Komodo daemon 0.9.0: `ensure_CCrequirements`.)
 * @param ask asks it for the facts of a token
 * @throws {AppError} `daemon` when it does not answer
 */
export async function servesTokens(ask: (tokenid: string) => Promise<unknown>): Promise<boolean> {
	try {
		await ask(NO_TOKEN);
		return true;
	} catch (error) {
		if (isAppError(error, 'daemon.in-band-error')) return true;
		if (refusesAs(error, 'tokens.not-set-up')) return false;
		throw error;
	}
}
