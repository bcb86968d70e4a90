/** Reasons for which an approval in a queue waits, was refused, or was not sent. */
import { catalogueOf, entry, STORED, type MessageOf } from '../catalogue.ts';
import { RECORDED, recordedText } from '../errors/recorded.ts';
import { rejections } from '../transactions/rejections.ts';
import { walletProblems } from './wallets.ts';

const PROBLEMS = {
	...STORED,
	/** The transaction could not be built or sent, or the daemon could not be reached. */
	'approval.failed': entry({ error: RECORDED }, ({ error }) => recordedText(error)),
	'approval.wallet': entry({ problem: walletProblems.schema }, ({ problem }) =>
		walletProblems.text(problem)
	),
	'approval.busy': entry(
		{},
		() =>
			'This wallet signs one approval after the other. It comes next when the one before is sent.'
	),
	'approval.no-coins-yet': entry(
		{},
		() =>
			'The coins of this wallet wait for a block. The approval is built when they are confirmed.'
	),
	'approval.role': entry(
		{},
		() => 'The member who confirmed it may no longer approve burns. It was not sent.'
	),
	/** A policy rule requires approval by other members. */
	'approval.awaited': entry(
		{},
		() =>
			'The policies ask other members to approve this. It is sent automatically after they approve it.'
	),
	/** Members rejected it, or the daemon refused it. */
	'approval.unapproved': entry({ rejection: rejections.schema }, ({ rejection }) =>
		rejections.text(rejection)
	),
	'approval.discarded': entry({}, () => 'It was discarded by hand. It was not sent.'),
	'burn.closed': entry({}, () => 'The burn takes no more approvals. Nothing was built.')
} as const;

/** A reason as it is stored. */
export type QueueProblem = MessageOf<typeof PROBLEMS>;

export const queueProblems = catalogueOf(PROBLEMS);
