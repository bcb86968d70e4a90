import { actsOutside, type Access } from '#lib/rpc/method.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/**
 * Awaits the answer to a call of a daemon or trading node, and reports a call that changes something outside and
 * may have taken effect, even if it failed.
 * @param onActed called before the answer or the error is passed on
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
