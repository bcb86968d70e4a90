/** Claims that a database cannot store as they are, from an issuer that returns any ID token. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VISITOR } from '#lib/server/access/identity/identity.ts';
import { CLIENT_ID, startForgingIssuer, type ForgingIssuer } from '../../attacks/forgingIssuer.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver } from '../../support/members.ts';

const ORIGIN = 'http://localhost:4999';

describeOnBothDatabases('single sign-on with claims that cannot be stored', (database) => {
	let provider: ForgingIssuer;
	beforeAll(async () => {
		provider = await startForgingIssuer();
		await addPerson(database, 'admin');
	});
	afterAll(() => provider?.stop());

	/** Logs in with these claims. @returns the account's id, or the code of the refusal */
	async function logIn(claims: Record<string, unknown>): Promise<string> {
		const config = {
			issuer: provider.issuer,
			clientId: CLIENT_ID,
			clientSecret: 'a secret of the client',
			scopes: 'openid',
			roleClaim: null,
			roles: [],
			accounts: 'first-login',
			label: null,
			domains: []
		} as const;
		const { signOn } = await authOver(database, {
			signOn: { config, origin: ORIGIN, privateServers: [] }
		});
		if (signOn === null) throw new Error('Single sign-on is off.');
		const cookie = await signOn.begin({ purpose: 'sign-in', next: '/' });
		const { searchParams } = new URL((await signOn.urlFor(cookie)) ?? '');
		const nonce = searchParams.get('nonce') ?? '';
		const code = provider.code({ claims: { nonce, ...claims } });
		const finished = await signOn.finish({
			query: new URLSearchParams({
				iss: provider.issuer,
				code,
				state: searchParams.get('state') ?? ''
			}),
			cookie,
			identity: VISITOR,
			address: '192.0.2.7',
			userAgent: null,
			previousSessionId: null,
			device: () => null
		});
		if (finished.kind === 'refused') return finished.error.code;
		return finished.kind === 'signed-in' ? finished.account.id : finished.kind;
	}

	test('a subject that the databases would store as another one logs nobody in', async () => {
		for (const sub of ['member-\ud800', 'member-\ud801', 'member-\0']) {
			expect(await logIn({ sub }), JSON.stringify(sub)).toBe('sign-on.answer-invalid');
		}
		const replaced = await logIn({ sub: 'member-\ufffd' });
		expect(await logIn({ sub: 'member-\ufffd' })).toBe(replaced);
		expect(await database.db.selectFrom('identities').select('subject').execute()).toEqual([
			{ subject: 'member-\ufffd' }
		]);
	});

	test('a session of the provider that the databases would store as another one is not kept', async () => {
		const account = await logIn({ sub: 'member of a session', sid: 'session-\0' });
		const [session] = await database.db
			.selectFrom('sessions')
			.select('provider_session')
			.where('account_id', '=', account)
			.execute();
		expect(session).toEqual({ provider_session: null });
	});
});
