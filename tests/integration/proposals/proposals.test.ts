import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
	createAccessRequests,
	type AccessRequests
} from '#lib/server/access/access-requests/accessRequests.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import { createLimits, type Limits } from '#lib/server/access/policy/limits/limits.ts';
import { createPolicies, type Policies } from '#lib/server/access/policy/rules/policies.ts';
import type { RuleBody } from '#lib/server/access/policy/rules/rule.ts';
import type { Role } from '#lib/server/access/identity/roles.ts';
import {
	createSafetyControls,
	type SafetyControls
} from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { createWallets, type Wallets } from '#lib/server/access/policy/wallets/wallets.ts';
import type { ChangeOutcome } from '#lib/server/access/changes/change.ts';
import { PROPOSAL_MS } from '#lib/server/access/changes/gate.ts';
import { RETENTION_MS } from '#lib/server/access/approvals/retention.ts';
import { createProposals, type Proposals } from '#lib/server/access/proposals/proposals.ts';
import type { Db } from '#lib/server/database.ts';
import { verb as policyVerb } from '../../../src/cli/verbs/policy.ts';
import { sha256Hex } from '#lib/server/platform/secrets/digest.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { codeOf } from '../../support/codeOf.ts';
import { act, addPerson, authOver, PASSWORD, sessionHashOf } from '../../support/members.ts';
import { removeRules, ruleOf } from '../../support/ruledRights.ts';
import { shared } from '../../support/shared.ts';

const RULE = ruleOf({
	kind: 'coin-send',
	asset: { is: 'coin', chain: 'ALPHA' },
	over: 100_000_000n
});

/** The features that change rights of members, over one connection. */
interface Server {
	policies: Policies;
	limits: Limits;
	wallets: Wallets;
	safety: SafetyControls;
	requests: AccessRequests;
	/** Decides in a session of the member that is begun for it, unless one is given. */
	proposals: Omit<Proposals, 'approve' | 'reject'> & {
		approve(id: string, by: Account, session?: string): Promise<void>;
		reject(id: string, by: Account, reason: string, session?: string): Promise<void>;
	};
}

