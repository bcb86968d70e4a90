import { Secret, TOTP } from 'otpauth';
import type { Account } from '#lib/server/access/identity/identity.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import type { PasskeySite } from '#lib/server/access/second-factors/passkeySite.ts';
import { makePasskey, type TestPasskey } from '../../support/authenticator.ts';
import { identified, PASSWORD, signInAs, withSession } from '../../support/members.ts';

export const BROWSER = 'a browser';

/** One code is valid for this long, and the ones before and after it are accepted too. */
const STEP_MS = 30_000;

/** The code of an app at a moment. */
export const codeAt = (secret: string, timestamp: number): string =>
	new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

/**
 * The code after the one of this moment. It is accepted already, and stays so while a test runs;
 * the code of this moment may have added the app, and the one before it may expire on the way.
 */
export const nextCode = (secret: string): string => codeAt(secret, Date.now() + STEP_MS);

/** The session with an id. */
export async function sessionOf(auth: Auth, id: string) {
	const identity = await identified(auth, withSession(id));
	if (identity.via !== 'session') throw new Error('There is no such session.');
	return identity.session;
}

/**
 * Enters the password, after which a factor is required.
 * @returns the pending login
 */
export async function enterPassword(
	auth: Auth,
	{ name }: Account,
	address: string
): Promise<string> {
	const signedIn = await auth.signIn({
		name,
		password: PASSWORD,
		address,
		userAgent: BROWSER,
		device: null,
		previousSessionId: null
	});
	if (signedIn.needs !== 'factor') throw new Error('The password was enough.');
	return signedIn.loginId;
}

/**
 * Adds an app for a member. By a clock that stands still, the code of the step before adds it, so
 * that the present one is unused; by the running clock, the present one does ({@link nextCode}).
 * @returns its secret, the recovery codes, and the session that added it
 */
export async function addApp(
	auth: Auth,
	account: Account,
	now?: () => number
): Promise<{ secret: string; codes: string[]; sessionId: string; idHash: string }> {
	const sessionId = await signInAs(auth, account);
	const { idHash } = await sessionOf(auth, sessionId);
	const { id, secret } = await auth.factors.beginTotp(account, idHash);
	const { codes } = await auth.factors.addTotp(account, {
		idHash,
		id,
		name: 'phone',
		code: codeAt(secret, now === undefined ? Date.now() : now() - STEP_MS),
		from: { address: '192.0.2.1', device: null }
	});
	return { secret, codes: codes ?? [], sessionId, idHash };
}

/** Adds a passkey for a member, in a new session unless one is given. */
export async function addPasskey(
	auth: Auth,
	account: Account,
	given: { site: PasskeySite; session?: string | undefined; name?: string | undefined }
): Promise<{ passkey: TestPasskey; codes: string[] | null; idHash: string }> {
	const { site, session, name = 'laptop' } = given;
	const { idHash } = await sessionOf(auth, session ?? (await signInAs(auth, account)));
	const options = await auth.factors.beginPasskey(account, { idHash, name, site });
	const { passkey, answer } = makePasskey(options, site.origin);
	const added = await auth.factors.addPasskey(account, { idHash, answer, site });
	return { passkey, idHash, ...added };
}
