import { AppError } from '../../../platform/errors/appError.ts';
import type { Account } from '../../identity/identity.ts';
import { passwordFault } from '../password.ts';
import type { SignInDependencies } from './dependencies.ts';
import { enterFound, type Entered } from './enter.ts';
import { provePassword } from './provePassword.ts';

interface SignInRequest {
	name: string;
	password: string;
	/** IP address of the browser. */
	address: string;
	userAgent: string | null;
	/** Device cookie that shows an earlier sign-in of this browser under the name; see `devices.ts`. */
	device: string | null;
	/** The session id that the browser sent, if any. It ends, which prevents session fixation. */
	previousSessionId: string | null;
}

type SignedIn = Entered & {
	account: Account;
	/** The password would be refused as a new one today: the member should choose another. */
	outdated: boolean;
};

/**
 * Checks name and password and begins a session with a new id, or, where the member has a second factor, a
 * login that waits for it.
 * @throws {AppError} `account.wrong-credentials` (the same for an unknown name, a wrong password, a disabled
 * account, and one for which local login is closed), `account.throttled`
 */
export async function signIn(deps: SignInDependencies, request: SignInRequest): Promise<SignedIn> {
	const found = await provePassword(
		deps,
		request.name,
		request.password,
		request.address,
		request.device
	);
	if (!found) {
		throw new AppError('account.wrong-credentials');
	}
	const { account } = found;
	if (request.previousSessionId !== null) {
		await deps.sessions.end(request.previousSessionId);
	}
	const outdated = passwordFault(request.password, account.name) !== null;
	return {
		account,
		outdated,
		...(await enterFound(deps, found, { ...request, isNew: request.device === null }, outdated))
	};
}
