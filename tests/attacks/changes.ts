/** Attacks on the approval of changes: one admin alone changes something that other admins have to approve. */
import { createLimits } from '#lib/server/access/policy/limits/limits.ts';
import { createPolicies } from '#lib/server/access/policy/rules/policies.ts';
import { createSafetyControls } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import { touch } from '#lib/server/platform/audit-trail/recorded.ts';
import { outcome, type Attack, type Outcome } from './attack.ts';
import { postForm, type Person, type Target } from './target.ts';
import { approvedBy, ruleOf } from '../support/ruledRights.ts';

const NEEDED = 'change-approvals';

/** Runs an attack while changes need the approval of other admins, and turns the requirement off afterwards. */
async function approved(
	target: Target,
	needed: number,
	act: () => Promise<Outcome>
): Promise<Outcome> {
	const { settings } = target.auth;
	await settings.change(null, { [NEEDED]: needed });
	try {
		return await act();
	} finally {
		await settings.change(null, { [NEEDED]: 0 });
	}
}

/**
 * Posts a form as an admin.
 * @returns the address of the redirect, and the text of the response
 */
async function post(
	{ url }: Target,
	{ cookie }: Person,
	path: string,
	fields: Readonly<Record<string, string>> = {}
): Promise<{ location: string; text: string }> {
	const answer = await postForm(url, path, fields, { cookie });
	return { location: answer.headers.get('location') ?? '', text: await answer.text() };
}

const roleOf = async ({ auth }: Target, { account }: Person): Promise<string> =>
	(await auth.members.list()).find(({ id }) => id === account.id)?.role ?? 'none';

/**
 * Proposes that a member becomes an operator.
 * @returns the id of the proposal
 */
async function propose(target: Target, author: Person, member: Person): Promise<string> {
	const path = `/admin/members/${member.account.id}?/role`;
	const { location } = await post(target, author, path, { role: 'operator' });
	return location.split('/').at(-1) ?? '';
}

const approve = (target: Target, by: Person, id: string): Promise<{ text: string }> =>
	post(target, by, `/approvals/changes/${id}?/approve`);

/**
 * Whether a member is an operator after `act`.
 * @param needed approvals of other admins
 */
async function raisedAfter(
	target: Target,
	needed: number,
	act: (world: {
		author: Person;
		other: Person;
		third: Person;
		member: Person;
		id: string;
	}) => Promise<unknown>
): Promise<Outcome> {
	const author = await target.person('admin', 'none');
	const other = await target.person('admin', 'none');
	const third = await target.person('admin', 'none');
	const member = await target.person('viewer', 'none');
	return approved(target, needed, async () => {
		const id = await propose(target, author, member);
		await act({ author, other, third, member, id });
		const role = await roleOf(target, member);
		return outcome(id !== '' && role !== 'viewer', `${id}: ${role}`);
	});
}

const ENTRANCES = [
	'role',
	'wallets',
	'account',
	'invitation',
	'invitation-with-wallets',
	'password',
	'factors',
	'rule',
	'limit',
	'fee',
	'security',
	'safety',
	'approvals'
] as const;

/** Whether a link opens the form for a password. */
const opens = async ({ url }: Target, token: string): Promise<boolean> =>
	token !== '' &&
	(await (await fetch(`${url}/join?token=${token}`)).text()).includes('name="password"');

/** Every page on which one admin could change something alone; each reports whether it changed. */
async function entrances(target: Target, admin: Person) {
	const { db, auth } = target;
	const { audit } = auth;
	const member = await target.person('viewer', 'none');
	const operator = await target.person('operator', 'none');
	await auth.members.disable(null, operator.account.id);
	const rival = await target.person('admin', 'none');
	const policies = createPolicies(db, audit);
	const limits = createLimits(db, audit);
	const safety = createSafetyControls(db, audit);
	await safety.turnOn('read-only', 'an attack', 'ada');
	const page = `/admin/members/${member.account.id}`;
	const to = (path: string, fields: Record<string, string> = {}) =>
		post(target, admin, path, fields);
	const link = async (path: string, fields: Record<string, string> = {}): Promise<boolean> => {
		const token = /token=([\w-]{20,})/.exec((await to(path, fields)).text)?.[1] ?? '';
		return opens(target, token);
	};
	const rule = {
		who: 'anyone',
		wallet: 'any',
		kind: 'sign',
		asset: 'any',
		recipient: 'anyone',
		effect: 'allow'
	};
	const tries: Readonly<Record<(typeof ENTRANCES)[number], () => Promise<boolean>>> = {
		async role() {
			await to(`${page}?/role`, { role: 'operator' });
			return (await roleOf(target, member)) !== 'viewer';
		},
		async wallets() {
			await to(`${page}?/wallets`, { every: 'on' });
			return (await createWallets(db, audit).choiceOf(member.account.id)).every;
		},
		async account() {
			await to(`/admin/members/${operator.account.id}?/enable`);
			const people = await auth.members.list();
			return people.find(({ id }) => id === operator.account.id)?.disabledAt === null;
		},
		invitation: () => link('/admin/members?/invite', { name: '', role: 'admin' }),
		'invitation-with-wallets': () =>
			link('/admin/members?/invite', { name: '', role: 'viewer', every: 'on' }),
		password: () => link(`/admin/members/${rival.account.id}?/reset`),
		async factors() {
			await to(`/admin/members/${rival.account.id}?/resetFactors`, { sure: 'yes' });
			const events = await audit.list({ action: 'factor.reset', limit: 20 });
			return events.some((event) => event.target === rival.account.name);
		},
		async rule() {
			const before = (await policies.list()).length;
			await to('/admin/policies?/add', rule);
			return (await policies.list()).length > before;
		},
		async limit() {
			const fields = {
				account: member.account.id,
				chain: '*',
				kind: 'sign',
				count: '9',
				amount: ''
			};
			await to('/admin/policies/limits?/set', fields);
			return (await limits.of(member.account.id)).some(({ most }) => most.count === 9n);
		},
		async fee() {
			await to('/admin/policies/limits?/fee', { feeChain: 'BETA', fee: '3' });
			return (await limits.feeCap('BETA')) === 300_000_000n;
		},
		async security() {
			await to('/admin/security?/save', {
				section: 'sessions',
				'session-idle-hours': '700',
				'session-days': '80'
			});
			return (await auth.settings.values())['session-idle-hours'] === 700;
		},
		async safety() {
			await to('/admin/safety?/turnOff', { switch: 'read-only' });
			return (await safety.status())['read-only'] === null;
		},
		async approvals() {
			await to('/admin/security?/save', { section: 'changes', [NEEDED]: '0' });
			await to('/admin/policies?/settings', { section: 'changes', [NEEDED]: '0' });
			return (await auth.settings.values())[NEEDED] === 0;
		}
	};
	return {
		tries,
		async takeBack() {
			await safety.turnOff('read-only', null);
			await limits.setFeeCap(null, 'BETA', null);
			await auth.settings.change(null, { 'session-idle-hours': 12, 'session-days': 7 });
			for (const { id, revision, kind } of await policies.list()) {
				if (kind === 'sign') await policies.change(null, { change: 'remove', id, revision });
			}
		}
	};
}

