/** Texts of the policies page, and of the page of one rule. */
import { plural } from '#lib/text/plural.ts';
import { readWithDecimals } from './tokenForms.ts';

/** For rules that require more approvals than there are members to give them. */
export const UNREACHABLE = {
	title: (rules: readonly number[]): string =>
		rules.length === 1
			? `Rule ${rules[0] ?? ''} cannot be approved any more`
			: `Rules ${rules.join(', ')} cannot be approved any more`,
	text: 'Too few members are left who could approve. What these rules hold back is not sent; nothing is lost. Name more members in the rule, ask for fewer approvals, or give members the role that it names.',
	link: 'Policies',
	rule: (needed: number, eligible: number): string =>
		`${plural(needed, 'approval is', 'approvals are')} asked for, and ${eligible === 0 ? 'no member' : plural(eligible, 'member')} could give ${needed === 1 ? 'it' : 'them'}. What this rule holds back is not sent.`
} as const;

export const POLICIES = {
	title: 'Policies',
	lead: 'Rules for what may be sent, in order: the first rule that fits decides. What no rule fits is decided by role, wallet and spending limits alone.',
	list: {
		title: 'Rules',
		none: 'There is no rule yet. Members send within their roles, wallets and spending limits.',
		up: 'Move up',
		down: 'Move down',
		change: 'Change rule',
		remove: 'Remove rule',
		of: (act: string, place: number): string => `${act} ${place}`
	},
	limits: {
		title: 'Spending limits',
		text: 'After the rules, spending limits and fee limits hold for what each member sends within 24 hours, whatever a rule allows.',
		none: 'No spending limit is set.',
		link: 'Change spending limits'
	},
	add: { title: 'Add rule', submit: 'Add rule', saved: 'Rule added' },
	change: {
		title: (place: number): string => `Rule ${place}`,
		lead: 'Open approval requests under this rule become void when it changes.',
		submit: 'Save rule',
		back: 'Policies'
	},
	tokenForms:
		'A rule of the policies is about API tokens, so they send through the RPC API only. Nothing was sent.',
	saved: 'Rule saved',
	removed: 'Rule removed',
	moved: 'Rule moved',
	fields: {
		who: 'Who',
		anyone: 'Anyone',
		anyToken: 'Any API token',
		role: (role: string): string => `Members with the role ${role}`,
		token: (name: string, of: string): string => `API token ${name} of ${of}`,
		wallet: 'Wallet',
		anyWallet: 'Any wallet',
		kind: 'What',
		anyKind: 'Everything',
		asset: 'Asset',
		anyAsset: 'Any asset',
		coin: (chain: string): string => `${chain} coins`,
		tokenOn: (chain: string): string => `A token on ${chain}`,
		tokenid: 'Token ID',
		tokenidHint: 'Only for a token',
		over: 'More than, in one transaction',
		overHint: 'Leave empty for any amount. The fee of a transaction counts.',
		hours: 'Window in hours',
		hoursHint: 'Up to 720. Everyone whom the rule is for counts together.',
		total: 'More than, within the window',
		count: 'More transactions than, within the window',
		recipient: 'Recipient',
		anyRecipient: 'Anyone',
		ownRecipient: 'Wallets of this installation',
		listedRecipient: 'These recipients',
		listed: 'Recipients',
		listedHint:
			'One address, public key or label of the address book per line. The rule keeps the address that a label stands for now.',
		effect: 'Then',
		allow: 'Allow',
		deny: 'Deny',
		approve: 'Ask for approval',
		needed: 'Approvals needed',
		neededHint: 'The author does not count.',
		approvers: 'Who may approve',
		approverRoles: 'Roles that may approve'
	},
	faults: {
		choice: 'Choose from the list.',
		tokenid: 'A token ID has 64 hexadecimal digits.',
		noUnit: 'Choose the coins or the token that the amount is of.',
		decimals: (decimals: number): string =>
			`${readWithDecimals(decimals)} Check the amounts, then submit the rule again.`,
		hours: 'Enter a whole number from 1 to 720.',
		noWindow: 'Enter the hours of the window.',
		emptyWindow: 'Enter an amount or a number of transactions for this window.',
		count: 'Enter a whole number up to 1000000.',
		noRecipient: 'Enter at least one recipient.',
		recipient: (line: string): string =>
			`“${line}” is no address, no public key and no label of the address book that stands for one.`,
		needed: 'Enter a whole number from 1 to 20.',
		noApprover: 'Choose who may approve.',
		noBytes:
			'Activations and signatures have no transaction that others could approve. Choose to allow or to deny them.',
		amount: 'Enter an amount.'
	},
	simulator: {
		title: 'Try a transaction',
		note: 'Says what the rules and the spending limits would do. Nothing is sent or counted.',
		who: 'Member or API token',
		wallet: 'Wallet',
		kind: 'What',
		asset: 'Asset',
		tokenid: 'Token ID',
		amount: 'Amount, the fee included',
		recipient: 'Recipient',
		recipientHint: 'An address or a public key; empty where there is no recipient.',
		submit: 'Try',
		result: 'Result',
		none: 'No rule fits: role, wallet and spending limits decide.',
		verdict: {
			allow: (place: number): string => `Rule ${place} allows this.`,
			deny: (place: number): string => `Rule ${place} denies this.`,
			unknown: (place: number): string =>
				`Rule ${place} asks for something that is not known, so this is denied.`,
			approve: (places: readonly number[]): string =>
				`${places.length === 1 ? `Rule ${places[0]} asks` : `Rules ${places.join(' and ')} ask`} for approval.`
		},
		limits: 'Spending limits',
		fits: 'No spending limit prevents this.'
	},
	history: {
		title: 'Changes',
		none: 'Nothing was changed yet.',
		by: (actor: string): string => `by ${actor}`,
		all: 'All events in the audit log'
	}
} as const;
