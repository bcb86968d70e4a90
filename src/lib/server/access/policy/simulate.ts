/** Evaluates the policy rules and limits for a hypothetical transaction. */
import { bareText } from '#lib/chain/bareText.ts';
import { POLICIES } from '#lib/messages/pages/policies.ts';
import { isRuleKind } from '#lib/messages/policies/kinds.ts';
import { policySentence, type PolicyNames } from '#lib/messages/policies/sentence.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import type { Account } from '../identity/identity.ts';
import { isLimitKind, type Usage } from './measuring/kinds.ts';
import type { Measurer } from './measuring/measurer.ts';
import type { Verdict } from './rules/decide.ts';
import type { Facts, Recipient } from './rules/facts.ts';
import { addressOf, readAmount, readAsset, type RuleChoices } from './rules/form.ts';
import type { Policies } from './rules/policies.ts';
import type { Rule } from './rules/rule.ts';

const words = POLICIES.simulator;
const FAULTS = POLICIES.faults;

/** The hypothetical transaction, from the query of the page. */
interface TypedTrial {
	doer: string;
	wallet: string;
	kind: string;
	asset: string;
	tokenid: string;
	amount: string;
	to: string;
}

type TrialFaults = { [field in keyof TypedTrial]?: string };

interface Trial {
	typed: TypedTrial;
	errors: TrialFaults;
	/** Result as sentences; null when the input has errors. */
	result: { rules: string; sentences: string[]; limits: string } | null;
}

/** Returns the hypothetical transaction of a URL; null when it has none. */
export function typedTrial(parameters: URLSearchParams): TypedTrial | null {
	if (!parameters.has('doer')) return null;
	const text = (name: string): string => bareText((parameters.get(name) ?? '').slice(0, 200));
	return {
		doer: text('doer'),
		wallet: text('wallet'),
		kind: text('kind'),
		asset: text('asset'),
		tokenid: text('tokenid'),
		amount: text('amount'),
		to: text('to')
	};
}

/** What the simulator asks. */
interface SimulatorParts {
	gateway: Pick<Gateway, 'daemon'>;
	policies: Pick<Policies, 'look' | 'list'>;
	measurer: Pick<Measurer, 'ownAmong'>;
	members(): Promise<Account[]>;
	/** Id of the account of an API token; null when there is no such token. */
	ownerOf(token: string): Promise<string | null>;
	/** Why the limits of a member do not allow these amounts; null when they do. */
	limitRefusal(
		member: string,
		chain: string,
		usages: readonly Usage[]
	): Promise<{ message: string } | null>;
	namesIn(rules: readonly Rule[]): Promise<PolicyNames>;
}

async function doerOf({ members, ownerOf }: SimulatorParts, text: string) {
	const [is, of = ''] = text.split(':', 2);
	const all = await members();
	const id = is === 'token' ? await ownerOf(of) : is === 'member' ? of : null;
	const account = all.find((one) => one.id === id);
	return account ? { account, token: is === 'token' ? of : null } : null;
}

function verdictWords(verdict: Verdict): string {
	switch (verdict.code) {
		case 'none':
			return words.none;
		case 'approve':
			return words.verdict.approve(verdict.rules.map(({ place }) => place));
		default:
			return words.verdict[verdict.code](verdict.rule.place);
	}
}

export async function simulate(
	parts: SimulatorParts,
	typed: TypedTrial,
	choices: RuleChoices
): Promise<Trial> {
	const errors: TrialFaults = {};
	const doer = await doerOf(parts, typed.doer);
	if (doer === null) errors.doer = FAULTS.choice;
	if (!choices.wallets.has(typed.wallet)) errors.wallet = FAULTS.choice;
	const kind = isRuleKind(typed.kind) ? typed.kind : null;
	if (kind === null) errors.kind = FAULTS.choice;
	const found = readAsset(typed.asset, typed.tokenid, choices);
	if (found === null) errors.asset = FAULTS.choice;
	if (found === 'tokenid') errors.tokenid = FAULTS.tokenid;
	const asset = found === null || found === 'tokenid' ? ({ is: 'any' } as const) : found;
	let amount = 0n;
	if (asset.is !== 'any') {
		const read = await readAmount(typed.amount, asset, choices);
		if ('fault' in read) errors.amount = read.fault;
		else ({ amount } = read);
	}
	const address = typed.to === '' ? null : addressOf(typed.to);
	if (typed.to !== '' && address === null) errors.to = FAULTS.recipient(typed.to.slice(0, 80));
	if (Object.keys(errors).length > 0 || doer === null || kind === null) {
		return { typed, errors, result: null };
	}
	const { gateway, policies, measurer, limitRefusal, namesIn } = parts;
	const chain =
		asset.is === 'any' ? (gateway.daemon(typed.wallet)?.chain ?? typed.wallet) : asset.chain;
	const recipient: Recipient =
		address === null
			? { is: 'nobody' }
			: { is: 'address', address, own: (await measurer.ownAmong([address])).own.has(address) };
	const facts: Facts = {
		account: doer.account.id,
		role: doer.account.role,
		token: doer.token,
		wallet: typed.wallet,
		movements: [
			{
				kind,
				chain,
				tokenid: asset.is === 'token' ? asset.tokenid : null,
				parts: [{ recipient, amount }],
				rest: 0n
			}
		]
	};
	const verdict = await policies.look(facts);
	const names = await namesIn(await policies.list());
	const asked = verdict.code === 'approve' ? verdict.rules : verdict.rule ? [verdict.rule] : [];
	const over = isLimitKind(kind)
		? await limitRefusal(doer.account.name, chain, [
				{ kind, amount: asset.is === 'token' ? 0n : amount }
			])
		: null;
	return {
		typed,
		errors,
		result: {
			rules: verdictWords(verdict),
			sentences: asked.map((rule) => policySentence(rule, names)),
			limits: over?.message ?? words.fits
		}
	};
}
