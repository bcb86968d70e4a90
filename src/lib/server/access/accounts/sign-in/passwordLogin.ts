import { AppError } from '../../../platform/errors/appError.ts';
import type { Account } from '../../policy/identity.ts';
import { passwordFault } from '../password.ts';
import type { SignInDependencies } from './dependencies.ts';
import { enterFound, type Entered } from './enter.ts';
import { provePassword } from './provePassword.ts';

interface SignInRequest {
	name: string;
	password: string;
	/** The network address of the browser. */
	address: string;
	userAgent: string | null;
	/** What shows that this browser has signed in under the name before; see `devices.ts`. */
	device: string | null;
	/** The session id that the browser showed, if any: it ends, so that nobody's old id becomes this person's. */
	previousSessionId: string | null;
}

type SignedIn = Entered & {
	account: Account;
	/** The password would be refused as a new one today: its person should choose another. */
	outdated: boolean;
};

/**
 * Checks name and password and begins a session with a new id; where the member has a second factor, only what
 * asks for it.
 *
 * @throws {AppError} `account.wrong-credentials` (the same for an unknown name, a wrong password, a
 *   disabled account, and one for which local login is closed), `throttled`
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
