import type { Db } from '../db/open.ts';
import { createApiTokens, type ApiTokens } from './apiTokens.ts';
import { createAudit, type Audit } from './audit.ts';
import { createBearer, hashAnew } from './bearer.ts';
import { createDevices, type Devices } from './devices.ts';
import { createIdentify, type Identify } from './identify.ts';
import { createLinks, type Links } from './links.ts';
import { createLoginThrottle } from './loginThrottle.ts';
import { warmUpPasswords } from './password.ts';
import { createPeople, type People } from './people.ts';
import { openKeys, type SecretKeys } from './keys.ts';
import type { KeySource } from './secretKey.ts';
import { createSessions, type Sessions } from './session.ts';
import { createSetup, type Setup } from './setup.ts';
import { createSignIn, type SignIn } from './signIn.ts';

export interface AuthOptions extends KeySource {
	/** KOMODECK_PUBLIC: visitors may read pages. */
	publicBrowsing: boolean;
	/** KOMODECK_ORIGIN: the public address when a proxy stands in front. */
	origin?: string | undefined;
}

/** Everything about who somebody is and what stays on record. */
export interface Auth extends SignIn {
	sessions: Sessions;
	devices: Devices;
	tokens: ApiTokens;
	setup: Setup;
	links: Links;
	people: People;
	audit: Audit;
	identify: Identify;
	publicBrowsing: boolean;
	origin: string | null;
	/** Keys for other purposes. */
	keys: SecretKeys;
}

/** Builds the parts over an open database. */
export async function createAuth(db: Db, options: AuthOptions): Promise<Auth> {
	const keys = await openKeys(db, options);
	const audit = createAudit(db, keys.audit, { dataDir: options.dataDir });
	const bearer = createBearer(keys.derive('bearer'));
	await audit.beginRecording((trx) => hashAnew(trx, bearer));
	const sessions = createSessions(db, audit, bearer, options.origin ?? null);
	const tokens = createApiTokens(db, audit, bearer);
	await warmUpPasswords();
	await sessions.clearExpired();
	return {
		...createSignIn(db, sessions, createLoginThrottle(db), audit),
		sessions,
		devices: createDevices(keys.derive('devices')[0], options.origin ?? null),
		tokens,
		setup: createSetup(db, audit, bearer),
		links: createLinks(db, audit, bearer),
		people: createPeople(db, audit),
		audit,
		identify: createIdentify(sessions, tokens),
		publicBrowsing: options.publicBrowsing,
		origin: options.origin ?? null,
		keys
	};
}
