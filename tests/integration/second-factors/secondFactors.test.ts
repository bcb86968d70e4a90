import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { setDisabled } from '#lib/server/access/accounts/accounts.ts';
import { DEVICE_TRIES } from '#lib/server/access/credentials/loginThrottle.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import { guard } from '#lib/server/access/requests/guard.ts';
import { routes } from '#lib/server/access/policy/routes.ts';
import { CHALLENGE_LIFETIME } from '#lib/server/access/second-factors/challenges.ts';
import { ACCOUNT_TRIES } from '#lib/server/access/second-factors/factorCheck.ts';
import type { AppError } from '#lib/server/platform/errors/appError.ts';
import { codeOf } from '../../support/codeOf.ts';
import { describeOnBothDatabases, isWaiting } from '../../support/database.ts';
import {
	addPerson,
	authOver,
	PASSWORD,
	signInAs,
	withSession,
	withToken
} from '../../support/members.ts';
import { shared } from '../../support/shared.ts';
import { addApp, BROWSER, codeAt, enterPassword, sessionOf } from './support.ts';

const WRONG = { code: 'factor.wrong-code' };
const OVER = { code: 'factor.login-over' };

describeOnBothDatabases('second factors', (database) => {
	const auth = shared(() => authOver(database, { clock: () => now }));
	let ada: Account;
	let now = Date.now();
	let network = 0;

	beforeEach(async () => {
		now = Date.now();
		ada = await addPerson(database, 'admin');
	});

	const elsewhere = (): string => `203.0.${(network += 1)}.1`;

	const password = (account: Account): Promise<string> => enterPassword(auth, account, elsewhere());
	const finish = (loginId: string, code: string, userAgent = BROWSER, at = auth) =>
		at.finish({ loginId, factor: { code }, address: elsewhere(), userAgent, device: () => null });
	const actionsOf = async (account: Account): Promise<string[]> =>
		(await auth.audit.list({ actor: account.name })).map(({ action }) => action).toReversed();
	const asked = async (
		headers: { get(name: string): string | null },
		routeId: keyof typeof routes,
		method = 'GET',
		actions: string[] = []
	): Promise<string> => {
		const { refusal } = await guard(auth, routes, {
			routeId,
			method,
			actions,
			named: undefined,
			headers,
			address: '192.0.2.1'
		});
		return refusal?.code ?? 'allowed';
	};
	const withOrigin = (id: string) =>
		withSession(id, { host: 'localhost', origin: 'http://localhost' });

	test('a session that was ended since its request came adds no factor', async () => {
		const { idHash } = await sessionOf(auth, await signInAs(auth, ada));
		const { id, secret } = await auth.factors.beginTotp(ada, idHash);
		await auth.sessions.endOthers(ada, null);
		const given = { idHash, id, name: 'phone', code: codeAt(secret, now) };
		const from = { address: elsewhere(), device: null };
		await expect(auth.factors.addTotp(ada, { ...given, from })).rejects.toMatchObject({
			code: 'factor.set-up-over'
		});
		expect((await auth.factors.of(ada)).factors).toEqual([]);
	});

	test('a session that was ended since its request came renames and removes no factor', async () => {
		const { idHash } = await addApp(auth, ada, () => now);
		const [factor] = (await auth.factors.of(ada)).factors;
		await auth.sessions.endOthers(ada, null);
		expect([
			await codeOf(auth.factors.rename(ada, factor!.id, 'old phone', idHash)),
			await codeOf(auth.factors.remove(ada, factor!.id, idHash))
		]).toEqual(['account.session-ended', 'account.session-ended']);
		expect((await auth.factors.of(ada)).factors).toMatchObject([{ name: 'phone' }]);
	});

	test('the password alone begins no session; the code of the app does, once', async () => {
		const { secret } = await addApp(auth, ada, () => now);
		const first = await password(ada);
		expect(await auth.sessions.list(ada.id)).toHaveLength(1);
		expect(await auth.pendingLogin(first, BROWSER)).toMatchObject({ name: ada.name });
		const code = codeAt(secret, now);
		const { sessionId } = await finish(first, code);
		expect(await sessionOf(auth, sessionId)).toMatchObject({ hasFactor: true, setUpOnly: false });
		await expect(finish(first, codeAt(secret, now + 30_000))).rejects.toMatchObject(OVER);
		await expect(finish(await password(ada), code)).rejects.toMatchObject(WRONG);
		now += 30_000;
		await expect(finish(await password(ada), codeAt(secret, now))).resolves.toBeTruthy();
		const shown = JSON.stringify(await auth.audit.list({ limit: 500 }));
		expect(shown).not.toContain(secret);
		expect(await actionsOf(ada)).toEqual(
			expect.arrayContaining(['factor.added', 'factor.used', 'factor.refused', 'sign-in'])
		);
	});

	test('of two logins with one code, and of two uses of one login, one gets in', async () => {
		const { secret, codes } = await addApp(auth, ada, () => now);
		const code = codeAt(secret, now);
		const two = [await password(ada), await password(ada)];
		const both = await Promise.allSettled(two.map((id) => finish(id, code)));
		expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
		const one = await password(ada);
		const again = await Promise.allSettled([finish(one, codes[0]!), finish(one, codes[1]!)]);
		expect(again.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
	});

	test('a login ends with its time, and is worth nothing in another browser', async () => {
		const { secret } = await addApp(auth, ada, () => now);
		const login = await password(ada);
		await expect(finish(login, codeAt(secret, now), 'another browser')).rejects.toMatchObject(OVER);
		now += CHALLENGE_LIFETIME.login;
		await expect(finish(login, codeAt(secret, now))).rejects.toMatchObject(OVER);
	});

	test('a login that waits for the code ends with the sessions of its member', async () => {
		const bob = await addPerson(database, 'operator');
		const { secret, sessionId } = await addApp(auth, bob, () => now);
		const { idHash } = await sessionOf(auth, sessionId);
		const ends: Readonly<Record<string, () => Promise<unknown>>> = {
			'the member logs out elsewhere': () => auth.sessions.endOthers(bob, idHash),
			'an admin ends them': () => auth.members.endSessions(ada, bob.id),
			'the account is disabled for a moment': async () => {
				await auth.members.disable(ada, bob.id);
				await auth.members.enable(ada, bob.id);
			},
			'the password is changed': () =>
				auth.changePassword({
					account: bob,
					current: PASSWORD,
					next: PASSWORD,
					address: elsewhere(),
					idHash,
					kept: { sessions: [], tokens: [] }
				})
		};
		for (const [what, end] of Object.entries(ends)) {
			const login = await password(bob);
			await end();
			now += 30_000;
			await expect(finish(login, codeAt(secret, now)), what).rejects.toMatchObject(OVER);
		}
		now += 30_000;
		await expect(finish(await password(bob), codeAt(secret, now))).resolves.toBeTruthy();
	});

	test('a login that is finished while the sessions of its member end leaves no session', async () => {
		const bob = await addPerson(database, 'operator');
		const { secret } = await addApp(auth, bob, () => now);
		for (let round = 0; round < 8; round += 1) {
			now += 30_000;
			const login = await password(bob);
			await Promise.allSettled([
				finish(login, codeAt(secret, now)),
				auth.members.endSessions(ada, bob.id)
			]);
			expect(await auth.sessions.list(bob.id)).toHaveLength(0);
		}
	});

	test('a login that is finished while its member is disabled waits for that, and holds it up by nothing', async () => {
		const bob = await addPerson(database, 'operator');
		const { secret } = await addApp(auth, bob, () => now);
		now += 30_000;
		const login = await password(bob);
		const db = await database.openAnother();
		const replica = await authOver({ ...database, db }, { clock: () => now });
		let finishing: Promise<string> | undefined;
		await database.db.transaction().execute(async (trx) => {
			await auth.audit.lock(trx);
			finishing = codeOf(finish(login, codeAt(secret, now), BROWSER, replica).then(() => 'in'));
			await isWaiting(database, trx);
			await setDisabled(trx, bob.id, true);
			await auth.audit.append({ actor: ada.name, action: 'account.disabled' }, trx);
		});
		expect(await finishing).toBe('factor.login-over');
		expect(await auth.sessions.list(bob.id)).toEqual([]);
	});

	test('a recovery code works once, however it is typed, and not for another member', async () => {
		const { codes } = await addApp(auth, ada, () => now);
		expect(codes).toHaveLength(10);
		const eve = await addPerson(database, 'operator');
		await addApp(auth, eve, () => now);
		const [first = ''] = codes;
		await expect(finish(await password(eve), first)).rejects.toMatchObject(WRONG);
		const typed = ` ${first.toUpperCase().replace('-', ' ')} `;
		const two = await Promise.allSettled([
			finish(await password(ada), typed),
			finish(await password(ada), first)
		]);
		expect(two.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
		await expect(finish(await password(ada), first)).rejects.toMatchObject(WRONG);
		expect((await auth.factors.of(ada)).codesLeft).toBe(9);
		const { idHash } = await sessionOf(
			auth,
			await auth.sessions.begin(ada.id, { address: null, userAgent: null })
		);
		await auth.factors.renewCodes(ada, idHash);
		await expect(finish(await password(ada), codes[1]!)).rejects.toMatchObject(WRONG);
	});

	test('a session that was ended since its request came is shown no new recovery codes', async () => {
		const { codes } = await addApp(auth, ada, () => now);
		const { idHash } = await sessionOf(
			auth,
			await auth.sessions.begin(ada.id, { address: null, userAgent: null })
		);
		await auth.members.endSessions(null, ada.id);
		await expect(auth.factors.renewCodes(ada, idHash)).rejects.toMatchObject({
			code: 'account.session-ended'
		});
		await expect(finish(await password(ada), codes[0]!)).resolves.toBeTruthy();
	});

	test('a session that was ended since its request came is not confirmed, and no recovery code is used up', async () => {
		const { codes } = await addApp(auth, ada, () => now);
		const eve = await addPerson(database, 'operator');
		for (const [account, confirm] of [
			[ada, { factor: { code: codes[0]! } }],
			[eve, { password: PASSWORD }]
		] as const) {
			const from = { address: elsewhere(), userAgent: null };
			const { idHash } = await sessionOf(auth, await auth.sessions.begin(account.id, from));
			await auth.members.endSessions(null, account.id);
			const who = { account, idHash, address: from.address };
			const confirming =
				'factor' in confirm
					? auth.confirmByFactor({ ...who, ...confirm })
					: auth.confirm({ ...who, ...confirm });
			await expect(confirming).rejects.toMatchObject({ code: 'account.session-ended' });
			const events = await auth.audit.list({ actor: account.name, limit: 50 });
			expect(events.map(({ action }) => action)).not.toContain('session.confirmed');
		}
		expect((await auth.factors.of(ada)).codesLeft).toBe(10);
	});

	test('codes are guessed no faster from many networks than a member’s hour allows', async () => {
		await addApp(auth, ada, () => now);
		const login = await password(ada);
		const answers: string[] = [];
		for (let i = 0; i <= ACCOUNT_TRIES + 1; i += 1) {
			answers.push(
				await finish(login, '000000').then(
					() => 'in',
					(error: { code: string }) => error.code
				)
			);
		}
		expect(answers.at(-1)).toBe('account.throttled');
		expect(answers).not.toContain('in');
	});

	test('nor in a session that was stolen, which has a few tries of its own', async () => {
		const bob = await addPerson(database, 'operator');
		await addApp(auth, bob, () => now);
		const { idHash } = await sessionOf(
			auth,
			await auth.sessions.begin(bob.id, { address: null, userAgent: null })
		);
		vi.useFakeTimers({ toFake: ['Date'] });
		onTestFinished(() => void vi.useRealTimers());
		const confirm = (address: string): Promise<AppError> =>
			auth.confirmByFactor({ account: bob, address, idHash, factor: { code: '000000' } }).then(
				() => expect.fail('in'),
				(error: unknown) => error as AppError
			);
		let wrong = 0;
		for (let network = 0; network < 60; network += 1) {
			const address = elsewhere();
			let said = await confirm(address);
			if (said.code === 'account.throttled' && (said.retryAfter ?? 0) <= 60) {
				vi.setSystemTime(Date.now() + 1000 * (said.retryAfter ?? 0));
				said = await confirm(address);
			}
			if (said.code === 'factor.wrong-code') wrong += 1;
		}
		expect(wrong).toBeLessThanOrEqual(ACCOUNT_TRIES + DEVICE_TRIES);
	});

	test('the set-up needs a code, is of one session, and is used once; the other sessions end', async () => {
		const other = await signInAs(auth, ada);
		const own = await signInAs(auth, ada);
		const { idHash } = await sessionOf(auth, own);
		const from = { address: elsewhere(), device: null };
		const { id, secret } = await auth.factors.beginTotp(ada, idHash);
		const given = { idHash, id, name: 'phone', code: codeAt(secret, now), from };
		await expect(
			auth.factors.addTotp(ada, { ...given, code: codeAt(secret, now + 3_600_000) })
		).rejects.toMatchObject(WRONG);
		await expect(
			auth.factors.addTotp(ada, { ...given, idHash: (await sessionOf(auth, other)).idHash })
		).rejects.toMatchObject({ code: 'factor.set-up-over' });
		expect((await auth.factors.addTotp(ada, given)).codes).toHaveLength(10);
		await expect(auth.factors.addTotp(ada, given)).rejects.toMatchObject({
			code: 'factor.set-up-over'
		});
		expect(await auth.sessions.validate(other)).toBeNull();
		expect(await auth.sessions.validate(own)).not.toBeNull();
		const { totp_secret } = await database.db
			.selectFrom('second_factors')
			.select('totp_secret')
			.where('account_id', '=', ada.id)
			.executeTakeFirstOrThrow();
		expect(totp_secret).not.toContain(secret);
	});

	test('a required factor opens nothing but its set-up, for the session and for API tokens by the rule', async () => {
		const bob = await addPerson(database, 'viewer');
		const { token } = await auth.tokens.create({ account: bob, name: 'cron', role: 'viewer' }, bob);
		const id = await signInAs(auth, bob);
		await auth.settings.change(ada, { 'factor-viewer': 'required' });
		expect(await asked(withSession(id), '/chains/[chain]')).toBe('factor-needed');
		expect(await asked(withSession(id), '/account')).toBe('factor-needed');
		expect(await asked(withSession(id), '/account/factors')).toBe('allowed');
		expect(await asked(withToken(token), '/chains/[chain]')).toBe('factor-required');
		await auth.settings.change(ada, { 'factor-tokens': 'accepted' });
		expect(await asked(withToken(token), '/chains/[chain]')).toBe('allowed');
		const { sessionId, idHash } = await addApp(auth, bob, () => now);
		expect(await asked(withSession(sessionId), '/account')).toBe('allowed');
		const [factor] = (await auth.factors.of(bob)).factors;
		await expect(auth.factors.remove(bob, factor!.id, idHash)).rejects.toMatchObject({
			code: 'factor.last-required'
		});
		await auth.settings.change(ada, { 'factor-viewer': 'optional', 'factor-tokens': 'refused' });
		await auth.factors.remove(bob, factor!.id, idHash);
		expect(await auth.factors.of(bob)).toMatchObject({ factors: [], codesLeft: 0 });
		await expect(signInAs(auth, bob)).resolves.toBeTruthy();
	});

	test('a member with a factor confirms sends by it and not by the password; one without sends as ever', async () => {
		const { secret, sessionId, idHash } = await addApp(auth, ada, () => now);
		const plain = await signInAs(auth, await addPerson(database, 'operator'));
		const send = (id: string) => asked(withOrigin(id), '/transactions/[id]', 'POST', ['send']);
		expect(await send(sessionId)).toBe('allowed');
		await auth.sessions.confirm(idHash, database.db, Date.now() - 5 * 60_000);
		await auth.sessions.confirm((await sessionOf(auth, plain)).idHash, database.db, 1);
		expect(await send(sessionId)).toBe('confirmation-needed');
		expect(await send(plain)).toBe('allowed');
		expect(await asked(withOrigin(sessionId), '/transactions/[id]', 'POST', ['look'])).toBe(
			'allowed'
		);
		expect(await asked(withOrigin(sessionId), '/admin/members')).toBe('allowed');
		expect(await asked(withOrigin(sessionId), '/admin/members/[id]', 'POST', ['role'])).toBe(
			'confirmation-needed'
		);
		const who = { account: ada, address: elsewhere(), idHash };
		await expect(auth.confirm({ ...who, password: PASSWORD })).rejects.toMatchObject({
			code: 'factor.needed'
		});
		const code = codeAt(secret, now);
		await auth.confirmByFactor({ ...who, factor: { code } });
		expect(await send(sessionId)).toBe('allowed');
		await expect(auth.confirmByFactor({ ...who, factor: { code } })).rejects.toMatchObject(WRONG);
	});

	test('an admin resets the factors of another member, whose sessions end; a factor written by hand is none', async () => {
		const bob = await addPerson(database, 'operator');
		const { secret, sessionId } = await addApp(auth, bob, () => now);
		const { db } = database;
		const login = await password(bob);
		// An attacker with write access to the database replaces the member's app with their own.
		const eve = await addPerson(database, 'viewer');
		const theirs = await addApp(auth, eve, () => now);
		await db
			.updateTable('second_factors')
			.set({ account_id: bob.id })
			.where('account_id', '=', eve.id)
			.execute();
		await expect(finish(login, codeAt(theirs.secret, now))).rejects.toMatchObject(WRONG);
		expect(await auth.factors.reset(ada, bob.id)).toMatchObject({ done: 2 });
		expect(await auth.sessions.validate(sessionId)).toBeNull();
		await expect(finish(login, codeAt(secret, now))).rejects.toMatchObject(OVER);
		await expect(signInAs(auth, bob)).resolves.toBeTruthy();
		expect((await auth.audit.list({ action: 'factor.reset' }))[0]).toMatchObject({
			actor: ada.name,
			target: bob.name
		});
		await auth.factors.reset(null, eve.id);
		await auth.audit.confirmAll('a test');
	});

	test('a member gives a factor another name, on record, and only one of their own', async () => {
		const bob = await addPerson(database, 'operator');
		const { secret, idHash } = await addApp(auth, bob, () => now);
		const { idHash: other } = await addApp(auth, ada, () => now);
		const factorOf = async (who: Account) => (await auth.factors.of(who)).factors[0]!;
		const { id } = await factorOf(bob);
		await auth.factors.rename(bob, id, '  old phone ', idHash);
		expect(await factorOf(bob)).toMatchObject({ id, name: 'old phone' });
		for (const [who, name, code] of [
			[ada, 'mine', 'factor.unknown'],
			[bob, '  ', 'factor.name'],
			[bob, 'x'.repeat(200), 'factor.name']
		] as const) {
			const session = who === bob ? idHash : other;
			await expect(auth.factors.rename(who, id, name, session)).rejects.toMatchObject({ code });
		}
		expect((await auth.audit.list({ action: 'factor.renamed' }))[0]).toMatchObject({
			actor: bob.name,
			detail: { from: 'phone', to: 'old phone' }
		});
		// The row matches the log: it still opens the account.
		now += 30_000;
		await expect(finish(await password(bob), codeAt(secret, now))).resolves.toBeTruthy();
	});

	test('a factor that was deleted by hand opens nothing', async () => {
		const { codes } = await addApp(auth, ada, () => now);
		const { db } = database;
		await db.deleteFrom('second_factors').where('account_id', '=', ada.id).execute();
		await expect(finish(await password(ada), codes[0]!)).resolves.toBeTruthy();
		await db
			.updateTable('accounts')
			.set({ second_factor_at: null })
			.where('id', '=', ada.id)
			.execute();
		await expect(signInAs(auth, ada)).rejects.toMatchObject({ code: 'account.changed-outside' });
		await auth.audit.confirmAll('a test');
	});
});
