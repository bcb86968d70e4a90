/**
 * Texts for changes that other admins may have to approve: what is changed, from what to what. Only the facts
 * are stored.
 */
import { plural } from '#lib/text/plural.ts';
import {
	LIMIT_KIND_WORDS,
	mostWords,
	titledKind,
	type LimitKind,
	type Most
} from './limitKinds.ts';
import { OTHER_RELEASE } from './otherRelease.ts';
import { SECURITY } from './pages/security.ts';
import { SPENDING_LIMITS } from './pages/spendingLimits.ts';
import { recordedRuleSentence, type RecordedRule } from './policies/sentence.ts';
import { ROLE_WORDS } from './roles.ts';
import type { ChosenWallets } from './walletChoice.ts';

type Role = keyof typeof ROLE_WORDS;
type Setting = keyof typeof SECURITY.settings;

/** A text is what an early release stored. */
type Rule = RecordedRule | string;
type Wallets = ChosenWallets | string;

/** The facts of each kind of change. */
export interface ChangeFacts {
	'rule.add': { rule: Rule; place: number };
	'rule.set': { place: number; before: Rule; after: Rule };
	'rule.remove': { place: number; rule: Rule };
	'rule.move': { rule: Rule; from: number; to: number };
	'settings.change': { settings: readonly { name: Setting; before: string; after: string }[] };
	/** `member`: null for all members; `chain`: null for every chain. */
	'limit.set': {
		member: string | null;
		chain: string | null;
		kind: LimitKind;
		before: Most;
		after: Most;
	};
	'limit.fee': { chain: string | null; before: string | null; after: string | null };
	'member.role': { member: string; before: Role; after: Role };
	'access.grant': { member: string; before: Role; after: Role };
	'member.wallets': { member: string; before: Wallets; after: Wallets };
	'member.enable': { member: string; role: Role };
	'member.confirm': { member: string; role: Role; disabled: boolean };
	'member.invite': { name: string | null; role: Role; wallets: Wallets };
	'member.password': { member: string; role: Role };
	'member.factors': { member: string; role: Role; factors: number };
	'safety.off': { control: 'freeze' | 'read-only'; by: string; reason: string };
}

export type ChangeCode = keyof ChangeFacts;

/** One changed item. */
export interface ChangeLine {
	label: string;
	before: string;
	after: string;
}

interface Words {
	/** What is changed, as a heading. */
	title: string;
	lines: readonly ChangeLine[];
}

const NONE = 'None';
const UNLIMITED = 'Unlimited';
const ruleWords = (rule: Rule): string =>
	typeof rule === 'string' ? rule : recordedRuleSentence(rule);

/** Returns the chosen wallets that a text of an early release names. */
function chosenWallets(stored: Wallets): ChosenWallets {
	if (typeof stored !== 'string') return stored;
	if (stored === 'every wallet') return { every: true, daemons: [] };
	return { every: false, daemons: stored === 'none' ? [] : [stored] };
}

function walletWords(stored: Wallets): string {
	const { every, daemons } = chosenWallets(stored);
	return every ? 'All' : daemons.join(', ') || NONE;
}
/** Formats amounts that apply to a chain; null: to every chain. */
const coinsOn =
	(chain: string | null) =>
	(amount: string): string =>
		SPENDING_LIMITS.coins(amount, chain);
const roleName = (role: Role): string => ROLE_WORDS[role].name;

function settingValue(name: Setting, value: string): string {
	const setting = SECURITY.settings[name];
	const options: Readonly<Record<string, string>> = 'options' in setting ? setting.options : {};
	return options[value] ?? (value === '' ? NONE : value);
}

const roleWords = ({ member, before, after }: ChangeFacts['member.role']): Words => ({
	title: `Role of ${member}`,
	lines: [{ label: 'Role', before: roleName(before), after: roleName(after) }]
});

