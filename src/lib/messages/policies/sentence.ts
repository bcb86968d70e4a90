/** Renders a policy rule as a sentence. */
import { withoutZeros } from '#lib/text/amounts.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import { formatUnits } from '#lib/chain/tokenUnits.ts';
import { shortId } from '#lib/text/shortId.ts';
import { RULE_KIND_WORDS, type RuleKind } from './kinds.ts';
import { ROLE_WORDS } from '../roles.ts';

/** Names for the ids in rules. */
export interface PolicyNames {
	members: ReadonlyMap<string, string>;
	/** API tokens, with the member who created them. */
	tokens: ReadonlyMap<string, { name: string; of: string }>;
	/** Names and decimals of tokens by `chain tokenid`, when the page knows them. */
	assets?: ReadonlyMap<string, { name: string; decimals: number }>;
}

type RoleName = keyof typeof ROLE_WORDS;

/** The parts of a rule that its sentence describes; amounts as decimal text in stored rules. */
interface WordedRule {
	who:
		| { is: 'anyone' | 'any-token' }
		| { is: 'role'; role: RoleName }
		| { is: 'member'; account: string }
		| { is: 'token'; token: string };
	wallet: string | null;
	kind: RuleKind | null;
	asset:
		{ is: 'any' } | { is: 'coin'; chain: string } | { is: 'token'; chain: string; tokenid: string };
	over: bigint | string | null;
	window: { hours: number; total: bigint | string | null; count: number | null } | null;
	recipient:
		| { is: 'anyone' | 'own' }
		| { is: 'listed'; listed: readonly { address: string; label: string | null }[] };
	effect:
		| { is: 'allow' }
		| { is: 'deny' }
		| { is: 'approve'; needed: number; members: readonly string[]; roles: readonly RoleName[] };
}

const GONE = 'a removed account';

const list = (words: readonly string[], last: 'and' | 'or'): string =>
	words.length < 2
		? (words[0] ?? '')
		: `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`;

function whoWords({ who }: WordedRule, names: PolicyNames): string {
	switch (who.is) {
		case 'anyone':
			return 'anyone';
		case 'any-token':
			return 'any API token';
		case 'role':
			return `members with the role ${ROLE_WORDS[who.role].name}`;
		case 'member':
			return names.members.get(who.account) ?? GONE;
		case 'token': {
			const token = names.tokens.get(who.token);
			return token ? `the API token ${token.name} of ${token.of}` : 'a removed API token';
		}
	}
}

function assetWords({ asset }: WordedRule, names: PolicyNames): string {
	if (asset.is === 'any') return '';
	if (asset.is === 'coin') return asset.chain;
	const known = names.assets?.get(`${asset.chain} ${asset.tokenid}`)?.name ?? '';
	return `the token ${known === '' ? shortId(asset.tokenid) : known} on ${asset.chain}`;
}

/** Formats an amount with its unit, for a sentence. */
function policyAmount(
	amount: bigint,
	asset: WordedRule['asset'],
	names: Pick<PolicyNames, 'assets'>
): string {
	if (asset.is === 'coin') return `${withoutZeros(formatCoins(amount))} ${asset.chain}`;
	if (asset.is === 'any') return String(amount);
	const known = names.assets?.get(`${asset.chain} ${asset.tokenid}`);
	return known
		? `${withoutZeros(formatUnits(amount, known.decimals))} of it`
		: `${amount} base units of it`;
}

function amountWords(rule: WordedRule, names: PolicyNames): string {
	const { over, window, asset } = rule;
	const of = (amount: bigint | string): string => policyAmount(BigInt(amount), asset, names);
	const within =
		window === null ? '' : `within ${window.hours} hour${window.hours === 1 ? '' : 's'}`;
	const ways = [
		...(over === null ? [] : [`more than ${of(over)} in one transaction`]),
		...(window === null || window.total === null
			? []
			: [`more than ${of(window.total)} ${within}`]),
		...(window === null || window.count === null ? [] : [`more than ${window.count} ${within}`])
	];
	return list(ways, 'or');
}

function toWords({ recipient }: WordedRule): string {
	switch (recipient.is) {
		case 'anyone':
			return '';
		case 'own':
			return 'to wallets of this installation';
		case 'listed':
			return `to ${list(
				recipient.listed.map(({ address, label }) =>
					label === null ? shortId(address) : `${label} (${shortId(address)})`
				),
				'or'
			)}`;
	}
}

/** Describes what a rule does. */
function effectWords({ effect }: Pick<WordedRule, 'effect'>, names: PolicyNames): string {
	if (effect.is === 'allow') return 'allow';
	if (effect.is === 'deny') return 'deny';
	const of = [
		...effect.members.map((id) => names.members.get(id) ?? GONE),
		...effect.roles.map((role) => `members with the role ${ROLE_WORDS[role].name}`)
	];
	// When all named members are required, `1 of ben` says no more than `ben`.
	if (effect.roles.length === 0 && effect.members.length === effect.needed) {
		return `${list(of, 'and')} ${of.length === 1 ? 'has' : 'have'} to approve`;
	}
	return `${effect.needed} of ${list(of, 'and')} ${effect.needed === 1 ? 'has' : 'have'} to approve`;
}

/**
 * Renders for example `Sends of coins of ALPHA by anyone, more than 10 ALPHA in one transaction: ben has to
 * approve.`
 */
export function policySentence(rule: WordedRule, names: PolicyNames): string {
	const what = rule.kind === null ? 'everything' : RULE_KIND_WORDS[rule.kind].many;
	const asset = assetWords(rule, names);
	const amount = amountWords(rule, names);
	const words = [
		what,
		asset === '' ? '' : `of ${asset}`,
		`by ${whoWords(rule, names)}`,
		rule.wallet === null ? '' : `from the wallet ${rule.wallet}`,
		toWords(rule)
	].filter((part) => part !== '');
	const text = `${words.join(' ')}${amount === '' ? '' : `, ${amount}`}: ${effectWords(rule, names)}.`;
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A rule in JSON, with the names at that time of the accounts and API tokens in it, by id. */
export interface RecordedRule {
	rule: WordedRule;
	members: readonly (readonly [id: string, name: string])[];
	tokens: readonly (readonly [id: string, token: { name: string; of: string }])[];
}

/** Renders a stored rule. */
export const recordedRuleSentence = ({ rule, members, tokens }: RecordedRule): string =>
	policySentence(rule, { members: new Map(members), tokens: new Map(tokens) });