export const changeAttacks: readonly Attack[] = [
	...ENTRANCES.map((entrance): Attack => ({
		name: `${entrance}-without-approval`,
		class: 'privilege escalation',
		async run(target) {
			const admin = await target.person('admin', 'none');
			return approved(target, 1, async () => {
				const { tries, takeBack } = await entrances(target, admin);
				try {
					return outcome(await tries[entrance](), entrance);
				} finally {
					await takeBack();
				}
			});
		}
	})),
	{
		name: 'approver-without-approval',
		class: 'privilege escalation',
		async run(target) {
			const { db, auth } = target;
			const admin = await target.person('admin', 'none');
			const viewer = await target.person('viewer', 'none');
			const policies = createPolicies(db, auth.audit);
			const asks = ruleOf({
				who: { is: 'member', account: admin.account.id },
				kind: 'coin-send',
				effect: approvedBy([viewer.account])
			});
			await policies.change(null, { change: 'add', body: asks });
			try {
				return await approved(target, 1, async () => {
					const { text } = await post(target, admin, `/admin/members/${viewer.account.id}?/reset`);
					const token = /token=([\w-]{20,})/.exec(text)?.[1] ?? '';
					return outcome(await opens(target, token), token);
				});
			} finally {
				for (const { id, revision, who } of await policies.list()) {
					if (who.is !== 'member' || who.account !== admin.account.id) continue;
					await policies.change(null, { change: 'remove', id, revision });
				}
			}
		}
	},
	{
		name: 'change-approved-by-its-author',
		class: 'privilege escalation',
		run: (target) => raisedAfter(target, 1, async ({ author, id }) => approve(target, author, id))
	},
	{
		name: 'change-approved-twice-by-one-admin',
		class: 'privilege escalation',
		run: (target) =>
			raisedAfter(target, 2, async ({ other, id }) => {
				await approve(target, other, id);
				await approve(target, other, id);
			})
	},
	{
		name: 'change-approved-by-a-disabled-admin',
		class: 'privilege escalation',
		run: (target) =>
			raisedAfter(target, 2, async ({ other, third, id }) => {
				await approve(target, other, id);
				await target.auth.members.disable(null, other.account.id);
				await approve(target, third, id);
			})
	},
	{
		name: 'change-approved-after-its-time',
		class: 'privilege escalation',
		run: (target) =>
			raisedAfter(target, 1, async ({ other, id }) => {
				await target.db.transaction().execute(async (trx) => {
					await trx
						.updateTable('change_proposals')
						.set({ expires_at: Date.now() - 1 })
						.where('id', '=', id)
						.execute();
					touch(trx, 'change_proposals', [id]);
					await target.auth.audit.append({ actor: 'a test', action: 'rpc.test' }, trx);
				});
				await approve(target, other, id);
			})
	},
	{
		name: 'change-of-what-has-changed',
		class: 'privilege escalation',
		run: (target) =>
			raisedAfter(target, 1, async ({ other, member, id }) => {
				// An account that was disabled since must not have more rights when it is enabled.
				await target.auth.members.disable(null, member.account.id);
				await approve(target, other, id);
			})
	},
	{
		name: 'change-written-into-the-database',
		class: 'tampering',
		run: (target) =>
			raisedAfter(target, 2, async ({ other, third, id }) => {
				await target.db
					.insertInto('change_votes')
					.values({ proposal: id, account: third.account.id, name: 'third', at: 1 })
					.execute();
				await approve(target, other, id);
				await target.db
					.deleteFrom('change_votes')
					.where('account', '=', third.account.id)
					.execute();
			})
	}
];
