/** Sessions of browsers. Most functions are in files of their own. */
import { bindTo } from '../../platform/bind.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Cookie } from '../../platform/http/cookies.ts';
import type { Audit } from '../audit/audit.ts';
import type { AccessTables } from '../tables.ts';
import type { Bearer } from '../credentials/bearer.ts';
import { begin } from './sessions/begin.ts';
import { confirm } from './sessions/confirm.ts';
import { endOne, endOthers, signOut } from './sessions/end.ts';
import { list } from './sessions/list.ts';
import { createLucia } from './sessions/lucia.ts';
import { readSessionId, sessionCookie } from './sessions/sessionCookie.ts';
import type { SessionRule } from './sessions/sessionRule.ts';
import { validate } from './sessions/validate.ts';

interface SessionOptions {
	/** KOMODECK_ORIGIN, when set. */
	publicOrigin: string | null;
	/** How long sessions last; read at each use. */
	rule: () => Promise<SessionRule>;
}

export function createSessions(
	db: Database<AccessTables>,
	audit: Pick<Audit, 'recorded' | 'lock' | 'append'>,
	bearer: Bearer,
	{ publicOrigin, rule }: SessionOptions
) {
	/**
	 * The rule as it was last read. It is current enough for a cookie's lifetime, since a session is begun or
	 * used right before its cookie is set.
	 */
	let latest: SessionRule | null = null;
	const readRule = async (): Promise<SessionRule> => (latest = await rule());
	const lucia = createLucia(db, audit, bearer, readRule);
	const bound = bindTo({ db, audit, bearer, lucia, rule: readRule, latestRule: () => latest });
	return {
		/** How long sessions last now. */
		rule: readRule,
		begin: bound(begin),
		validate: bound(validate),
		confirm: bound(confirm),
		/** Ends the session with this id. */
		end: (id: string): Promise<void> => lucia.invalidateSession(id),
		endOne: bound(endOne),
		signOut: bound(signOut),
		endOthers: bound(endOthers),
		list: bound(list),
		/** Removes expired sessions. */
		clearExpired: (): Promise<void> => lucia.deleteExpiredSessions(),
		read: (headers: { get(name: string): string | null }): string | null =>
			readSessionId(headers, publicOrigin),
		cookie: (id: string, secure: boolean): Cookie =>
			sessionCookie(id, secure, (latest?.idleHours ?? 1) * 60 * 60),
		/** A cookie that deletes the session cookie. */
		blankCookie: (secure: boolean): Cookie => sessionCookie('', secure, 0)
	};
}

export type Sessions = ReturnType<typeof createSessions>;
