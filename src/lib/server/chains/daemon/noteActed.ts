import { actsOutside, type Access } from '#lib/rpc/method.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/**
 * The answer to a call of a daemon or trading node. Where the call does something that may have been done, that is said,
 * whatever becomes of the answer.
 * @param onActed hears so, before the answer or the error is given
 */
export async function noteActed<T>(
	access: Access,
	answer: Promise<T>,
	onActed: (() => void) | undefined
): Promise<T> {
	const note = (): void => {
		if (actsOutside(access)) onActed?.();
	};
	try {
		const given = await answer;
		note();
		return given;
	} catch (error) {
		if (isAppError(error, 'daemon', 'kdf') && error.params.delivery !== 'not-sent') note();
		throw error;
	}
}
