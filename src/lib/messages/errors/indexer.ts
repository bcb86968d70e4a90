import { count } from '#lib/text/plural.ts';
import { sizeWords } from '#lib/text/sizeWords.ts';
import { quoted } from './daemon.ts';
import { withStatus, type ErrorArea } from './define.ts';
import { explainDaemon, misconfigured, type DaemonError } from './explainDaemon.ts';

/** Bytes. */
interface Room {
	free: number;
	/** What the index leaves free. */
	reserve: number;
}

interface Call {
	chain: string;
	method: string;
}

/** Required forms of the members of a decoded block. */
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
	/** Path of the member; empty for the whole response. */
	place: string;
	misses: BlockForm;
};

const misfit = ({ place, misses }: Readonly<Misfit>): string =>
	`${place || 'result'} ${FORMS[misses]}`;

/** Describes the daemon's failure. */
const callMessage = ({ call }: { call: DaemonError }): string =>
	misconfigured(call) ?? explainDaemon(call).what;

/** Why the index makes no progress. Visitors can read these messages. */
export const indexer = {
	...withStatus(503, {
		'indexer.no-daemon': ({ chain }: { chain: string }) =>
			`No daemon of ${chain} is configured for reading.`,
		'indexer.unreachable': callMessage,
		/** The daemon may succeed with fewer blocks at once. */
		'indexer.too-much': callMessage,
		'indexer.stopped': () => 'Fetching ended before the answer came.',
		/** The daemon's tip is already indexed, or is below the start of the index. */
		'indexer.daemon-behind': ({ chain, tip, next }: { chain: string; tip: number; next: number }) =>
			`The daemon of ${chain} has blocks up to ${count(tip)}; the index goes on with block ${count(next)} when it has caught up.`,
		/** An admin paused it. */
		'indexer.paused': ({ chain }: { chain: string }) => `Indexing of ${chain} is paused.`
	}),
	/** Generic, because visitors read it: messages of other errors may name addresses and files. */
	'indexer.failed': {
		status: 500,
		message: () => 'The index could not be brought up to date; the log has the reason.'
	},
	/** The disk reserve is reached. */
	'indexer.no-room': {
		status: 507,
		message: ({ free, reserve }: Readonly<Room>) =>
			`The disk is nearly full: ${sizeWords(free)} left. The index goes on once ${sizeWords(reserve)} are free.`
	},
	...withStatus(502, {
		'indexer.no-answer': ({ chain, method }: Readonly<Call>) =>
			`${chain} did not answer ${method}.`,
		/** `said`: the daemon's own text. */
		'indexer.refused': ({ chain, method, said }: Readonly<Call> & { said: string }) =>
			quoted(said) === ''
				? `${chain} refused ${method} without giving a reason.`
				: `${chain} ${method}: ${quoted(said)}`,
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
		/** The decoded block lacks what the index needs. */
		'indexer.block-mismatch': (why: Misfit) => `The block cannot be used: ${misfit(why)}.`
	}),
	...withStatus(409, {
		/** An order for an index that does not exist yet. */
		'indexer.not-begun': ({ chain }: { chain: string }) => `${chain} is not indexed yet.`,
		/** A reorganization: indexing continues from the fork. */
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
