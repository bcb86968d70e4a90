import { isAppError } from '../../platform/errors/appError.ts';
import { refusalCode } from './refusalCode.ts';

/** A token id that no chain has, for calls that must not build anything. */
export const NO_TOKEN = 'f'.repeat(64);

/**
 * Returns whether a daemon serves token methods. Without `-pubkey`, `-addressindex` or `-spentindex` it refuses
 * all of them with the same error text, which does not say what is missing. (Komodo daemon 0.9.0:
 * `ensure_CCrequirements`.)
 * @param ask calls `tokeninfo` with a token id
 * @throws {AppError} `daemon` when the call fails for another reason
 */
export async function servesTokens(ask: (tokenid: string) => Promise<unknown>): Promise<boolean> {
	try {
		await ask(NO_TOKEN);
		return true;
	} catch (error) {
		if (isAppError(error, 'daemon.in-band-error')) return true;
		if (refusalCode(error) === 'tokens.not-set-up') return false;
		throw error;
	}
}
