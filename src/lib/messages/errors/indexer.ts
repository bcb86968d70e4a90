import { count } from '#lib/text/plural.ts';
import { sizeWords } from '#lib/text/sizeWords.ts';
import { explainDaemon, misconfigured, type DaemonError } from '../explained/daemon.ts';
import { withStatus, type ErrorArea } from './define.ts';

/** Bytes. */
interface Room {
	free: number;
	/** What the index leaves to everything else. */
	reserve: number;
}

interface Call {
	chain: string;
	method: string;
}

/** What a member of a decoded block has to be. */
const FORMS = {
	value: 'is missing',
	json: 'is not JSON',
	object: 'is not an object',
	list: 'is not a list',
	hash: 'is not 64 hex digits',
	hex: 'is not hex',
	integer: 'is not a whole number',
	amount: 'is not an amount'
} as const;

export type BlockForm = keyof typeof FORMS;

type Misfit = {
	/** The way to the member; empty for the whole answer. */
	place: string;
	misses: BlockForm;
};

const misfit = ({ place, misses }: Readonly<Misfit>): string =>
	`${place || 'result'} ${FORMS[misses]}`;

/** What is known of the daemon's failure. */
const callMessage = ({ call }: { call: DaemonError }): string =>
	misconfigured(call) ?? explainDaemon(call).what;

/** Why the index cannot be built on. Visitors read these messages. */
export const indexer = {
	...withStatus(503, {
		'indexer.no-daemon': ({ chain }: { chain: string }) =>
			`No daemon of ${chain} is configured for reading.`,
		'indexer.unreachable': callMessage,
		/** Fewer blocks at once may be answered. */
		'indexer.too-much': callMessage,
		'indexer.stopped': () => 'Fetching ended before the answer came.',
		/** Its tip is a block of the index, or lies below where the index begins. */
		'indexer.daemon-behind': ({ chain, tip, next }: { chain: string; tip: number; next: number }) =>
			`The daemon of ${chain} has blocks up to ${count(tip)}; the index goes on with block ${count(next)} when it has caught up.`,
		/** An admin said so. */
		'indexer.paused': ({ chain }: { chain: string }) => `Indexing of ${chain} is paused.`
	}),
	/** Visitors read why: words of other errors may name addresses and files. */
	'indexer.failed': {
		status: 500,
		message: () => 'The index could not be brought up to date; the log has the reason.'
	},
	/** The disk has no room for more of the index. */
	'indexer.no-room': {
		status: 507,
		message: ({ free, reserve }: Readonly<Room>) =>
			`The disk is nearly full: ${sizeWords(free)} left. The index goes on once ${sizeWords(reserve)} are free.`
	},
	...withStatus(502, {
		'indexer.no-answer': ({ chain, method }: Readonly<Call>) =>
			`${chain} did not answer ${method}.`,
		/** `said`: the daemon's own words. */
		'indexer.refused': ({ chain, method, said }: Readonly<Call> & { said: string }) =>
			`${chain} ${method}: ${said}`,
		'indexer.answer-unknown': ({ chain, method }: Readonly<Call>) =>
			`${chain} answered ${method} in a form that is not known.`,
		'indexer.not-hex': ({ chain, method }: Readonly<Call>) =>
			`${chain} ${method} gave a text that is not hexadecimal.`,
		'indexer.no-result': () => 'The answer holds no result.',
		'indexer.hash-missing': ({ chain, method }: Readonly<Call>) =>
			`${chain} answered ${method}: hash is missing.`,
		'indexer.blocks-do-not-follow': ({ chain, height }: { chain: string; height: string }) =>
			`${chain} gives blocks that do not follow block ${height}.`,
		'indexer.block-unusable': ({ chain, why }: { chain: string; why: Misfit }) =>
			`${chain} gave a block that cannot be used: ${misfit(why)}.`,
		/** The decoding of a block lacks what the index is built from. */
		'indexer.block-mismatch': (why: Misfit) => `The block cannot be used: ${misfit(why)}.`
	}),
	...withStatus(409, {
		/** What is ordered of an index that is not there yet. */
		'indexer.not-begun': ({ chain }: { chain: string }) => `${chain} is not indexed yet.`,
		/** Followed again from where the chain and the index part. */
		'indexer.chain-changed': ({ chain }: { chain: string }) => `${chain} changed while it was read.`
	}),
	'indexer.not-indexed': {
		status: 400,
		field: 'from',
		message: ({ chain, first, last }: { chain: string; first: number; last: number }) =>
			last < first
				? `No block of ${chain} is indexed yet.`
				: `Enter a height from ${count(first)} to ${count(last)}: these blocks of ${chain} are indexed.`
	}
} satisfies ErrorArea<'indexer'>;
