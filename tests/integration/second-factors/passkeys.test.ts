import { beforeEach, expect, test } from 'vitest';
import type { Account } from '#lib/server/access/identity/identity.ts';
import { CHALLENGE_LIFETIME } from '#lib/server/access/second-factors/challenges.ts';
import {
	passkeyAfterPassword,
	passkeyConfirmation,
	passkeyLogin
} from '#lib/server/access/second-factors/passkeys.ts';
import { passkeyPlace } from '#lib/server/access/second-factors/passkeySite.ts';
import { makePasskey } from '../../support/authenticator.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver, signInAs } from '../../support/members.ts';
import { shared } from '../../support/shared.ts';
import {
	addApp,
	addPasskey as addPasskeyTo,
	BROWSER,
	codeAt,
	enterPassword,
	sessionOf
} from './support.ts';

const WRONG = { code: 'factor.wrong-passkey' };
const OVER = { code: 'factor.set-up-over' };
const SITE = { origin: 'http://localhost:3000', rpId: 'localhost' };

test('passkeys are where browsers have them: at the public address under https, else at localhost', () => {
	const at = (host: string | null, origin: string | null = null) => {
		const { site, off } = passkeyPlace(host, origin);
		return off ?? `${site.rpId} ${site.origin}`;
	};
	expect(at('localhost:3000')).toBe('localhost http://localhost:3000');
	expect(at('Localhost')).toBe('localhost http://localhost');
	expect(at('127.0.0.1:3000')).toBe('address');
	expect(at('[::1]:3000')).toBe('address');
	expect(at('192.168.1.5')).toBe('address');
	expect(at('nas.lan:3000')).toBe('insecure');
	expect(at('nas.lan', 'http://nas.lan')).toBe('insecure');
	expect(at(null)).toBe('insecure');
	const origin = 'https://deck.example.org';
	expect(at('Deck.example.org', origin)).toBe(`deck.example.org ${origin}`);
	expect(at('deck.example.org:8443', `${origin}:8443`)).toBe(`deck.example.org ${origin}:8443`);
	// The caller chooses the Host header, and localhost is always accepted.
	expect(at('localhost', origin)).toBe('elsewhere');
	expect(at('nas.lan', origin)).toBe('elsewhere');
	expect(at('203.0.113.5', 'https://203.0.113.5')).toBe('address');
	expect(at('[2001:db8::1]', 'https://[2001:db8::1]')).toBe('address');
});

