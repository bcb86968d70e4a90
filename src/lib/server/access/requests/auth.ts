import type { Database } from '../../platform/database/database.ts';
import { createCipher } from '../../platform/secrets/encrypt.ts';
import type { KeySource } from '../../platform/secrets/secretKey.ts';
import { createBearer, hashAnew } from '../credentials/bearer.ts';
import { createDevices, type Devices } from '../accounts/devices.ts';
import { openKeys, type SecretKeys } from '../accounts/keys.ts';
import { createLinks, type Links } from '../accounts/links.ts';
import { createLocalLogin, type LocalLogin } from '../accounts/localLogin.ts';
import { createLoginThrottle } from '../credentials/loginThrottle.ts';
import { warmUpPasswords } from '../accounts/password.ts';
import { createMembers, type Members } from '../accounts/members.ts';
import { createSessions, type Sessions } from '../accounts/session.ts';
import { createSetup, type Setup } from '../accounts/setup.ts';
import { createSignIn, type SignIn } from '../accounts/signIn.ts';
import { createSignInRefusals } from '../accounts/signInRefusals.ts';
import type { HandsOver } from '../accounts/work.ts';
import { createApiTokens, type ApiTokens } from '../api-tokens/apiTokens.ts';
import { createAudit, type Audit } from '../audit/audit.ts';
import type { ChangeKind } from '../changes/change.ts';
import {
	createLoginCookie,
	createPasskeyCookie,
	type LoginCookie
} from '../second-factors/loginCookie.ts';
import { passkeyPlace, type PasskeyPlace } from '../second-factors/passkeySite.ts';
import { createSecondFactors, type SecondFactors } from '../second-factors/secondFactors.ts';
import { createSecuritySettings, type SecuritySettings } from '../accounts/securitySettings.ts';
import {
	createSingleSignOn,
	type SignOnOptions,
	type SingleSignOn
} from '../single-sign-on/singleSignOn.ts';
import type { AccessTables } from '../tables.ts';
import type { HeaderReader } from '../../platform/http/cookies.ts';
import { createIdentify, type Identify } from './identify.ts';

interface AuthOptions extends KeySource {
	/** Finds the open work of an account, and assigns it to another when the account is disabled. */
	work: HandsOver;
	/** KOMODECK_PUBLIC: visitors may read pages. */
	publicBrowsing: boolean;
	/** Configuration of single sign-on; null: not configured. */
	signOn?: SignOnOptions | null;
	/** KOMODECK_ORIGIN: the public address, where a proxy is in front of the server. */
	origin?: string | undefined;
	/** False: the copy of the audit log in the data folder belongs to another log, and is not touched. */
	keepsCopy?: boolean;
	/** Clock for the time steps of one-time codes, Unix milliseconds. */
	clock?: () => number;
}

/** Authentication and the audit log. */
export interface Auth extends SignIn {
	sessions: Sessions;
	devices: Devices;
	tokens: ApiTokens;
	setup: Setup;
	links: Links;
	members: Members;
	audit: Audit;
	/** Settings of admins about how members sign in. */
	settings: SecuritySettings;
	/** Whether members may log in with credentials of this installation (password, passkey). */
	localLogin: LocalLogin;
	/** Single sign-on; null where it is not configured. */
	signOn: SingleSignOn | null;
	factors: SecondFactors;
	/** The cookie of a login that waits for its second factor. */
	loginCookie: LoginCookie;
	/** The cookie of a browser that logs in by passkey alone. */
	passkeyCookie: LoginCookie;
	/** Whether passkeys work at the address of a request, and for which site. */
	passkeyPlace(headers: HeaderReader): PasskeyPlace;
	identify: Identify;
	publicBrowsing: boolean;
	origin: string | null;
	/** The changes of these parts that can wait for the approval of other admins. */
	changes: readonly ChangeKind[];
	/** Secret keys, from which keys for other purposes are derived. */
	keys: SecretKeys;
}

/** Builds the parts on an open database. */
export async function createAuth(db: Database<AccessTables>, options: AuthOptions): Promise<Auth> {
	const keys = await openKeys(db, options);
	const { dataDir, keepsCopy = true } = options;
	const audit = createAudit(db, keys.audit, keepsCopy ? { dataDir } : {});
	const bearer = createBearer(keys.derive('bearer'));
	await audit.beginRecording((trx) => hashAnew(trx, bearer));
	const throttle = createLoginThrottle(db);
	const settings = createSecuritySettings(db, audit);
	const sessions = createSessions(db, audit, bearer, {
		publicOrigin: options.origin ?? null,
		rule: async () => {
			const values = await settings.values();
			return { idleHours: values['session-idle-hours'], mostDays: values['session-days'] };
		}
	});
	const tokens = createApiTokens({
		db,
		audit,
		bearer,
		lifetimeRule: async (within) => {
			const values = await settings.values(within);
			return { mostDays: values['token-days'], endless: values['token-endless'] === 'allowed' };
		}
	});
	const localLogin = createLocalLogin(settings);
	const links = createLinks({ db, audit, bearer, localLogin });
	const factors = createSecondFactors({
		db,
		audit,
		bearer,
		cipher: createCipher(keys.derive('second factors')),
		throttle,
		settings,
		...(options.clock ? { clock: options.clock } : {})
	});
	const recordRefusal = createSignInRefusals(db, audit);
	const signIn = createSignIn({
		db,
		sessions,
		throttle,
		localLogin,
		factors,
		audit,
		recordRefusal
	});
	await warmUpPasswords();
	await sessions.clearExpired();
	const members = createMembers({
		db,
		audit,
		localLogin,
		work: options.work,
		sessionRule: sessions.rule
	});
	return {
		...signIn,
		sessions,
		devices: createDevices(keys.derive('devices')[0], options.origin ?? null),
		tokens,
		setup: createSetup(db, audit, bearer),
		links,
		members,
		changes: [...members.changes, ...links.changes, ...factors.changes, ...settings.changes],
		audit,
		settings,
		localLogin,
		signOn: options.signOn
			? createSingleSignOn(
					{
						db,
						audit,
						recordRefusal,
						sessions,
						enter: signIn.enter,
						localLogin,
						links,
						key: keys.derive('single sign-on')[0]
					},
					options.signOn
				)
			: null,
		factors,
		loginCookie: createLoginCookie(options.origin ?? null),
		passkeyCookie: createPasskeyCookie(options.origin ?? null),
		passkeyPlace: (headers) => passkeyPlace(headers.get('host'), options.origin ?? null),
		identify: createIdentify(sessions, tokens, settings),
		publicBrowsing: options.publicBrowsing,
		origin: options.origin ?? null,
		keys
	};
}
