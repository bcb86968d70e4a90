/** Texts of the spending limits page, and of lists of limits on other pages. */
import { withoutZeros } from '#lib/text/amounts.ts';

const columns = {
	member: 'Member',
	chain: 'Chain',
	kind: 'Type',
	maxCount: 'Max. transactions',
	maxAmount: 'Max. amount',
	actions: 'Actions'
} as const;

export const SPENDING_LIMITS = {
	title: 'Spending limits',
	lead: 'What one member can send on one chain in 24 hours, from pages, migrations and scripts together',
	everyone: 'Everyone (default)',
	everyoneAlone: 'everyone',
	goneAccount: 'a deleted account',
	/** Whom a limit applies to, at the beginning of a sentence. */
	each: 'Each member',
	eachOther: 'Each other member',
	/**
	 * @param amount decimal text
	 * @param chain null when the amount applies to several chains
	 */
	coins(amount: string, chain: string | null): string {
		const digits = withoutZeros(amount);
		return `${digits} ${chain ?? (digits === '1' ? 'coin' : 'coins')}`;
	},
	sentence: (who: string, what: string, where: string, most: string): string =>
		`${who}: at most ${most} within 24 hours for ${what} on ${where}.`,
	allChains: 'All chains (default)',
	/** The chain within a sentence, when a limit applies to several. */
	everyChain: 'every chain',
	everyOtherChain: 'every other chain',
	columns,
	list: {
		title: 'Limits',
		none: 'No limits set: members can spend the full wallet balance.',
		caption: 'Spending limits',
		anyCount: 'Unlimited',
		anyAmount: 'Unlimited',
		remove: 'Remove',
		removeOf: (member: string, kind: string, where: string): string =>
			`Remove the limit of ${member} for ${kind} on ${where}`,
		removed: 'Limit removed.',
		unknown: 'There is no such limit.'
	},
	set: {
		title: 'Set limit',
		note: 'A member’s own limit overrides the default; a chain’s own limit overrides “all chains”.',
		member: 'Member',
		chain: 'Chain',
		kind: 'Type',
		kindHint: 'A migration counts when its burn is sent; its import counts nothing more.',
		count: 'Max. transactions per 24 h',
		countHint: '0 = blocked, empty = unlimited',
		amount: 'Max. amount per 24 h',
		amountHint:
			'For token creations, migrations, self-imports and coin sends, fees included. Empty = unlimited',
		submit: 'Set limit',
		saved: 'Limit saved.'
	},
	fee: {
		title: 'Maximum fee',
		/** @param most coins, without trailing zeros */
		note: (most: string): string =>
			`A transaction with a higher fee is never sent. Default: ${most} coins.`,
		caption: 'Fee limits',
		chain: 'Chain of the fee',
		label: 'Maximum fee',
		submit: 'Set fee limit',
		saved: 'Fee limit saved.',
		remove: 'Remove',
		removeOf: (where: string): string => `Remove the fee limit of ${where}`,
		removed: 'Fee limit removed. The default applies again.'
	},
	used: {
		title: 'Used in the last 24 hours',
		none: 'Nothing was sent.',
		caption: 'Usage and limits by member',
		count: 'Count',
		coins: 'Coins',
		/** @param used amount used; null when the kind has no amounts */
		of: (used: string, most: string | null): string =>
			`${used}${most === null ? '' : ` of ${most}`}`,
		/** Between the amount that was used and its limit. */
		most: 'of'
	},
	faults: {
		member: 'Choose a member.',
		chain: 'Choose a chain.',
		kind: 'Choose a type.',
		count: (most: number): string => `Enter a whole number from 0 to ${most}.`,
		noCoins: 'Coins are not counted for this type: leave it empty.',
		nothing: 'Enter a maximum count or amount.'
	}
} as const;
