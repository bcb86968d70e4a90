/** What a policy rule can refer to, for its form and for parsing it. */
import { ROLE_WORDS } from '#lib/messages/roles.ts';
import { POLICIES } from '#lib/messages/pages/policies.ts';
import { RULE_KIND_WORDS } from '#lib/messages/policies/kinds.ts';
import type { PolicyNames } from '#lib/messages/policies/sentence.ts';
import type { App as Komodeck } from '#lib/server/appTypes.ts';
import { ROLES } from '#lib/server/access/identity/roles.ts';
import {
	addressOf,
	readRule,
	type RuleChoices,
	type RuleFaults,
	type TypedRule
} from '#lib/server/access/policy/rules/form.ts';
import { namesOf } from '#lib/server/access/policy/rules/names.ts';
import { RULE_KINDS, type Rule, type RuleBody } from '#lib/server/access/policy/rules/rule.ts';
import { readFields } from '#lib/server/platform/http/readForm.ts';
import { chosenDecimalsFault, shownToken } from '../../decimalsFault.ts';

const words = POLICIES.fields;

/** Returns names of members, tokens and assets for the sentences of rules. */
export async function policyNames(app: Komodeck, rules: readonly Rule[]): Promise<PolicyNames> {
	const assets = new Map<string, { name: string; decimals: number }>();
	for (const { asset } of rules) {
		if (asset.is !== 'token') continue;
		const decimals = await app.sender.decimals(asset.chain, asset.tokenid);
		assets.set(`${asset.chain} ${asset.tokenid}`, { name: '', decimals });
	}
	return { ...(await namesOf(app.db)), assets };
}

/** Returns the options of the form. */
export async function policyChoices(app: Komodeck) {
	const { gateway, nodes } = app;
	const names = await namesOf(app.db);
	const members = (await app.auth.members.list()).filter(({ disabledAt }) => disabledAt === null);
	const chains = gateway.chains();
	const option = (value: string, label: string) => ({ value, label });
	const who = [
		...ROLES.map((role) => option(`role:${role}`, words.role(ROLE_WORDS[role].name))),
		...members.map(({ id, name }) => option(`member:${id}`, name)),
		...[...names.tokens].map(([id, { name, of }]) => option(`token:${id}`, words.token(name, of)))
	];
	const assets = [
		...chains.map((chain) => option(`coin:${chain}`, words.coin(chain))),
		...chains.map((chain) => option(`token:${chain}`, words.tokenOn(chain)))
	];
	const wallets = [
		...gateway.daemons().map(({ id }) => option(id, id)),
		...(await nodes.nodes()).map(({ id }) => option(id, id))
	];
	const kinds = RULE_KINDS.map((kind) => option(kind, RULE_KIND_WORDS[kind].title));
	return {
		who: [option('anyone', words.anyone), option('any-token', words.anyToken), ...who],
		doers: who.filter(({ value }) => !value.startsWith('role:')),
		wallets: [option('any', words.anyWallet), ...wallets],
		kinds: [option('any', words.anyKind), ...kinds],
		assets: [option('any', words.anyAsset), ...assets],
		members: members.map(({ id, name, role }) => option(id, `${name} (${ROLE_WORDS[role].name})`)),
		roles: ROLES.map((role) => option(role, ROLE_WORDS[role].name))
	};
}

/** Returns the values that the form accepts. */
export async function knownChoices(app: Komodeck): Promise<RuleChoices> {
	const { gateway, nodes, sender, addressBook } = app;
	const names = await namesOf(app.db);
	return {
		members: new Set(names.members.keys()),
		tokens: new Set(names.tokens.keys()),
		wallets: new Set([...gateway.daemons(), ...(await nodes.nodes())].map(({ id }) => id)),
		chains: new Set(gateway.chains()),
		decimalsOf: (chain, tokenid) => sender.decimals(chain, tokenid),
		async addressOfLabel(label) {
			const { entries } = await addressBook.list({ q: label, kind: null, page: 1 });
			const found = entries.find((entry) => entry.label.toLowerCase() === label.toLowerCase());
			return found === undefined ? null : addressOf(found.value);
		}
	};
}

/**
 * Amounts of a token that were typed under other decimals than the current ones, or under decimals that the
 * form did not state.
 */
interface UnshownDecimals {
	problem: string;
	/** The token with its current decimals: once the form states these, it is accepted. */
	token: { tokenid: string; decimals: number };
}

/**
 * Checks whether the amounts of a rule could mean something other than what their author saw; null when
 * they cannot.
 */
async function unshownDecimals(
	{ sender }: Pick<Komodeck, 'sender'>,
	{ asset, over, window }: RuleBody,
	form: FormData
): Promise<UnshownDecimals | null> {
	const hasAmount = over !== null || (window !== null && window.total !== null);
	if (asset.is !== 'token' || !hasAmount) return null;
	const decimals = await sender.decimals(asset.chain, asset.tokenid);
	const token = { tokenid: asset.tokenid, decimals };
	const read = readFields(form, shownToken);
	const problem = chosenDecimalsFault(read, token, POLICIES.faults.decimals);
	return problem === null ? null : { problem, token };
}

/** Returns the fields of the form as typed. */
function typedRule(form: FormData): TypedRule {
	const text = (name: string): string => {
		const value = form.get(name);
		return typeof value === 'string' ? value : '';
	};
	const all = (name: string): string[] =>
		form.getAll(name).filter((one) => typeof one === 'string');
	return {
		who: text('who'),
		wallet: text('wallet'),
		kind: text('kind'),
		asset: text('asset'),
		tokenid: text('tokenid'),
		over: text('over'),
		hours: text('hours'),
		total: text('total'),
		count: text('count'),
		recipient: text('recipient'),
		listed: text('listed').replaceAll('\r\n', '\n'),
		effect: text('effect'),
		needed: text('needed'),
		members: all('members'),
		roles: all('roles')
	};
}

/** Reads the form of a rule; `refused` is what the page shows when it cannot be used. */
export async function readRuleForm(
	app: Komodeck,
	form: FormData
): Promise<
	| { typed: TypedRule; rule: RuleBody }
	| { refused: { typed: TypedRule; errors?: RuleFaults } & Partial<UnshownDecimals> }
> {
	const typed = typedRule(form);
	const read = await readRule(typed, await knownChoices(app));
	if ('errors' in read) return { refused: { typed, errors: read.errors } };
	const unshown = await unshownDecimals(app, read.rule, form);
	return unshown === null ? { typed, rule: read.rule } : { refused: { typed, ...unshown } };
}
