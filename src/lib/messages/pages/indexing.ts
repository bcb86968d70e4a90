/** Texts of the page where admins pause and resume the index of a chain, and rebuild parts of it. */
import { count, plural } from '#lib/text/plural.ts';

export const indexing = {
	title: (chain: string): string => `Index of ${chain}`,
	lead: 'Lists, balances, holders and search come from the index, which is read from the daemon.',
	progress: {
		title: 'Progress',
		none: 'No block is indexed yet.',
		indexed: 'Indexed up to block',
		newest: 'Newest block of the daemon',
		state: 'State',
		states: { current: 'Up to date', behind: 'Indexing', waiting: 'Waiting' },
		rate: 'Speed',
		perSecond: (blocks: number): string => `${plural(blocks, 'block')} per second`,
		left: 'Time left',
		about: (time: string): string => `About ${time}`,
		unknown: 'Unknown',
		reorgs: 'Reorganizations'
	},
	pause: {
		title: 'Pause',
		text: (chain: string): string =>
			`While paused, pages of ${chain} show what is indexed, and say so. It stays paused after a restart, on all servers.`,
		pausedBy: (name: string): string => `Paused by ${name}`,
		pause: 'Pause indexing',
		resume: 'Resume indexing',
		paused: 'Indexing is paused.',
		resumed: 'Indexing is resumed.',
		wasPaused: 'Indexing was paused already.',
		wasRunning: 'Indexing was not paused.'
	},
	reindex: {
		title: 'Reindex',
		text: 'Removes blocks from the index and reads them again from the daemon. The chain, wallets and transactions are not touched.',
		from: 'First block to read again',
		fromHint: (first: number, last: number): string => `${count(first)} to ${count(last)}`,
		review: 'Review',
		reviewTitle: (from: number, to: number): string =>
			from === to
				? `Read block ${count(from)} again?`
				: `Read blocks ${count(from)} to ${count(to)} again?`,
		reviewText: (blocks: number): string =>
			`${plural(blocks, 'block')} are missing in lists and balances until they are read again.`,
		reviewTextOne: 'It is missing in lists and balances until it is read again.',
		confirm: 'Reindex',
		cancel: 'Cancel',
		ordered: (from: number): string => `Blocks from ${count(from)} on are read again.`,
		waits: (from: number): string =>
			`Blocks from ${count(from)} on are read again once indexing is resumed.`,
		underway: (from: number): string =>
			`Blocks from ${count(from)} on are being removed, and are read again then.`,
		notNumber: 'Enter a block height.'
	}
} as const;
