/** Attacks on the policies: sends that a rule should stop, and approvals that no other member gave. */
import { createHash } from 'node:crypto';
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { p2pk } from '#lib/chain/script.ts';
import { serializeTransaction } from '#lib/chain/transaction.ts';
import { createPolicies } from '#lib/server/access/policy/rules/policies.ts';
import type { RuleBody } from '#lib/server/access/policy/rules/rule.ts';
import { touch } from '#lib/server/platform/audit-trail/recorded.ts';
import { outcome, type Attack, type Outcome } from './attack.ts';
import { made, UNKNOWN_ADDRESS } from './spending.ts';
import { call, page, postForm, type Person, type Target } from './target.ts';
import { ruleOf } from '../support/ruledRights.ts';

const COIN = 100_000_000n;
/** A key that no wallet here has. */
const THIEF = hexToBytes('0312bbe6a1ba48c80d0bb70f850aeb7ff21fb62bb5765e23c17689bcf1e1eeb80e');
const BY_POLICY = /of the policies/;

/** Runs an attack while a rule applies to one member, and removes the rule afterwards. */
async function ruled(
	target: Target,
	person: Person,
	rule: Partial<RuleBody>,
	act: () => Promise<Outcome>
): Promise<Outcome> {
	const policies = createPolicies(target.db, target.auth.audit);
	const before = new Set((await policies.list()).map(({ id }) => id));
	await policies.change(null, {
		change: 'add',
		body: ruleOf({
			who: { is: 'member', account: person.account.id },
			kind: 'coin-send',
			asset: { is: 'coin', chain: 'ALPHA' },
			over: COIN,
			...rule
		})
	});
	try {
		return await act();
	} finally {
		for (const { id, revision } of await policies.list()) {
			if (!before.has(id)) await policies.change(null, { change: 'remove', id, revision });
		}
	}
}

/** Signed bytes that pay a stranger, as from another wallet program. */
async function signedElsewhere(target: Target, person: Person, value = 3n * COIN): Promise<string> {
	const tx = await made(target, person, [{ value, script: p2pk(THIEF) }]);
	const unsigned = bytesToHex(serializeTransaction(tx));
	const { hex } = await target.devnet.rpc<{ hex: string }>('ALPHA', 'signrawtransaction', unsigned);
	return hex;
}

const sendBytes = async (target: Target, { token }: Person, hex: string): Promise<string> => {
	const body = JSON.stringify({ id: 1, method: 'sendrawtransaction', params: [hex] });
	return (await call(target, token, body)).text;
};

/** Sends bytes while the daemon accepts no call of that kind. */
async function sentInVain(target: Target, person: Person, hex: string): Promise<string> {
	const { control } = target.devnet;
	await control.fault('ALPHA', 'work-queue-full', { method: 'sendrawtransaction' });
	try {
		return await sendBytes(target, person, hex);
	} finally {
		await control.fault('ALPHA', 'none');
	}
}

const requestOf = (text: string): string => /\/approvals\/([0-9a-f-]{36})/.exec(text)?.[1] ?? '';
const hashOf = (hex: string): string => createHash('sha256').update(hex).digest('hex');

/** Approves with the data of a member's request. */
async function approve(
	target: Target,
	by: Record<string, string>,
	request: string,
	hash: string
): Promise<void> {
	const answer = await postForm(target.url, `/approvals/${request}?/approve`, { hash }, by);
	await answer.body?.cancel();
}

const browser = ({ cookie }: Person): Record<string, string> => ({ cookie });

const asks = (...approvers: Person[]): Partial<RuleBody> => ({
	effect: {
		is: 'approve',
		needed: 1,
		roles: [],
		members: approvers.map(({ account }) => account.id)
	}
});

/**
 * Whether a send that a rule holds back for approval goes out after `act`.
 * @param rule the rule that asks these two members
 * @param act changes the request before the same bytes, or those that it returns, are sent again
 */
async function sentAfter(
	target: Target,
	rule: (person: Person, other: Person) => Partial<RuleBody>,
	act: (asked: {
		person: Person;
		other: Person;
		request: string;
		hash: string;
	}) => Promise<unknown>,
	role: 'operator' | 'notary' = 'operator'
): Promise<Outcome> {
	const person = await target.person('operator');
	const other = await target.person(role);
	const hex = await signedElsewhere(target, person);
	return ruled(target, person, rule(person, other), async () => {
		const request = requestOf(await sendBytes(target, person, hex));
		const changed = await act({ person, other, request, hash: hashOf(hex) });
		const text = await sendBytes(target, person, typeof changed === 'string' ? changed : hex);
		return outcome(request !== '' && !BY_POLICY.test(text), text.slice(0, 300));
	});
}