describeOnBothDatabases('changes that other admins approve', (database) => {
	const auth = shared(() => authOver(database));
	let here: Server;
	/** The same features in another server over the same database. */
	let elsewhere: Server;
	let ada: Account;
	let bob: Account;
	let eve: Account;
	let member: Account;
	let ahead = 0;
	const clock = (): number => Date.now() + ahead;

	function serverOver(db: Db): Server {
		const { audit, members } = auth;
		const policies = createPolicies(db, audit);
		const limits = createLimits(db, audit);
		const wallets = createWallets(db, audit);
		const safety = createSafetyControls(db, audit);
		const requests = createAccessRequests({ db, audit, members });
		const kinds = [
			...auth.changes,
			...[policies, limits, wallets, safety, requests].flatMap(({ changes }) => changes)
		];
		const decided = createProposals({ db, audit, kinds, clock });
		const proposals: Server['proposals'] = {
			...decided,
			approve: async (id, by, session) =>
				decided.approve(id, by, session ?? (await sessionHashOf(database, auth, by))),
			reject: async (id, by, reason, session) =>
				decided.reject(id, by, reason, session ?? (await sessionHashOf(database, auth, by)))
		};
		return { policies, limits, wallets, safety, requests, proposals };
	}

	const need = (admins: number): Promise<unknown> =>
		auth.settings.change(null, { 'change-approvals': admins });

	beforeAll(async () => {
		here = serverOver(database.db);
		elsewhere = serverOver(await database.openAnother());
	});
	beforeEach(async () => {
		ahead = 0;
		await need(0);
		await here.proposals.sweep();
		for (const { id, role } of await auth.members.list()) {
			if (role === 'admin') await auth.members.setRole(null, id, 'viewer').catch(() => undefined);
		}
		[ada, bob, eve] = [
			await addPerson(database, 'admin'),
			await addPerson(database, 'admin'),
			await addPerson(database, 'admin')
		];
		for (const { id, name, role } of await auth.members.list()) {
			const stays = [ada, bob, eve].some((admin) => admin.name === name);
			if (role === 'admin' && !stays) await auth.members.setRole(null, id, 'viewer');
		}
		member = await addPerson(database, 'viewer');
		await removeRules(here.policies);
		await here.safety.turnOff('freeze', null);
		await need(1);
	});

	const personOf = async ({ id }: Account) =>
		(await auth.members.list()).find((person) => person.id === id)!;
	const roleOf = async (account: Account): Promise<string> => (await personOf(account)).role;
	const stateOf = async (id: string): Promise<string> => (await here.proposals.get(id))!.state;
	const proposed = async (act: Promise<ChangeOutcome<unknown>>): Promise<string> =>
		(await act).proposal ?? 'applied';
	const actionsOn = async (target: string): Promise<string[]> =>
		(await auth.audit.list({ limit: 100 }))
			.filter((event) => event.target === target)
			.map(({ action, actor }) => `${actor} ${action}`)
			.toReversed();

	/**
	 * Expects that a change waits, changes nothing meanwhile, and takes effect once with the approval of
	 * another admin.
	 */
	async function waitsAndTakesEffect(
		change: () => Promise<{ proposal: string | null }>,
		state: () => Promise<unknown>,
		after: unknown
	): Promise<void> {
		const before = await state();
		expect(before).not.toEqual(after);
		const { proposal } = await change();
		expect(proposal).not.toBeNull();
		expect(await state()).toEqual(before);
		await here.proposals.sweep();
		expect(await stateOf(proposal!)).toBe('open');
		await here.proposals.approve(proposal!, bob);
		expect(await state()).toEqual(after);
		expect(await stateOf(proposal!)).toBe('done');
		expect(await codeOf(here.proposals.approve(proposal!, eve))).toBe('change.closed');
		expect(await state()).toEqual(after);
		expect(await auth.audit.recorded.differences()).toEqual([]);
	}

	test('rules are added, changed, moved and removed once another admin approved', async () => {
		const { policies } = here;
		const effects = async () =>
			(await policies.list()).map(({ kind, effect }) => `${kind} ${effect.is}`);
		const add = (body: RuleBody) => () => policies.change(ada, { change: 'add', body });
		await waitsAndTakesEffect(add(RULE), effects, ['coin-send deny']);
		const second = { ...RULE, kind: 'migration' } as const;
		await waitsAndTakesEffect(add(second), effects, ['coin-send deny', 'migration deny']);
		const last = async () => (await policies.list()).at(-1)!;
		const moved = await last();
		await waitsAndTakesEffect(
			() => policies.change(ada, { change: 'move', id: moved.id, up: true }),
			effects,
			['migration deny', 'coin-send deny']
		);
		const { id, revision } = await last();
		const body: RuleBody = { ...RULE, effect: { is: 'allow' } };
		await waitsAndTakesEffect(
			() => policies.change(ada, { change: 'set', id, revision, body }),
			effects,
			['migration deny', 'coin-send allow']
		);
		await waitsAndTakesEffect(
			() => policies.change(ada, { change: 'remove', id, revision: revision + 1 }),
			effects,
			['migration deny']
		);
	});

	test('limits, fee limits, wallets and roles wait; what takes rights away takes effect at once', async () => {
		const { limits, wallets } = here;
		const key = { account: member.id, chain: '*', kind: 'coin-send' } as const;
		const limitOf = async () => (await limits.of(member.id)).map(({ most }) => most.count);
		await waitsAndTakesEffect(
			() => limits.set(ada, { ...key, most: { count: 5n, amount: 7n } }),
			limitOf,
			[5n]
		);
		await waitsAndTakesEffect(
			() => limits.set(ada, { ...key, most: { count: null, amount: null } }),
			limitOf,
			[]
		);
		await waitsAndTakesEffect(
			() => limits.setFeeCap(ada, 'ALPHA', 5_000_000n),
			() => limits.feeCap('ALPHA'),
			5_000_000n
		);
		await waitsAndTakesEffect(
			() => limits.setFeeCap(ada, 'ALPHA', null),
			() => limits.feeCap('ALPHA'),
			1_000_000n
		);
		const choice = () => wallets.choiceOf(member.id);
		const two = { every: false, daemons: ['ALPHA', 'BETA'] };
		await waitsAndTakesEffect(() => wallets.set(ada, member.id, two), choice, two);
		const one = { every: false, daemons: ['BETA'] };
		expect((await wallets.set(ada, member.id, one)).proposal).toBeNull();
		expect(await choice()).toEqual(one);
		await waitsAndTakesEffect(
			() => auth.members.setRole(ada, member.id, 'operator'),
			() => roleOf(member),
			'operator'
		);
		// Neither role includes all rights of the other.
		await waitsAndTakesEffect(
			() => auth.members.setRole(ada, member.id, 'notary'),
			() => roleOf(member),
			'notary'
		);
		expect((await auth.members.setRole(ada, member.id, 'viewer')).proposal).toBeNull();
		expect(await roleOf(member)).toBe('viewer');
	});

	test('a lower role waits where a rule holds back the higher one, and not where it may not send', async () => {
		const held = ruleOf({ who: { is: 'role', role: 'admin' }, kind: 'coin-send' });
		await here.policies.change(null, { change: 'add', body: held });
		await waitsAndTakesEffect(
			() => auth.members.setRole(ada, ada.id, 'operator'),
			() => roleOf(ada),
			'operator'
		);
		expect((await auth.members.setRole(bob, eve.id, 'viewer')).proposal).toBeNull();
		expect(await roleOf(eve)).toBe('viewer');
	});

	test('a lower role waits where a rule allows what the higher one would ask approvals of', async () => {
		const operators = ruleOf({ who: { is: 'role', role: 'operator' }, effect: { is: 'allow' } });
		const asks = ruleOf({
			over: 10n,
			effect: { is: 'approve', needed: 1, members: [], roles: ['admin'] }
		});
		for (const body of [operators, asks]) {
			await here.policies.change(null, { change: 'add', body });
		}
		expect((await auth.members.setRole(bob, eve.id, 'notary')).proposal).toBeNull();
		expect(await roleOf(eve)).toBe('notary');
		await waitsAndTakesEffect(
			() => auth.members.setRole(ada, ada.id, 'operator'),
			() => roleOf(ada),
			'operator'
		);
	});

	test('an account is enabled, a request for access granted and a factor reset once another admin approved', async () => {
		const operator = await addPerson(database, 'operator');
		await auth.members.disable(ada, operator.id);
		const isIn = async () => (await personOf(operator)).disabledAt === null;
		await waitsAndTakesEffect(() => auth.members.enable(ada, operator.id), isIn, true);
		await database.db
			.updateTable('accounts')
			.set({ role: 'notary' })
			.where('id', '=', operator.id)
			.execute();
		const differences = async () => (await auth.audit.recorded.differences()).length;
		await waitsAndTakesEffect(() => auth.members.confirm(ada, operator.id), differences, 0);

		await here.requests.ask(member, 'broadcast', '/migrations/new');
		const open = await here.requests.open();
		const { id } = open.find((request) => request.member.id === member.id)!;
		await waitsAndTakesEffect(
			() => here.requests.grant(ada, id, 'operator'),
			() => roleOf(member),
			'operator'
		);
		expect(await here.requests.of(member.id)).toMatchObject([{ outcome: 'granted' }]);

		const resets = async () => (await actionsOn(member.name)).includes(`${ada.name} factor.reset`);
		await waitsAndTakesEffect(() => auth.factors.reset(ada, member.id), resets, true);
		const viewer = await addPerson(database, 'viewer');
		expect((await auth.factors.reset(ada, viewer.id)).proposal).toBeNull();
	});

	test('links that let somebody in as more than a viewer work from the approval on', async () => {
		const invited = await auth.links.invite(ada, { role: 'admin' });
		const reset = await auth.links.reset(ada, bob.id);
		const kindOf = async ({ token }: { token: string }) =>
			(await auth.links.look(token))?.kind ?? null;
		await waitsAndTakesEffect(
			() => Promise.resolve(invited),
			() => kindOf(invited),
			'invitation'
		);
		await waitsAndTakesEffect(
			() => Promise.resolve(reset),
			() => kindOf(reset),
			'reset'
		);
		const viewer = await auth.links.invite(ada, { role: 'viewer' });
		expect(await kindOf(viewer)).toBe('invitation');
		expect(viewer.proposal).toBeNull();
	});

	test('an invitation with a wallet waits for a viewer too, whose role may rise later', async () => {
		const wallets = { every: false, daemons: ['ALPHA'] };
		const invited = await auth.links.invite(ada, { role: 'viewer', wallets });
		await waitsAndTakesEffect(
			() => Promise.resolve(invited),
			async () => (await auth.links.look(invited.token))?.kind ?? null,
			'invitation'
		);
	});

	test('links that one admin made before do not outlive that changes need approval', async () => {
		await need(0);
		const stocked = [
			await auth.links.invite(ada, { role: 'admin' }),
			await auth.links.invite(ada, { role: 'viewer', wallets: { every: true, daemons: [] } }),
			await auth.links.reset(ada, bob.id)
		];
		const viewer = await auth.links.invite(ada, { role: 'viewer' });
		await auth.settings.change(bob, { 'change-approvals': 1 });
		for (const { token } of stocked) expect(await auth.links.look(token)).toBeNull();
		expect(await auth.links.look(viewer.token)).not.toBeNull();
		expect(await auth.audit.recorded.differences()).toEqual([]);
	});

	test('a link that one admin made before, and that is still there, opens nothing once it needs approval', async () => {
		await need(0);
		const every = { every: true, daemons: [] };
		const { token } = await auth.links.invite(ada, { role: 'viewer', wallets: every });
		const invited = await auth.links.invite(ada, { role: 'viewer' });
		const reset = await auth.links.reset(ada, member.id);
		// As an earlier release turned the setting on, which revoked fewer links.
		await act(auth, database.db, (trx) =>
			trx
				.updateTable('security_settings')
				.set({ value: '1' })
				.where('name', '=', 'change-approvals')
				.execute()
		);
		const newcomer = { name: 'newcomer', password: PASSWORD };
		expect(await auth.links.look(token)).toBeNull();
		expect(await codeOf(auth.links.accept(token, newcomer))).toBe('account.link-unusable');
		expect(await auth.links.look(invited.token)).not.toBeNull();

		expect(await auth.links.look(reset.token)).not.toBeNull();
		const { proposal } = await auth.members.setRole(ada, member.id, 'admin');
		await here.proposals.approve(proposal!, bob);
		expect(await auth.links.look(reset.token)).toBeNull();
		const changed = auth.links.setPassword(reset.token, 'another battery staple');
		expect(await codeOf(changed)).toBe('account.link-unusable');
	});

	test('an admin does not become a viewer who approves: neither by a link, nor by what opens the account', async () => {
		const viewer = await addPerson(database, 'viewer');
		const asks = (members: string[], roles: Role[]): RuleBody =>
			ruleOf({ kind: 'coin-send', effect: { is: 'approve', needed: 1, members, roles } });
		const stocked = await auth.links.reset(ada, viewer.id);
		const invited = await auth.links.invite(ada, { role: 'viewer' });
		expect([stocked.proposal, invited.proposal]).toEqual([null, null]);

		await here.policies.change(null, { change: 'add', body: asks([viewer.id], []) });
		expect(await auth.links.look(stocked.token)).toBeNull();
		expect(await auth.links.look(invited.token)).not.toBeNull();
		expect((await auth.links.reset(ada, viewer.id)).proposal).not.toBeNull();
		expect((await auth.factors.reset(ada, viewer.id)).proposal).not.toBeNull();
		expect((await auth.members.confirm(ada, viewer.id)).proposal).not.toBeNull();
		await auth.members.disable(ada, viewer.id);
		expect((await auth.members.enable(ada, viewer.id)).proposal).not.toBeNull();
		// Without a request to the others.
		expect((await auth.links.reset(ada, member.id)).proposal).toBeNull();
		expect((await auth.links.invite(ada, { role: 'viewer' })).proposal).toBeNull();

		const [{ id, revision } = { id: '', revision: 0 }] = await here.policies.list();
		const change = { change: 'set', id, revision, body: asks([], ['viewer']) } as const;
		await here.policies.change(null, change);
		expect(await auth.links.look(invited.token)).toBeNull();
		expect((await auth.links.invite(ada, { role: 'viewer' })).proposal).not.toBeNull();
		expect((await auth.links.reset(ada, member.id)).proposal).not.toBeNull();
		expect(await auth.audit.recorded.differences()).toEqual([]);
	});

	test('security settings and the end of a freeze wait; a freeze itself does not', async () => {
		await waitsAndTakesEffect(
			() => auth.settings.change(ada, { 'token-days': 30 }),
			async () => (await auth.settings.values())['token-days'],
			30
		);
		await auth.settings.change(null, { 'token-days': 365 });
		await here.safety.turnOn('freeze', 'a wallet behaves oddly', ada.name);
		const isFrozen = async () => (await here.safety.status()).freeze !== null;
		expect(await isFrozen()).toBe(true);
		await waitsAndTakesEffect(() => here.safety.turnOff('freeze', ada), isFrozen, false);
		await waitsAndTakesEffect(
			() => auth.settings.change(ada, { 'change-approvals': 0 }),
			async () => (await auth.settings.values())['change-approvals'],
			0
		);
	});

	test('each step is on record, and says from what to what', async () => {
		const id = await proposed(auth.members.setRole(ada, member.id, 'operator'));
		expect(await here.proposals.get(id)).toMatchObject({
			title: `Role of ${member.name}`,
			lines: [{ label: 'Role', before: 'Viewer', after: 'Operator' }],
			missing: 1
		});
		expect(await proposed(auth.members.setRole(bob, member.id, 'operator'))).toBe(id);
		expect(await here.proposals.shownCount(ada.id)).toBe(0);
		expect(await here.proposals.shownCount(bob.id)).toBe(1);
		await here.proposals.approve(id, bob);
		expect(await here.proposals.shownCount(eve.id)).toBe(0);
		expect(await actionsOn(id)).toEqual([
			`${ada.name} change.proposed`,
			`${bob.name} change.approved`,
			`${bob.name} change.carried-out`
		]);
		expect(await actionsOn(member.name)).toContain(`${ada.name} account.role-changed`);

		const other = await proposed(auth.members.setRole(ada, member.id, 'admin'));
		expect(await codeOf(here.proposals.reject(other, bob, ' '))).toBe('change.no-reason');
		await here.proposals.reject(other, bob, 'one admin is enough');
		expect(await here.proposals.get(other)).toMatchObject({
			state: 'rejected',
			reason: 'one admin is enough'
		});
		const third = await proposed(auth.members.setRole(ada, member.id, 'admin'));
		expect(third).not.toBe(other);
		expect(await codeOf(here.proposals.withdraw(third, bob))).toBe('change.not-eligible');
		await here.proposals.withdraw(third, ada);
		expect(await stateOf(third)).toBe('withdrawn');
		expect(await roleOf(member)).toBe('operator');
	});

	test('a session that was ended since its request came approves and rejects nothing', async () => {
		const id = await proposed(auth.members.setRole(ada, member.id, 'operator'));
		const session = await sessionHashOf(database, auth, bob);
		await auth.sessions.endOthers(bob, null);
		expect([
			await codeOf(here.proposals.approve(id, bob, session)),
			await codeOf(here.proposals.reject(id, bob, 'not now', session))
		]).toEqual(['account.session-ended', 'account.session-ended']);
		expect(await stateOf(id)).toBe('open');
		expect(await roleOf(member)).toBe('viewer');
	});

	test('a rule is proposed as data, and read as a sentence', async () => {
		const id = await proposed(here.policies.change(ada, { change: 'add', body: RULE }));
		const after = 'Sends of coins of ALPHA by anyone, more than 1 ALPHA in one transaction: deny.';
		expect(await here.proposals.get(id)).toMatchObject({
			title: 'Add rule 1',
			lines: [{ label: 'Rule 1', before: 'None', after }]
		});
		const { db } = database;
		const [{ facts } = { facts: '' }] = await db
			.selectFrom('change_proposals')
			.select('facts')
			.where('id', '=', id)
			.execute();
		expect(facts).toContain('100000000');
		expect(facts).not.toContain('Sends');
		await here.proposals.approve(id, bob);
		expect(await auth.audit.list({ action: 'policy.changed', limit: 1 })).toMatchObject([
			{ detail: { change: 'add', rule: after } }
		]);
	});

	test('a proposal of an early release, which holds words, is shown and approved', async () => {
		const { db } = database;
		const { limits, wallets } = here;
		const alpha = { every: false, daemons: ['ALPHA'] };
		const limit = { account: member.id, chain: '*', kind: 'sign' } as const;
		const ofWallets = () => proposed(wallets.set(ada, member.id, alpha));
		const ids = [
			await ofWallets(),
			await proposed(limits.set(ada, { ...limit, most: { count: 2n, amount: null } }, 'none'))
		] as const;
		const base = sha256Hex(JSON.stringify([1, 'none']));
		await db.updateTable('change_proposals').set({ base }).where('id', 'in', ids).execute();
		const facts = JSON.stringify({ member: member.name, before: 'none', after: 'ALPHA' });
		await db.updateTable('change_proposals').set({ facts }).where('id', '=', ids[0]).execute();
		await auth.audit.confirmAll('a test');

		expect(await ofWallets()).toBe(ids[0]);
		expect(await here.proposals.get(ids[0])).toMatchObject({
			lines: [{ label: 'Wallets', before: 'None', after: 'ALPHA' }]
		});
		for (const id of ids) await here.proposals.approve(id, bob);
		expect(await wallets.choiceOf(member.id)).toEqual(alpha);
		expect((await limits.of(member.id)).map(({ most }) => most.count)).toEqual([2n]);
	});

	test('the author, others than admins, the same admin twice and former admins do not count', async () => {
		await need(2);
		const id = await proposed(auth.members.setRole(ada, member.id, 'operator'));
		const approve = (by: Account) => codeOf(here.proposals.approve(id, by));
		expect(await approve(ada)).toBe('change.own');
		expect(await approve(member)).toBe('change.not-eligible');
		expect(await approve({ ...member, role: 'admin' })).toBe('change.not-eligible');
		expect(await approve(bob)).toBe('done');
		expect(await approve(bob)).toBe('change.twice');
		expect(await stateOf(id)).toBe('open');
		await auth.members.disable(eve, bob.id);
		expect(await approve(bob)).toBe('change.not-eligible');
		expect(await here.proposals.get(id)).toMatchObject({ missing: 2 });
		expect(await approve(eve)).toBe('done');
		expect(await roleOf(member)).toBe('viewer');
		const dan = await addPerson(database, 'admin');
		expect(await approve(dan)).toBe('done');
		expect(await roleOf(member)).toBe('operator');
	});

	test('the last approvals of two servers at the same moment carry a change out once', async () => {
		for (let round = 0; round < 5; round += 1) {
			const invited = await auth.links.invite(ada, { role: 'operator' });
			const approved = await Promise.all([
				codeOf(here.proposals.approve(invited.proposal!, bob)),
				codeOf(elsewhere.proposals.approve(invited.proposal!, eve))
			]);
			expect(approved.toSorted()).toEqual(['change.closed', 'done']);
			expect(await actionsOn(invited.id)).toEqual([`${ada.name} invitation.made`]);
			expect(await actionsOn(invited.proposal!)).toHaveLength(3);
		}
		await need(2);
		const both = await proposed(auth.members.setRole(ada, member.id, 'operator'));
		await Promise.all([here.proposals.approve(both, bob), elsewhere.proposals.approve(both, eve)]);
		expect(await stateOf(both)).toBe('done');
		const changed = (await actionsOn(member.name)).filter((one) => one.endsWith('role-changed'));
		expect(changed).toHaveLength(1);
	});

	test('what takes rights away at the same moment is not taken back without an approval', async () => {
		const { audit, members } = auth;
		const third = await database.openAnother();
		/**
		 * Makes both wait for an event that is being written; the first one goes first if the database keeps an
		 * order.
		 */
		async function inTurn(first: () => Promise<unknown>, second: () => Promise<unknown>) {
			let acts: Promise<unknown>[] = [];
			await third.transaction().execute(async (trx) => {
				await audit.lock(trx);
				acts = [first()];
				await sleep(100);
				acts.push(second());
				await sleep(100);
			});
			await Promise.all(acts);
		}
		await inTurn(
			() => here.safety.turnOn('freeze', 'a wallet behaves oddly', bob.name),
			() => elsewhere.safety.turnOff('freeze', ada)
		);
		expect((await here.safety.status()).freeze).not.toBeNull();

		const operator = await addPerson(database, 'operator');
		await inTurn(
			() => members.disable(bob, operator.id),
			() => members.enable(ada, operator.id)
		);
		expect((await personOf(operator)).disabledAt).not.toBeNull();

		const lift = await proposed(here.safety.turnOff('freeze', ada));
		const session = await sessionHashOf(database, auth, bob);
		await inTurn(
			() => here.safety.turnOn('freeze', 'it is another wallet', eve.name),
			() => codeOf(elsewhere.proposals.approve(lift, bob, session))
		);
		expect((await here.safety.status()).freeze).toMatchObject({ by: eve.name });
	});

	test('a proposal is void once what it changes, the number of approvals or its author has changed', async () => {
		const role = await proposed(auth.members.setRole(ada, member.id, 'operator'));
		await auth.members.setRole(null, member.id, 'notary');
		expect(await codeOf(here.proposals.approve(role, bob))).toBe('change.closed');
		expect(await stateOf(role)).toBe('voided');
		expect(await roleOf(member)).toBe('notary');

		const first = await proposed(here.policies.change(ada, { change: 'add', body: RULE }));
		const body = { ...RULE, kind: 'migration' } as const;
		const second = await proposed(here.policies.change(ada, { change: 'add', body }));
		await here.proposals.approve(first, bob);
		await elsewhere.proposals.sweep();
		expect(await stateOf(second)).toBe('voided');

		const admin = await proposed(auth.members.setRole(ada, member.id, 'admin'));
		await need(2);
		expect(await codeOf(here.proposals.approve(admin, bob))).toBe('change.closed');

		const enabled = await proposed(auth.members.setRole(ada, member.id, 'admin'));
		await auth.members.disable(bob, ada.id);
		await here.proposals.sweep();
		expect(await stateOf(enabled)).toBe('voided');
	});

	test('a proposal expires', async () => {
		const id = await proposed(auth.members.setRole(ada, member.id, 'operator'));
		ahead = PROPOSAL_MS + 1;
		expect(await stateOf(id)).toBe('expired');
		expect(await codeOf(here.proposals.approve(id, bob))).toBe('change.closed');
		await here.proposals.sweep();
		expect(await actionsOn(id)).toEqual([`${ada.name} change.proposed`, 'engine change.expired']);
		expect(await roleOf(member)).toBe('viewer');
	});

	test('lists tell open from ended ones by the clock, and what ended long ago is deleted on record', async () => {
		const ids = async (which: 'open' | 'past') =>
			(await here.proposals.list(which)).map(({ id }) => id);
		const done = await proposed(auth.members.setRole(ada, member.id, 'operator'));
		await here.proposals.approve(done, bob);
		const id = await proposed(auth.members.setRole(ada, member.id, 'admin'));
		expect(await ids('open')).toEqual([id]);
		expect(await ids('past')).toContain(done);
		ahead = PROPOSAL_MS + 1;
		expect(await ids('open')).toEqual([]);
		expect(await ids('past')).toEqual(expect.arrayContaining([id, done]));
		ahead = RETENTION_MS - 60_000;
		await here.proposals.forget(0);
		expect(await stateOf(done)).toBe('done');
		ahead = RETENTION_MS + 60_000;
		await here.proposals.forget(0);
		expect(await here.proposals.get(done)).toBeNull();
		// A proposal that is still open in its row is closed first, with an event.
		expect(await stateOf(id)).toBe('expired');
		await here.proposals.sweep();
		await elsewhere.proposals.forget(0);
		expect(await here.proposals.get(id)).toBeNull();
		expect(await database.db.selectFrom('change_votes').selectAll().execute()).toEqual([]);
		const events = await auth.audit.list({ action: 'change.dropped' });
		expect(events[0]).toMatchObject({ actor: 'engine', detail: { olderThan: '90 days' } });
		expect(await auth.audit.recorded.differences()).toEqual([]);
		expect((await auth.audit.verify()).ok).toBe(true);
	});

	test('a proposal and an approval that were written by hand count for nothing', async () => {
		const { db } = database;
		await need(2);
		const id = await proposed(auth.members.setRole(ada, member.id, 'operator'));
		await db
			.insertInto('change_votes')
			.values({ proposal: id, account: eve.id, name: eve.name, at: 1 })
			.execute();
		expect(await codeOf(here.proposals.approve(id, bob))).toBe('change.unrecorded');
		await db.deleteFrom('change_votes').where('account', '=', eve.id).execute();
		const params = JSON.stringify({ account: member.id, role: 'admin' });
		await db.updateTable('change_proposals').set({ params }).where('id', '=', id).execute();
		expect(await codeOf(here.proposals.approve(id, bob))).toBe('change.unrecorded');
		expect(await roleOf(member)).toBe('viewer');
		await db
			.updateTable('change_proposals')
			.set({ params: JSON.stringify({ account: member.id, role: 'operator' }) })
			.where('id', '=', id)
			.execute();
		expect(await codeOf(here.proposals.approve(id, bob))).toBe('done');
	});

	test('more approvals than other admins could give are refused, and who is left over ends them on the server', async () => {
		await need(0);
		const set = (count: number) => codeOf(auth.settings.change(ada, { 'change-approvals': count }));
		expect(await set(3)).toBe('change.too-few-admins');
		expect(await set(2)).toBe('done');
		await auth.members.disable(ada, bob.id);
		expect(await here.proposals.quorum()).toEqual({ needed: 2, admins: 2 });
		// A demotion never waits, and one admin remains.
		await auth.members.setRole(ada, eve.id, 'viewer');
		expect(await codeOf(auth.members.setRole(ada, ada.id, 'viewer'))).toBe('account.last-admin');
		const back = await proposed(auth.members.setRole(ada, eve.id, 'admin'));
		expect(await here.proposals.get(back)).toMatchObject({ missing: 2 });
		expect((await here.proposals.get(back))!.waitsFor.size).toBe(0);

		const lines: string[] = [];
		const { options } = database;
		const env = {
			KOMODECK_DATA: options.dataDir,
			...(options.url === undefined ? {} : { DATABASE_URL: options.url })
		};
		const context = {
			env,
			out: (line: string) => void lines.push(line),
			err: (line: string) => void lines.push(line),
			readLine: () => Promise.resolve('')
		};
		expect(await policyVerb.run(['approvals', '0'], context)).toBe(0);
		expect(lines).toEqual(['Changes take effect at once.']);
		expect(await proposed(auth.members.setRole(ada, eve.id, 'admin'))).toBe('applied');
		expect(await auth.audit.list({ action: 'change.unapproved', limit: 1 })).toMatchObject([
			{ actor: 'command line', detail: { change: 'Change security settings', needed: 2 } }
		]);
		await here.proposals.sweep();
		expect(await stateOf(back)).toBe('voided');
	});
});
