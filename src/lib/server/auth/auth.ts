import type { Db } from '../db/open.ts';
import { createApiTokens, type ApiTokens } from './apiTokens.ts';
import { createAudit, type Audit } from './audit.ts';
import { AuthError } from './errors.ts';
import { createIdentify, type Identify } from './identify.ts';
import { createLinks, type Links } from './links.ts';
import { createLoginThrottle } from './loginThrottle.ts';
import { warmUpPasswords } from './password.ts';
import { createPeople, type People } from './people.ts';
import { deriveKey, loadSecretKey } from './secretKey.ts';
import { createSessions, type Sessions } from './session.ts';
import { createSetup, type Setup } from './setup.ts';
import { createSignIn, type SignIn } from './signIn.ts';

export interface AuthOptions {
	dataDir: string;
	/** KOMODECK_SECRET_KEY; without it the key file of the data folder. */
	secretKey?: string | undefined;
	/** KOMODECK_PUBLIC: visitors may read pages. */
	publicBrowsing: boolean;
	/** KOMODECK_ORIGIN: the public address when a proxy stands in front. */
	origin?: string | undefined;
}

/** Everything about who somebody is and what stays on record. */
export interface Auth extends SignIn {
	sessions: Sessions;
	tokens: ApiTokens;
	setup: Setup;
	links: Links;
	people: People;
	audit: Audit;
	identify: Identify;
	publicBrowsing: boolean;
	origin: string | null;
	/** 32 bytes; for sealing other things use `deriveKey(secretKey, purpose)`. */
	secretKey: Uint8Array;
}

/** Builds the parts over an open database. */
export async function createAuth(db: Db, options: AuthOptions): Promise<Auth> {
	const secretKey = loadSecretKey(options.dataDir, options.secretKey);
	const audit = createAudit(db, deriveKey(secretKey, 'audit'), {
		dataDir: options.dataDir
	});
	if (await audit.isForeign()) {
		throw new AuthError(
			'secret-key-invalid',
			'This database was written under another key. Put its secret.key into the data folder, or set KOMODECK_SECRET_KEY to the text that it had; nothing was changed.'
		);
	}
	const sessions = createSessions(db, options.origin ?? null);
	const tokens = createApiTokens(db);
	await warmUpPasswords();
	await sessions.clearExpired();
	return {
		...createSignIn(db, sessions, createLoginThrottle(db), audit),
		sessions,
		tokens,
		setup: createSetup(db, audit),
		links: createLinks(db, audit),
		people: createPeople(db, audit),
		audit,
		identify: createIdentify(sessions, tokens),
		publicBrowsing: options.publicBrowsing,
		origin: options.origin ?? null,
		secretKey
	};
}