const askOther = (_person: Person, other: Person): Partial<RuleBody> => asks(other);

export const policyAttacks: readonly Attack[] = [
	{
		name: 'bytes-that-a-rule-denies',
		class: 'spending control bypass',
		async run(target) {
			const person = await target.person('operator');
			const hex = await signedElsewhere(target, person);
			return ruled(target, person, {}, async () => {
				const text = await sendBytes(target, person, hex);
				return outcome(!BY_POLICY.test(text), text.slice(0, 300));
			});
		}
	},
	{
		name: 'small-sends-below-a-window',
		class: 'spending control bypass',
		async run(target) {
			const person = await target.person('operator');
			const window = { hours: 1, total: 2n * COIN, count: null };
			return ruled(target, person, { over: null, window }, async () => {
				const seen: string[] = [];
				for (const amount of [0.9, 0.9, 0.9]) {
					const params = [UNKNOWN_ADDRESS, amount];
					const body = JSON.stringify({ id: 1, method: 'sendtoaddress', params });
					seen.push((await call(target, person.token, body)).text);
				}
				const text = seen.map((one) => one.slice(0, 150)).join(' | ');
				return outcome(!BY_POLICY.test(seen.at(-1) ?? ''), text, 3);
			});
		}
	},
	{
		name: 'bytes-judged-before-a-rule-came',
		class: 'spending control bypass',
		async run(target) {
			const person = await target.person('operator');
			const hex = await signedElsewhere(target, person);
			const before = await sentInVain(target, person, hex);
			return ruled(target, person, {}, async () => {
				const text = await sendBytes(target, person, hex);
				return outcome(!BY_POLICY.test(text), `${before} | ${text}`);
			});
		}
	},
	{
		name: 'sent-bytes-that-are-given-back',
		class: 'spending control bypass',
		async run(target) {
			const person = await target.person('operator');
			const window = { hours: 1, total: 4n * COIN, count: null };
			return ruled(target, person, { over: null, window }, async () => {
				const hex = await signedElsewhere(target, person);
				const seen = [await sendBytes(target, person, hex)];
				seen.push(await sentInVain(target, person, hex));
				seen.push(await sendBytes(target, person, await signedElsewhere(target, person)));
				const text = seen.map((one) => one.slice(0, 150)).join(' | ');
				return outcome(!BY_POLICY.test(seen.at(-1) ?? ''), text, 3);
			});
		}
	},
	{
		name: 'approval-of-a-disabled-member',
		class: 'spending control bypass',
		run: (target) =>
			sentAfter(target, askOther, async ({ other, request, hash }) => {
				await approve(target, browser(other), request, hash);
				await target.auth.members.disable(null, other.account.id);
			})
	},
	{
		name: 'approval-of-the-author',
		class: 'spending control bypass',
		run: (target) =>
			sentAfter(target, asks, async ({ person, request, hash }) =>
				approve(target, browser(person), request, hash)
			)
	},
	{
		name: 'approval-by-a-token',
		class: 'spending control bypass',
		run: (target) =>
			sentAfter(target, askOther, async ({ other, request, hash }) =>
				approve(target, { authorization: `Bearer ${other.token}` }, request, hash)
			)
	},
	{
		name: 'import-approved-by-a-token',
		class: 'spending control bypass',
		async run(target) {
			const { db, url } = target;
			const first = await target.person('operator');
			const second = await target.person('operator');
			const id = `im${Date.now().toString(16)}`;
			const now = Date.now();
			await db
				.insertInto('migrations')
				.values({
					id,
					path: 'notarized',
					source: 'ALPHA',
					destination: 'BETA',
					ccid: 777,
					policy: 'ask-two',
					source_daemon: 'ALPHA',
					destination_daemon: 'BETA',
					kmd_daemon: 'KMD',
					fencing_token: 0,
					address: UNKNOWN_ADDRESS,
					amount: COIN,
					import_scan_from: 0,
					created_by: first.account.name,
					state: 'needs-approval',
					state_since: now,
					created_at: now,
					updated_at: now
				})
				.execute();
			try {
				const token = { authorization: `Bearer ${second.token}` };
				const answer = await postForm(url, `/migrations/${id}?/approve`, {}, token);
				await answer.body?.cancel();
				const { approved_by: by } = await db
					.selectFrom('migrations')
					.select('approved_by')
					.where('id', '=', id)
					.executeTakeFirstOrThrow();
				return outcome(by !== null, { status: answer.status, by });
			} finally {
				// Events of the migration would refer to a row that is gone.
				await db
					.updateTable('migrations')
					.set({ state: 'discarded' })
					.where('id', '=', id)
					.execute();
			}
		}
	},
	{
		name: 'approval-of-other-bytes',
		class: 'spending control bypass',
		run: (target) =>
			sentAfter(target, askOther, async ({ person, other, request, hash }) => {
				await approve(target, browser(other), request, hash);
				return signedElsewhere(target, person, 4n * COIN);
			})
	},
	{
		name: 'approval-twice-by-one-member',
		class: 'spending control bypass',
		async run(target) {
			const third = await target.person('operator');
			const two = (_person: Person, other: Person): Partial<RuleBody> => {
				const members = [other, third].map(({ account }) => account.id);
				return { effect: { is: 'approve', needed: 2, members, roles: [] } };
			};
			return sentAfter(target, two, async ({ other, request, hash }) => {
				await approve(target, browser(other), request, hash);
				await approve(target, browser(other), request, hash);
			});
		}
	},
	{
		name: 'approval-after-its-time',
		class: 'spending control bypass',
		run: (target) =>
			sentAfter(target, askOther, async ({ other, request, hash }) => {
				await approve(target, browser(other), request, hash);
				await target.db.transaction().execute(async (trx) => {
					await trx
						.updateTable('approval_requests')
						.set({ expires_at: Date.now() - 1 })
						.where('id', '=', request)
						.execute();
					touch(trx, 'approval_requests', [request]);
					await target.auth.audit.append({ actor: 'a test', action: 'rpc.test' }, trx);
				});
			})
	},
	{
		name: 'approval-written-into-the-database',
		class: 'tampering',
		run: (target) =>
			sentAfter(target, askOther, async ({ other, request }) =>
				target.db
					.insertInto('approval_votes')
					.values({ request, account: other.account.id, name: 'other', at: 1 })
					.execute()
			)
	},
	{
		name: 'requests-of-others',
		class: 'information disclosure',
		async run(target) {
			const author = await target.person('operator');
			const approver = await target.person('notary');
			const stranger = await target.person('operator', 'none');
			const hex = await signedElsewhere(target, author);
			return ruled(target, author, asks(approver), async () => {
				const request = requestOf(await sendBytes(target, author, hex));
				const seen: string[] = [];
				for (const path of [
					`/approvals/${request}`,
					'/approvals?show=waiting',
					'/approvals?show=own',
					'/approvals?show=past',
					'/approvals/approvals.csv?show=past',
					'/approvals/approvals.json?show=waiting'
				]) {
					const text = await (await page(target, path, stranger.cookie)).text();
					// An error page contains its own address.
					const isLinked = !path.endsWith(request) && text.includes(request);
					if (text.includes(hashOf(hex)) || isLinked) seen.push(path);
				}
				return outcome(request !== '' && seen.length > 0, seen.join(' '), 6);
			});
		}
	},
	{
		name: 'requests-without-end',
		class: 'denial of service',
		async run(target) {
			const person = await target.person('operator');
			const other = await target.person('operator');
			return ruled(target, person, asks(other), async () => {
				let asked = 0;
				let text = '';
				for (let more = 0; more < 8; more += 1) {
					const hex = await signedElsewhere(target, person, 3n * COIN + BigInt(more));
					text = await sendBytes(target, person, hex);
					if (requestOf(text) !== '') asked += 1;
				}
				return outcome(asked === 8, text.slice(0, 300), 8);
			});
		}
	},
	{
		name: 'approval-of-a-former-role',
		class: 'spending control bypass',
		run: (target) =>
			sentAfter(
				target,
				() => ({ effect: { is: 'approve', needed: 1, members: [], roles: ['notary'] } }),
				async ({ other, request, hash }) => {
					await approve(target, browser(other), request, hash);
					await target.auth.members.setRole(null, other.account.id, 'viewer');
				},
				'notary'
			)
	}
];
