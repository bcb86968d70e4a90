/** Texts about the state of the index: how far it is, and why it does not advance. */
import { count } from '#lib/text/plural.ts';

export const staleNotice = { read: 'Read' } as const;

export const indexNotice = {
	/** Link for admins to the page that pauses, resumes and rebuilds the index. */
	manage: 'Manage the index',
	bar: (chain: string): string => `Indexed part of ${chain}`,
	notStarted: {
		title: (chain: string): string => `${chain} is not indexed yet`,
		text: (chain: string): string =>
			`Indexing starts as soon as a daemon of ${chain} returns its blocks.`
	},
	/** In place of a list of which nothing is indexed yet. */
	nothing: {
		title: (what: string): string => `No ${what} indexed yet`,
		text: 'This list fills as blocks are indexed.'
	},
	paused: {
		title: (height: number): string => `Indexed up to block ${count(height)}`,
		text: 'Showing the last known data.',
		read: 'Read'
	},
	behind: {
		title: (chain: string, percent: number): string => `Indexing ${chain}: ${percent} %`,
		blocks: (done: number, all: number): string => `${count(done)} of ${count(all)} blocks`,
		rate: (perSecond: number, left: string): string =>
			`, ${count(perSecond)} per second, about ${left} left`,
		rateUnknown: ', time left: unknown',
		later: 'Newer blocks are missing here.',
		newest: 'Newest blocks, from the daemon'
	},
	/** For a chain whose index starts at a later block than its first. */
	since: {
		title: (height: number): string => `Indexed since block ${count(height)}`,
		text: 'Older blocks are missing here.',
		sums: 'Balances, holders and totals count only what happened since.'
	}
} as const;

/** Why something may exist that is not in the index. */
export const indexLacks = {
	all: (chain: string): string => `${chain} is not indexed yet.`,
	before: (chain: string, first: number): string =>
		`The index of ${chain} begins at block ${count(first)}.`,
	some: (chain: string, done: number, all: number): string =>
		`The index has ${count(done)} of the ${count(all)} blocks of ${chain}.`
} as const;

/** Why the index of a chain may be outdated. */
export type IndexStandstill =
	| { code: 'offline' | 'unauthorized' | 'warming-up' | 'wrong-chain' | 'busy'; since: string }
	| { code: 'silent' };

export function standstillMessage(chain: string, { code, ...rest }: IndexStandstill): string {
	const since = 'since' in rest ? rest.since : '';
	switch (code) {
		case 'offline':
			return `${chain} has been offline since ${since}.`;
		case 'unauthorized':
			return `${chain} has refused the password since ${since}.`;
		case 'warming-up':
			return `${chain} has been starting since ${since}.`;
		case 'wrong-chain':
			return `The daemon of ${chain} has served another chain since ${since}.`;
		case 'busy':
			return `${chain} has responded slowly since ${since}.`;
		case 'silent':
			return `The index has not heard from ${chain} since.`;
	}
}