const WORDS: { readonly [Code in ChangeCode]: (facts: ChangeFacts[Code]) => Words } = {
	'rule.add': ({ rule, place }) => ({
		title: `Add rule ${place}`,
		lines: [{ label: `Rule ${place}`, before: NONE, after: ruleWords(rule) }]
	}),
	'rule.set': ({ place, before, after }) => ({
		title: `Change rule ${place}`,
		lines: [{ label: `Rule ${place}`, before: ruleWords(before), after: ruleWords(after) }]
	}),
	'rule.remove': ({ place, rule }) => ({
		title: `Remove rule ${place}`,
		lines: [{ label: `Rule ${place}`, before: ruleWords(rule), after: NONE }]
	}),
	'rule.move': ({ rule, from, to }) => ({
		title: `Move rule ${from}`,
		lines: [{ label: ruleWords(rule), before: `Rule ${from}`, after: `Rule ${to}` }]
	}),
	'settings.change': ({ settings }) => ({
		title: 'Change security settings',
		lines: settings.map(({ name, before, after }) => ({
			label: SECURITY.settings[name].label,
			before: settingValue(name, before),
			after: settingValue(name, after)
		}))
	}),
	'limit.set': ({ member, chain, kind, before, after }) => ({
		title: `Spending limit of ${member ?? SPENDING_LIMITS.everyoneAlone}`,
		lines: [
			{
				label: `${titledKind(LIMIT_KIND_WORDS[kind].many)} on ${chain ?? SPENDING_LIMITS.everyChain}`,
				before: mostWords(before, coinsOn(chain)) ?? UNLIMITED,
				after: mostWords(after, coinsOn(chain)) ?? UNLIMITED
			}
		]
	}),
	'limit.fee': ({ chain, before, after }) => {
		const words = (cap: string | null): string => (cap === null ? 'Default' : coinsOn(chain)(cap));
		return {
			title: `Fee limit on ${chain ?? SPENDING_LIMITS.everyChain}`,
			lines: [{ label: SPENDING_LIMITS.fee.label, before: words(before), after: words(after) }]
		};
	},
	'member.role': roleWords,
	'access.grant': roleWords,
	'member.wallets': ({ member, before, after }) => ({
		title: `Wallets of ${member}`,
		lines: [{ label: 'Wallets', before: walletWords(before), after: walletWords(after) }]
	}),
	'member.enable': ({ member, role }) => ({
		title: `Enable ${member}`,
		lines: [{ label: `Account, ${roleName(role)}`, before: 'Disabled', after: 'Enabled' }]
	}),
	'member.confirm': ({ member, role, disabled }) => ({
		title: `Confirm ${member}`,
		lines: [
			{
				label: 'Account that was changed outside of this console',
				before: 'Not confirmed',
				after: `${roleName(role)}, ${disabled ? 'disabled' : 'enabled'}`
			}
		]
	}),
	'member.invite': ({ name, role, wallets }) => {
		const { every, daemons } = chosenWallets(wallets);
		return {
			title: `Invite ${name ?? 'a member'}`,
			lines: [
				{ label: 'Role', before: NONE, after: roleName(role) },
				...(every || daemons.length > 0
					? [{ label: 'Wallets', before: NONE, after: walletWords(wallets) }]
					: [])
			]
		};
	},
	'member.password': ({ member, role }) => ({
		title: `Password reset of ${member}`,
		lines: [{ label: `Link to a new password, ${roleName(role)}`, before: NONE, after: 'Works' }]
	}),
	'member.factors': ({ member, role, factors }) => ({
		title: `Second factors of ${member}`,
		lines: [
			{
				label: `Second factors, ${roleName(role)}`,
				before: plural(factors, 'factor', 'factors'),
				after: NONE
			}
		]
	}),
	'safety.off': ({ control, by, reason }) => ({
		title: control === 'freeze' ? 'Unfreeze sending' : 'Turn off read-only mode',
		lines: [
			{
				label: control === 'freeze' ? 'Freeze sending' : 'Read-only mode',
				before: `On, by ${by}: ${reason}`,
				after: 'Off'
			}
		]
	})
};

/** Describes a change. */
export function changeWords<Code extends ChangeCode>(code: Code, facts: ChangeFacts[Code]): Words {
	return Object.hasOwn(WORDS, code) ? WORDS[code](facts) : { title: OTHER_RELEASE, lines: [] };
}
