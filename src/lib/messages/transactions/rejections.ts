/** Why one of Komodeck's transactions was rejected. */
import { z } from 'zod';
import { explainErrorText } from '../daemon-errors/index.ts';
import { catalogueOf, entry, STORED, type MessageOf } from '../catalogue.ts';

/**
 * Explains the daemon's refusal and includes its text; unknown texts are shown as they are. Whether another
 * transaction may be built is left to the transaction's page: too early, both could be confirmed.
 */
function refusedBy(response: string): string {
	const known = explainErrorText('sendrawtransaction', response);
	if (known === null) {
		return response === '' ? 'The daemon refused it.' : `The daemon refused it: ${response}`;
	}
	const means = known.buildsAnother ? known.what : `${known.what} ${known.next}`;
	return response === ''
		? `The daemon refused it. ${means}`
		: `${means} The daemon said: ${response}`;
}

const NEVER_CONFIRMED = {
	spent: 'It was not taken: another transaction, which is final, spends one of its inputs.',
	expired: 'It was not taken before it expired, and no block accepts it any more.',
	source: 'It was not taken, and cannot be any more: its source was rejected, which is final.'
} as const;

const REJECTIONS = {
	...STORED,
	/** `response`: the daemon's own text, trimmed; empty when it gave none. */
	'daemon.refused': entry({ response: z.string() }, ({ response }) => refusedBy(response)),
	/**
	 * The broadcast had no response, or a reorganization removed it, and a final block has since made the transaction
	 * impossible; `source`: the first transaction of its pair.
	 */
	'never.confirmed': entry(
		{ why: z.enum(['spent', 'expired', 'source']) },
		({ why }) => NEVER_CONFIRMED[why]
	),
	/** The approvals that the policies require were not given. */
	'approval.missing': entry(
		{ why: z.enum(['rejected', 'expired', 'voided']) },
		({ why }) =>
			`The approval that the policies ask for ${
				why === 'rejected'
					? 'was rejected'
					: why === 'expired'
						? 'did not come in time'
						: 'is void, because the rule or the bytes changed'
			}. Nothing was sent, and its UTXOs are free.`
	),
	/** A member discarded the review. */
	'review.discarded': entry(
		{},
		() => 'It was discarded by hand. Nothing was sent, and its UTXOs are free.'
	),
	/** The batch transfer could not use it: its inputs were spent, or the wallet was replaced. */
	'batch.dropped': entry(
		{},
		() =>
			'The batch transfer that built it could not send it as it was, and discarded it. Nothing was sent, and its UTXOs are free.'
	),
	/** Its batch transfer sends another transaction to the same recipient. */
	'batch.replaced': entry(
		{},
		() =>
			'It was refused, and its batch transfer sends another transaction in its place. This one is not sent any more: its recipient would be paid twice.'
	),
	/** The chain already has another import of the same source. */
	'import.elsewhere': entry(
		{ chain: z.string(), txid: z.string() },
		({ chain, txid }) =>
			`Another import of the same source is on ${chain} already: ${txid}. Sent again it would create the coins twice.`
	)
} as const;

/** The reason as it is stored. */
export type Rejection = MessageOf<typeof REJECTIONS>;

export const rejections = catalogueOf(REJECTIONS);
