/** Refused actions in the audit log: each kind once, and within limits. */
import { beforeAll, expect, test } from 'vitest';
import { withinRequest } from '#lib/server/access/audit/context.ts';
import {
	createRefusals,
	MOST_OF_A_REASON,
	type RefusedAct
} from '#lib/server/access/audit/refusals.ts';
import { auditNotice } from '#lib/server/access/notifications/auditNotices.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { unlimitedToken } from '../../support/permissive.ts';
import { addPerson, authOver, bySession } from '../../support/members.ts';
import { shared } from '../../support/shared.ts';

const act = (what: string): RefusedAct => ({
	where: 'call',
	why: 'role',
	what,
	place: 'ALPHA',
	reason: { code: 'role', role: 'viewer', method: what }
});

const BEYOND: RefusedAct = {
	where: 'call',
	why: 'limit',
	what: 'sendtoaddress',
	place: 'ALPHA',
	reason: { code: 'limit', why: { code: 'limit.account-gone', params: {} } }
};

describeOnBothDatabases('refused acts', (database) => {
	let account: Account;
	const counts: string[] = [];
	const rowsOf = (actor: string) => auth.audit.list({ actor, limit: 500 });
	const auth = shared(() => authOver(database));
	beforeAll(async () => {
		account = await addPerson(database, 'viewer');
	});

	test('leave a row at once, and one more for all that followed when the window ends', async () => {
		const refusals = createRefusals({
			audit: auth.audit,
			count: (...labels) => void counts.push(labels.join(' '))
		});
		const token = unlimitedToken('t', 'cron');
		const identity = { via: 'token', account, role: 'viewer', token } as const;
		await withinRequest('first', () => refusals.refused(identity, act('stop')));
		for (let n = 0; n < 2_000; n += 1) {
			await withinRequest(`again-${n}`, () => refusals.refused(identity, act('stop')));
		}
		expect(await rowsOf(account.name)).toMatchObject([
			{
				action: 'call.refused',
				kind: 'access',
				outcome: 'refused',
				target: 'stop',
				place: 'ALPHA',
				request: 'first',
				detail: { why: 'role', via: 'token', reason: 'the role viewer may not call stop' }
			}
		]);
		await refusals.flush();
		const [latest, ...others] = await rowsOf(account.name);
		expect(latest).toMatchObject({ detail: { repeats: 2_000, lastRequest: 'again-1999' } });
		expect(others).toHaveLength(1);
		// A caller who continues gets one event per window, one who stops gets none.
		await refusals.refused(identity, act('stop'));
		await refusals.flush();
		await refusals.flush();
		expect(await rowsOf(account.name)).toHaveLength(3);
		await refusals.flush();
		await refusals.stop();
		expect(await rowsOf(account.name)).toHaveLength(3);
		expect(new Set(counts)).toEqual(new Set(['token call role']));
		expect(counts).toHaveLength(2_002);
	});

	test('of any number of kinds fill no more than a few rows, and each is counted', async () => {
		const other = await addPerson(database, 'viewer');
		const refusals = createRefusals({ audit: auth.audit });
		for (let n = 0; n < 500; n += 1) await refusals.refused(other.name, act(`method-${n}`));
		expect(await rowsOf(other.name)).toHaveLength(MOST_OF_A_REASON);
		await refusals.stop();
		const rows = await rowsOf(other.name);
		expect(rows).toHaveLength(MOST_OF_A_REASON + 1);
		expect(rows[0]?.detail).toMatchObject({ repeats: 500 - MOST_OF_A_REASON });
		expect(await auth.audit.verify()).toMatchObject({ ok: true });
	});

	test('of a token have events and notices of their own beside those of its member and of other tokens', async () => {
		const member = await addPerson(database, 'operator');
		const refusals = createRefusals({ audit: auth.audit });
		const token = (name: string) =>
			({ via: 'token', account: member, role: 'operator', token: unlimitedToken(name) }) as const;
		for (const who of [bySession(member), token('a'), token('b'), token('a')]) {
			await refusals.refused(who, BEYOND);
		}
		// A form passes on the name of its member alone.
		const request = { id: 'r', callerId: null, actor: token('c'), refused: false, acted: false };
		await withinRequest(request, () => refusals.refused(member.name, BEYOND));
		const details = (await rowsOf(member.name)).map(({ detail }) => [
			detail['via'],
			detail['token']
		]);
		expect(details).toEqual([
			['token', 'c'],
			['token', 'b'],
			['token', 'a'],
			['session', undefined]
		]);
	});

	test('without a notice leave those with one their events', async () => {
		const member = await addPerson(database, 'operator');
		const refusals = createRefusals({ audit: auth.audit });
		for (let n = 0; n < MOST_OF_A_REASON; n += 1) {
			await refusals.refused(member.name, act(`method-${n}`));
		}
		await refusals.refused(member.name, BEYOND);
		const [event] = await rowsOf(member.name);
		expect(event).toMatchObject({ target: 'sendtoaddress', detail: { why: 'limit' } });
		expect(auditNotice(event!)).toMatchObject({ message: { code: 'call.refused' } });
	});

	test('that the database could not take are written when it takes them again', async () => {
		const third = await addPerson(database, 'viewer');
		let full = true;
		const refusals = createRefusals({
			audit: {
				append: async (entry) => {
					if (full) throw Object.assign(new Error('full'), { code: '53100' });
					await auth.audit.append(entry);
				}
			}
		});
		await refusals.refused(third.name, act('stop'));
		await refusals.flush();
		expect(await rowsOf(third.name)).toEqual([]);
		full = false;
		await refusals.flush();
		expect(await rowsOf(third.name)).toMatchObject([{ target: 'stop', detail: { repeats: 1 } }]);
	});

	test('of somebody without an account are counted and leave no row', async () => {
		const before = await auth.audit.status();
		const seen: string[] = [];
		const refusals = createRefusals({
			audit: auth.audit,
			count: (...labels) => void seen.push(labels.join(' '))
		});
		refusals.anonymous('page', 'sign-in');
		refusals.anonymous('call', 'credential');
		await refusals.stop();
		expect(seen).toEqual(['stranger page sign-in', 'stranger call credential']);
		expect((await auth.audit.status()).last).toBe(before.last);
	});
});
