/** Attacks on the policies: what a rule keeps back goes out, and approvals that nobody else gave. */
import { createHash } from 'node:crypto';
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { p2pk } from '#lib/chain/script.ts';
import { serializeTransaction } from '#lib/chain/transaction.ts';
import { createPolicies } from '#lib/server/access/policy/rules/policies.ts';
import type { RuleBody } from '#lib/server/access/policy/rules/rule.ts';
import { outcome, type Attack, type Outcome } from './attack.ts';
import { made } from './spending.ts';
import { call, postForm, type Person, type Target } from './target.ts';

const COIN = 100_000_000n;
/** A key that no wallet here has. */
const THIEF = hexToBytes('0312bbe6a1ba48c80d0bb70f850aeb7ff21fb62bb5765e23c17689bcf1e1eeb80e');
/** An address that no wallet here has. */
const STRANGER = 'RB6yhcs8NvnypkuM5M5qFyC69bWzVB6VgB';
const BY_POLICY = /of the policies/;

/** Carries something out while a rule stands for one member, and takes the rule away again. */
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
		body: {
			...{ who: { is: 'member', account: person.account.id }, wallet: null, kind: 'coin-send' },
			...{ asset: { is: 'coin', chain: 'ALPHA' }, over: COIN, window: null },
			...{ recipient: { is: 'anyone' }, effect: { is: 'deny' } },
			...rule
		}
	});
	try {
		return await act();
	} finally {
		for (const { id, revision } of await policies.list()) {
			if (!before.has(id)) await policies.change(null, { change: 'remove', id, revision });
		}
	}
}

/** Signed bytes that pay somebody else, as they come from another wallet program. */
async function signedElsewhere(target: Target, person: Person): Promise<string> {
	const tx = await made(target, person, [{ value: 3n * COIN, script: p2pk(THIEF) }]);
	const unsigned = bytesToHex(serializeTransaction(tx));
	const { hex } = await target.devnet.rpc<{ hex: string }>('ALPHA', 'signrawtransaction', unsigned);
	return hex;
}

const sendBytes = async (target: Target, { token }: Person, hex: string): Promise<string> => {
	const body = JSON.stringify({ id: 1, method: 'sendrawtransaction', params: [hex] });
	return (await call(target, token, body)).text;
};

const requestOf = (text: string): string => /\/approvals\/([0-9a-f-]{36})/.exec(text)?.[1] ?? '';
const hashOf = (hex: string): string => createHash('sha256').update(hex).digest('hex');

async function approve(
	target: Target,
	{ cookie }: Person,
	request: string,
	hash: string
): Promise<void> {
	const answer = await postForm(target.url, `/approvals/${request}?/approve`, { hash }, { cookie });
	await answer.body?.cancel();
}

const asks = (...approvers: Person[]): Partial<RuleBody> => ({
	effect: {
		...{ is: 'approve', needed: 1, roles: [] },
		members: approvers.map(({ account }) => account.id)
	}
});

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
					const params = [STRANGER, amount];
					const body = JSON.stringify({ id: 1, method: 'sendtoaddress', params });
					seen.push((await call(target, person.token, body)).text);
				}
				const text = seen.map((one) => one.slice(0, 150)).join(' | ');
				return outcome(!BY_POLICY.test(seen.at(-1) ?? ''), text, 3);
			});
		}
	},
	{
		name: 'approval-of-a-disabled-member',
		class: 'spending control bypass',
		async run(target) {
			const person = await target.person('operator');
			const other = await target.person('operator');
			const hex = await signedElsewhere(target, person);
			return ruled(target, person, asks(other), async () => {
				const request = requestOf(await sendBytes(target, person, hex));
				await approve(target, other, request, hashOf(hex));
				await target.auth.people.disable(null, other.account.id);
				const text = await sendBytes(target, person, hex);
				return outcome(!BY_POLICY.test(text), text.slice(0, 300));
			});
		}
	}
];
