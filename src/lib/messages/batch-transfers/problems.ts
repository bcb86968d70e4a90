/** Reasons for which a batch transfer waits or has stopped, or one of its transfers has failed. */
import { z } from 'zod';
import { catalogueOf, entry, STORED, type MessageOf } from '../catalogue.ts';
import { RECORDED, recordedText } from '../errors/recorded.ts';
import { rejections } from '../transactions/rejections.ts';

const PROBLEMS = {
	...STORED,
	/** The next transaction could not be built or sent, or the daemon could not be reached. */
	'transaction.failed': entry({ error: RECORDED }, ({ error }) => recordedText(error)),
	'wallet.replaced': entry(
		{ chain: z.string() },
		({ chain }) =>
			`The wallet of ${chain} has changed since the batch was reviewed. Nothing more was sent.`
	),
	/** After a restore: transactions sent since the backup are not in the database. */
	'backup.restored': entry(
		{},
		() =>
			'A backup was restored. Transfers that were sent after the backup are not listed here: check what the recipients hold before you resume or retry, or they may be paid twice.'
	),
	/** One transfer was rejected; `rejection` is null when the reason was not stored. */
	'transaction.rejected': entry({ rejection: rejections.schema.nullable() }, ({ rejection }) =>
		rejection === null ? 'The daemon rejected the transfer.' : rejections.text(rejection)
	),
	/** A policy rule requires approval of the next transaction by other members. */
	'transaction.needs-approval': entry(
		{},
		() =>
			'The policies ask other members to approve the next transfer. It is sent automatically after they approve it.'
	),
	'transaction.discarded': entry(
		{},
		() => 'This transaction was discarded by hand. It was not sent.'
	)
} as const;

/** Reason for which a batch transfer or one of its transfers does not continue, as it is stored. */
export type BatchTransferProblem = MessageOf<typeof PROBLEMS>;

export const problems = catalogueOf(PROBLEMS);
