/** Why a batch transfer waits or stopped, and why one of its transfers failed. */
import { z } from 'zod';
import { catalogueOf, entry, STORED, type MessageOf } from '../catalogue.ts';
import { RECORDED, recordedText } from '../errors/recorded.ts';
import { rejections } from '../transactions/rejections.ts';

const PROBLEMS = {
	...STORED,
	/** The next transaction could not be built or sent, or the daemon not be asked. */
	'transaction.failed': entry({ error: RECORDED }, ({ error }) => recordedText(error)),
	'wallet.replaced': entry(
		{ chain: z.string() },
		({ chain }) =>
			`The wallet of ${chain} has changed since the batch was reviewed. Nothing more was sent.`
	),
	/** What a restored backup holds is from before: what went out since is not in it. */
	'backup.restored': entry(
		{},
		() =>
			'A backup was restored. Transfers that were sent after the backup are not listed here: check what the recipients hold before you resume or retry, or they may be paid twice.'
	),
	/** Of one transfer: null where the reason was not kept. */
	'transaction.rejected': entry({ rejection: rejections.schema.nullable() }, ({ rejection }) =>
		rejection === null ? 'It was refused.' : rejections.text(rejection)
	),
	/** The policies hold the next transaction back until other members have approved it. */
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

/** Why a batch transfer or one of its transfers does not go on, as it is stored. */
export type BatchTransferProblem = MessageOf<typeof PROBLEMS>;

export const problems = catalogueOf(PROBLEMS);
