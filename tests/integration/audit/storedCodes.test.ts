import { expect, test } from 'vitest';
import { auditList } from '#lib/server/access/audit/list.ts';
import type { AuditEntry } from '#lib/server/platform/audit-trail/entry.ts';
import { createLimits } from '#lib/server/access/policy/limits/limits.ts';
import { createPolicies } from '#lib/server/access/policy/rules/policies.ts';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import { listQuery } from '#lib/server/chains/lists/listQuery.ts';
import { auditTargets } from '#lib/server/cross-chain/audit-targets/auditTargets.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver } from '../../support/members.ts';
import { ruleOf } from '../../support/ruledRights.ts';

describeOnBothDatabases('events of changes', (database) => {
	test('hold codes, amounts and ids, and are read as sentences', async () => {
		const { db } = database;
		const { audit, links } = await authOver(database);
		const ada = await addPerson(database, 'admin');
		const eve = await addPerson(database, 'viewer');
		const limits = createLimits(db, audit);
		const policies = createPolicies(db, audit);
		const before = (await audit.status()).last;
		const key = { account: '*', chain: '*', kind: 'coin-send' } as const;
		await limits.set(null, { ...key, most: { count: 3n, amount: 200_000_000n } });
		await limits.setFeeCap(null, '*', 7_000n);
		await createWallets(db, audit).set(null, eve.id, { every: true, daemons: [] });
		await links.invite(ada, { role: 'viewer' });
		const body = ruleOf({
			kind: 'coin-send',
			asset: { is: 'coin', chain: 'ALPHA' },
			who: { is: 'member', account: eve.id },
			over: 100_000_000n
		});
		await policies.change(null, { change: 'add', body });
		await db.updateTable('accounts').set({ role: 'admin' }).where('id', '=', eve.id).execute();
		await audit.confirmAll('a test');

		const rule = `Sends of coins of ALPHA by ${eve.name}, more than 1 ALPHA in one transaction: deny.`;
		const account = `The account ${eve.name} was changed outside of Komodeck: role expected viewer, found admin.`;
		const shown = (await audit.list({ limit: 100 })).filter(({ seq }) => seq > before);
		expect(
			shown.toReversed().map(({ action, target, place, detail }) => ({
				action,
				...(action.startsWith('limit.') ? { target, place } : {}),
				detail
			}))
		).toMatchObject([
			{
				action: 'limit.changed',
				target: 'everyone',
				place: 'every chain',
				detail: {
					chain: 'every chain',
					from: 'none',
					to: '3 in 24 hours, 2.00000000 coins in 24 hours'
				}
			},
			{
				action: 'limit.fee-changed',
				target: 'every chain',
				place: null,
				detail: { from: 'none', to: '0.00007000 coins' }
			},
			{ action: 'wallets.changed', detail: { from: 'none', to: 'every wallet' } },
			{ action: 'invitation.made', detail: { wallets: 'none' } },
			{ action: 'policy.changed', detail: { change: 'add', rule } },
			{ action: 'audit.baseline', detail: { rows: [account] } }
		]);

		const stored = await db
			.selectFrom('audit_events')
			.select(['target', 'place', 'detail'])
			.where('seq', '>', BigInt(before))
			.execute();
		const text = JSON.stringify(stored);
		expect(text).not.toMatch(
			/everyone|every chain|every wallet|\bnone\b|24 hours|coins|Sends|outside of/
		);
		expect(text).toContain('200000000');
		expect(text).toContain(eve.id);

		const query = listQuery(
			auditList,
			undefined,
			new URLSearchParams({ place: 'every chain', action: 'limit.changed' })
		);
		const { rows } = await auditList.read(db, query);
		expect(rows.map(({ target, targetCode }) => [target, targetCode])).toEqual([
			['everyone', 'everyone']
		]);
		const targets = await auditTargets(db, null as never, rows);
		expect([...targets.values()]).toEqual([{ text: 'Everyone', href: '/admin/policies/limits' }]);
	});

	test('of new accounts hold the code of the means', async () => {
		const { db } = database;
		const { audit, links } = await authOver(database);
		const { token } = await links.invite(await addPerson(database, 'admin'), { role: 'viewer' });
		await links.accept(token, { name: 'nora', password: 'correct horse battery staple' });
		const { detail } = await db
			.selectFrom('audit_events')
			.select('detail')
			.where('action', '=', 'account.added')
			.orderBy('seq', 'desc')
			.limit(1)
			.executeTakeFirstOrThrow();
		expect(JSON.parse(detail)).toMatchObject({
			by: { code: 'account-means', params: { means: 'invitation' } }
		});
		const [event] = await audit.list({ action: 'account.added', limit: 1 });
		expect(event?.detail['by']).toBe('invitation');
	});

	test('of many refused requests have one target, also those of early releases', async () => {
		const { db } = database;
		const { audit } = await authOver(database);
		for (const target of ['*', 'many different acts', 'getinfo']) {
			await audit.append({ actor: 'eve', action: 'call.refused', target });
		}
		const targets = await auditTargets(db, null as never, await audit.list({ limit: 3 }));
		expect([...targets.values()].map(({ text }) => text)).toEqual([
			'getinfo',
			'Many different requests',
			'Many different requests'
		]);
	});

	test('of an early release, which hold sentences, are read as they are, about the same targets', async () => {
		const { audit } = await authOver(database);
		const detail = { chain: 'every chain', from: 'none', to: '5 in 24 hours' };
		type Limit = 'limit.changed' | 'limit.fee-changed';
		const read = async (action: Limit, target: string, told: AuditEntry['detail'] & object) => {
			await audit.append({ actor: 'ada', action, target, detail: told });
			const [event] = await audit.list({ limit: 1 });
			const targets = await auditTargets(database.db, null as never, [event!]);
			return { ...event, shown: targets.get(event!.seq)?.text };
		};
		for (const target of ['everyone', 'everybody']) {
			expect(await read('limit.changed', target, detail)).toMatchObject({
				target: 'everyone',
				targetCode: 'everyone',
				place: 'every chain',
				detail,
				shown: 'Everyone'
			});
		}
		const fee = { from: 'none', to: '0.00007000 coins' };
		expect(await read('limit.fee-changed', 'every chain', fee)).toMatchObject({
			targetCode: 'every-chain',
			shown: 'All chains'
		});
		// A member of this name, in an event of this release.
		const most = { code: 'limit', params: { count: '5', amount: null } };
		expect(await read('limit.changed', 'everybody', { to: most })).toMatchObject({
			targetCode: null,
			shown: 'everybody'
		});
	});
});