describeOnBothDatabases('passkeys', (database) => {
	const auth = shared(() => authOver(database, { clock: () => now }));
	let ada: Account;
	let now = Date.now();
	let network = 0;

	beforeEach(async () => {
		now = Date.now();
		ada = await addPerson(database, 'admin');
	});

	const elsewhere = (): string => `198.51.${(network += 1)}.1`;
	const actionsOf = async (account: Account): Promise<string[]> =>
		(await auth.audit.list({ actor: account.name })).map(({ action }) => action);

	const addPasskey = (account: Account, session?: string, name?: string) =>
		addPasskeyTo(auth, account, { site: SITE, session, name });

	const password = (account: Account): Promise<string> => enterPassword(auth, account, elsewhere());
	const finish = (loginId: string, passkey: string) =>
		auth.finish({
			loginId,
			factor: { passkey, site: SITE },
			address: elsewhere(),
			userAgent: BROWSER,
			device: () => null
		});
	/** A login by passkey alone, in the browser with this cookie. */
	const asked = (cookie = 'a cookie') => auth.factors.passkeys.begin(passkeyLogin(cookie, SITE));
	const enter = (answer: string, cookie = 'a cookie', site: typeof SITE | null = SITE) =>
		auth.signInByPasskey({
			answer,
			cookie,
			site,
			address: elsewhere(),
			userAgent: BROWSER,
			device: () => null,
			previousSessionId: null
		});

	test('a passkey is made for its member, verified and discoverable, under a name, next to others', async () => {
		const other = await signInAs(auth, ada);
		const session = await signInAs(auth, ada);
		const { passkey, codes, idHash } = await addPasskey(ada, session, ' laptop ');
		expect(codes).toHaveLength(10);
		expect(await auth.sessions.validate(other)).toBeNull();
		now += 1_000;
		const given = { idHash, name: 'key', site: SITE };
		const options = await auth.factors.beginPasskey(ada, given);
		expect(options).toMatchObject({
			rp: { id: 'localhost' },
			attestation: 'none',
			authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
			excludeCredentials: [{ id: passkey.id, transports: ['internal'] }]
		});
		const { answer } = makePasskey(options, SITE.origin);
		const added = await auth.factors.addPasskey(ada, { idHash, answer, site: SITE });
		expect(added.codes).toBeNull();
		const { factors } = await auth.factors.of(ada);
		expect(factors.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
			'passkey laptop',
			'passkey key'
		]);
		await expect(auth.factors.beginPasskey(ada, { ...given, name: ' ' })).rejects.toMatchObject({
			code: 'factor.name'
		});
		await expect(auth.factors.beginPasskey(ada, { ...given, site: null })).rejects.toMatchObject({
			code: 'factor.no-passkeys'
		});
	});

	test('the set-up takes one answer to its own challenge, of a verified person, at this site, in this session', async () => {
		const session = await signInAs(auth, ada);
		const { idHash } = await sessionOf(auth, session);
		const begin = () => auth.factors.beginPasskey(ada, { idHash, name: 'laptop', site: SITE });
		const add = (answer: string, more: { idHash?: string } = {}) =>
			auth.factors.addPasskey(ada, { idHash, answer, site: SITE, ...more });
		for (const how of [
			{ verified: false },
			{ origin: 'http://localhost:4000' },
			{ rpId: 'evil.example' }
		]) {
			const { answer } = makePasskey(await begin(), SITE.origin, how);
			await expect(add(answer), JSON.stringify(how)).rejects.toMatchObject(OVER);
		}
		const other = await sessionOf(auth, await signInAs(auth, ada));
		const elsewhereMade = makePasskey(await begin(), SITE.origin);
		await expect(add(elsewhereMade.answer, { idHash: other.idHash })).rejects.toMatchObject(OVER);
		const late = makePasskey(await begin(), SITE.origin);
		now += CHALLENGE_LIFETIME['passkey-set-up'];
		await expect(add(late.answer)).rejects.toMatchObject(OVER);
		for (const nothing of ['', 'null', '{}', '[]', late.answer.replace('public-key', 'password')]) {
			await expect(add(nothing)).rejects.toMatchObject(OVER);
		}
		const { answer } = makePasskey(await begin(), SITE.origin);
		const two = await Promise.allSettled([add(answer), add(answer)]);
		expect(two.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
		// The same passkey with the challenge of another member.
		const eve = await addPerson(database, 'viewer');
		const theirs = await sessionOf(auth, await signInAs(auth, eve));
		const hers = await auth.factors.beginPasskey(eve, {
			idHash: theirs.idHash,
			name: 'mine',
			site: SITE
		});
		const copied = JSON.parse(answer) as { response: { clientDataJSON: string } };
		copied.response.clientDataJSON = Buffer.from(
			JSON.stringify({
				type: 'webauthn.create',
				challenge: hers.challenge,
				origin: SITE.origin
			})
		).toString('base64url');
		await expect(
			auth.factors.addPasskey(eve, {
				idHash: theirs.idHash,
				answer: JSON.stringify(copied),
				site: SITE
			})
		).rejects.toMatchObject({ code: 'factor.passkey-known' });
	});

	test('after the password a passkey begins the session, once', async () => {
		const { passkey } = await addPasskey(ada);
		const login = await password(ada);
		const options = await auth.factors.passkeys.begin(passkeyAfterPassword(login, ada, SITE));
		expect(options).toMatchObject({
			rpId: 'localhost',
			userVerification: 'required',
			allowCredentials: [{ id: passkey.id }]
		});
		const answer = passkey.sign(options);
		const { sessionId } = await finish(login, answer);
		expect(await sessionOf(auth, sessionId)).toMatchObject({ hasFactor: true });
		await expect(finish(await password(ada), answer)).rejects.toMatchObject(WRONG);
		// For another login of the same member, and with another member's passkey.
		const first = await password(ada);
		const second = await password(ada);
		const asked = await auth.factors.passkeys.begin(passkeyAfterPassword(first, ada, SITE));
		await expect(finish(second, passkey.sign(asked))).rejects.toMatchObject(WRONG);
		const eve = await addPasskey(await addPerson(database, 'viewer'));
		await expect(finish(first, eve.passkey.sign(asked))).rejects.toMatchObject(WRONG);
		await expect(finish(first, passkey.sign(asked))).resolves.toBeTruthy();
		expect(await actionsOf(ada)).toEqual(
			expect.arrayContaining(['factor.added', 'factor.used', 'factor.refused', 'sign-in'])
		);
	});

	test('a passkey confirms its session, and signs for nothing else', async () => {
		const { passkey, idHash } = await addPasskey(ada);
		const who = { account: ada, address: elsewhere(), idHash };
		const confirm = (answer: string, hash = idHash) =>
			auth.confirmByFactor({ ...who, idHash: hash, factor: { passkey: answer, site: SITE } });
		await auth.sessions.confirm(idHash, database.db, 1);
		const challenge = () => auth.factors.passkeys.begin(passkeyConfirmation(idHash, ada, SITE));
		const answer = passkey.sign(await challenge());
		const { sessionId: other } = await enter(passkey.sign(await asked()));
		await expect(confirm(answer, (await sessionOf(auth, other)).idHash)).rejects.toMatchObject(
			WRONG
		);
		// The other login increased the counter, so this signature is behind.
		await expect(confirm(answer)).rejects.toMatchObject(WRONG);
		const again = passkey.sign(await challenge());
		await confirm(again);
		await expect(confirm(again)).rejects.toMatchObject(WRONG);
		for (const ceremony of [
			passkeyLogin('a cookie', SITE),
			passkeyAfterPassword(await password(ada), ada, SITE)
		]) {
			const signed = passkey.sign(await auth.factors.passkeys.begin(ceremony));
			await expect(confirm(signed)).rejects.toMatchObject(WRONG);
		}
		await expect(enter(passkey.sign(await challenge()))).rejects.toMatchObject(WRONG);
	});

	test('a passkey alone logs in: in its browser, in its time, once, with its person verified at this site', async () => {
		const { passkey } = await addPasskey(ada);
		const options = await asked();
		expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
		expect(options.allowCredentials).toBeUndefined();
		const answer = passkey.sign(options);
		await expect(enter(answer, 'another cookie')).rejects.toMatchObject(WRONG);
		await expect(enter(answer, 'a cookie', null)).rejects.toMatchObject(WRONG);
		const both = await Promise.allSettled([enter(answer), enter(answer)]);
		expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
		await expect(enter(answer)).rejects.toMatchObject(WRONG);
		for (const how of [
			{ verified: false },
			{ origin: 'http://localhost:4000' },
			{ origin: 'https://evil.example' },
			{ rpId: 'evil.example' },
			{ id: Buffer.alloc(32).toString('base64url') }
		]) {
			const wrong = passkey.sign(await asked(), how);
			await expect(enter(wrong), JSON.stringify(how)).rejects.toMatchObject(WRONG);
		}
		const late = passkey.sign(await asked());
		now += CHALLENGE_LIFETIME['passkey-login'];
		await expect(enter(late)).rejects.toMatchObject(WRONG);
		const { sessionId } = await enter(passkey.sign(await asked()));
		const session = await sessionOf(auth, sessionId);
		expect(session).toMatchObject({ hasFactor: true, setUpOnly: false });
		const [signedIn] = await auth.audit.list({ actor: ada.name, action: 'sign-in' });
		expect(signedIn?.detail).toMatchObject({ how: 'passkey', factor: true });
	});

	test('a count that goes back is refused and on record; passkeys that do not count go on', async () => {
		const { passkey } = await addPasskey(ada);
		await enter(passkey.sign(await asked(), { count: 7 }));
		for (const count of [7, 3, 0]) {
			const signed = passkey.sign(await asked(), { count });
			await expect(enter(signed)).rejects.toMatchObject(WRONG);
		}
		const [refused] = await auth.audit.list({ actor: ada.name, action: 'sign-in.refused' });
		expect(refused?.detail).toMatchObject({ reason: 'counter' });
		const two = [passkey.sign(await asked(), { count: 8 }), passkey.sign(await asked())];
		await enter(two[1]!);
		await expect(enter(two[0]!)).rejects.toMatchObject(WRONG);
		const bob = await addPerson(database, 'viewer');
		const plain = await addPasskey(bob);
		await enter(plain.passkey.sign(await asked(), { count: 0 }));
		await enter(plain.passkey.sign(await asked(), { count: 0 }));
	});

	test('a disabled member, a closed local login, an unknown passkey and a wrong signature get one answer', async () => {
		const bob = await addPerson(database, 'operator');
		const { passkey } = await addPasskey(bob);
		const own = await addPasskey(ada);
		const said = async (answer: string): Promise<unknown> =>
			enter(answer).then(
				() => 'in',
				({ code, message, status }: { code: string; message: string; status: number }) => ({
					code,
					message,
					status
				})
			);
		await auth.settings.change(ada, {
			'local-login': 'break-glass',
			'break-glass-admin': ada.name
		});
		const closed = await said(passkey.sign(await asked()));
		expect(await said(own.passkey.sign(await asked()))).toBe('in');
		await auth.settings.change(ada, { 'local-login': 'open', 'break-glass-admin': '' });
		await auth.members.disable(ada, bob.id);
		const disabled = await said(passkey.sign(await asked()));
		const unknown = await said(
			passkey.sign(await asked(), { id: Buffer.alloc(32).toString('base64url') })
		);
		const wrong = await said(passkey.sign(await asked(), { id: own.passkey.id }));
		expect(closed).toMatchObject(WRONG);
		expect([disabled, unknown, wrong]).toEqual([closed, closed, closed]);
		const reasons = (await auth.audit.list({ action: 'sign-in.refused', limit: 4 })).map(
			({ actor, detail }) => [actor, detail['reason']]
		);
		expect(reasons).toEqual([
			[ada.name, 'passkey'],
			['visitor', 'passkey'],
			[bob.name, 'disabled'],
			[bob.name, 'closed']
		]);
	});

	test('tries with one passkey are slowed down, whether it is anybody’s or not', async () => {
		const { passkey } = await addPasskey(ada);
		const address = elsewhere();
		const answersOf = async (id: string): Promise<string[]> => {
			const seen: string[] = [];
			for (let i = 0; i < 8; i += 1) {
				const answer = passkey.sign(await asked(), { id, verified: false });
				seen.push(
					await auth
						.signInByPasskey({
							answer,
							cookie: 'a cookie',
							site: SITE,
							address,
							userAgent: null,
							device: () => null,
							previousSessionId: null
						})
						.then(
							() => 'in',
							({ code }: { code: string }) => code
						)
				);
			}
			return seen;
		};
		const known = await answersOf(passkey.id);
		expect(known).toContain('account.throttled');
		expect(await answersOf(Buffer.alloc(20).toString('base64url'))).toEqual(known);
	});

	test('a passkey that was put into the database or given to another member by hand opens nothing', async () => {
		const { db } = database;
		const { passkey } = await addPasskey(ada);
		const eve = await addPerson(database, 'viewer');
		const theirs = await addPasskey(eve);
		const { public_key } = await db
			.selectFrom('second_factors')
			.select('public_key')
			.where('credential_id', '=', theirs.passkey.id)
			.executeTakeFirstOrThrow();
		// An attacker replaces the member's public key.
		await db
			.updateTable('second_factors')
			.set({ public_key })
			.where('credential_id', '=', passkey.id)
			.execute();
		const forged = theirs.passkey.sign(await asked(), { id: passkey.id });
		await expect(enter(forged)).rejects.toMatchObject(WRONG);
		await db
			.updateTable('second_factors')
			.set({ account_id: ada.id })
			.where('credential_id', '=', theirs.passkey.id)
			.execute();
		const login = await password(ada);
		const options = await auth.factors.passkeys.begin(passkeyAfterPassword(login, ada, SITE));
		await expect(finish(login, theirs.passkey.sign(options))).rejects.toMatchObject(WRONG);
		await expect(enter(theirs.passkey.sign(await asked()))).rejects.toMatchObject(WRONG);
		await auth.factors.reset(null, ada.id);
		await auth.factors.reset(null, eve.id);
		await auth.audit.confirmAll('a test');
	});

	test('a removed passkey opens nothing, and an app goes on beside it', async () => {
		const { secret, sessionId, idHash } = await addApp(auth, ada, () => now);
		const { passkey } = await addPasskey(ada, sessionId);
		const { factors } = await auth.factors.of(ada);
		await auth.factors.remove(ada, factors.find(({ kind }) => kind === 'passkey')!.id, idHash);
		await expect(enter(passkey.sign(await asked()))).rejects.toMatchObject(WRONG);
		const login = await password(ada);
		const code = codeAt(secret, now);
		const browser = { address: elsewhere(), userAgent: BROWSER, device: () => null };
		await expect(
			auth.finish({ loginId: login, factor: { code }, ...browser })
		).resolves.toBeTruthy();
	});
});
