/**
 * Flows: browsers that are at the provider. Only the browser's cookie binds it to its flow. State, nonce and
 * PKCE verifier are derived from the cookie by keys that the database does not hold, and each flow is used
 * once.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { MINUTE_MS } from '#lib/text/units.ts';
import type { Executor } from '../../platform/database/database.ts';
import { sameText } from '../../platform/secrets/sameText.ts';
import type { AccessTables } from '../tables.ts';
import type { FlowSecrets } from './provider.ts';
import type { SignOnFlowsTable } from './tables.ts';

/** How long a browser may be at the provider, in milliseconds. */
export const FLOW_LIFETIME = 10 * MINUTE_MS;
/** Format of the cookie's value: 32 bytes, base64url. */
const COOKIE = /^[A-Za-z0-9_-]{43}$/;

export type FlowPurpose = SignOnFlowsTable['purpose'];

export interface NewFlow {
	purpose: FlowPurpose;
	next: string;
	accountId?: string;
	sessionHash?: string;
	linkId?: string;
}

export type Flow = Selectable<SignOnFlowsTable>;

interface Flows {
	/** Stores a flow. Returns the value for the browser's cookie, which must not be stored or shown. */
	begin(flow: NewFlow): Promise<string>;
	/** Returns a flow whose browser has not come back; null when there is none. */
	open(cookie: string | null): Promise<Flow | null>;
	/** Returns the values that bind the provider's response to the browser. */
	secretsOf(cookie: string): FlowSecrets;
	/**
	 * Uses up the flow of a browser that came back. Null when it has none, has come back before or too late,
	 * or when the state belongs to another browser; in that case the flow stays open.
	 */
	take(cookie: string | null, state: string | null): Promise<Flow | null>;
}

/** @param key 32 bytes, for this purpose alone */
export function createFlows(db: Executor<AccessTables>, key: Uint8Array, now: () => number): Flows {
	const derived = (what: string, cookie: string): string =>
		createHmac('sha256', key)
			.update(JSON.stringify([what, cookie]))
			.digest('base64url');
	const hashOf = (cookie: string): string =>
		createHmac('sha256', key)
			.update(JSON.stringify(['browser', cookie]))
			.digest('hex');
	const secretsOf = (cookie: string): FlowSecrets => ({
		state: derived('state', cookie),
		nonce: derived('nonce', cookie),
		verifier: derived('verifier', cookie)
	});

	/** MAC of a flow's row: a row that is inserted by hand must not sign anyone in. */
	const macOf = (row: Omit<Flow, 'used_at' | 'mac'>): string => {
		const { browser_hash, purpose, account_id, session_hash, link_id, next } = row;
		const bound = [browser_hash, purpose, account_id, session_hash, link_id, next];
		const parts = ['flow', ...bound, String(row.created_at), String(row.expires_at)];
		return createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
	};

	return {
		async begin({ purpose, next, accountId, sessionHash, linkId }) {
			const at = now();
			await db.deleteFrom('sign_on_flows').where('expires_at', '<=', BigInt(at)).execute();
			const cookie = randomBytes(32).toString('base64url');
			const row = {
				browser_hash: hashOf(cookie),
				purpose,
				account_id: accountId ?? null,
				session_hash: sessionHash ?? null,
				link_id: linkId ?? null,
				next,
				created_at: BigInt(at),
				expires_at: BigInt(at + FLOW_LIFETIME)
			};
			await db
				.insertInto('sign_on_flows')
				.values({ ...row, mac: macOf(row) })
				.execute();
			return cookie;
		},

		async open(cookie) {
			if (cookie === null || !COOKIE.test(cookie)) return null;
			const row = await db
				.selectFrom('sign_on_flows')
				.selectAll()
				.where('browser_hash', '=', hashOf(cookie))
				.where('used_at', 'is', null)
				.where('expires_at', '>', BigInt(now()))
				.executeTakeFirst();
			return row && sameText(row.mac, macOf(row)) ? row : null;
		},

		secretsOf,

		async take(cookie, state) {
			if (cookie === null || !COOKIE.test(cookie)) return null;
			if (!sameText(state, secretsOf(cookie).state)) return null;
			const row = await db
				.updateTable('sign_on_flows')
				.set({ used_at: now() })
				.where('browser_hash', '=', hashOf(cookie))
				.where('used_at', 'is', null)
				.where('expires_at', '>', BigInt(now()))
				.returningAll()
				.executeTakeFirst();
			return row && sameText(row.mac, macOf(row)) ? row : null;
		}
	};
}
