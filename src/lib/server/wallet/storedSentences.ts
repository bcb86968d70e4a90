/**
 * Converts the sentences that earlier releases stored about transactions and batch transfers to codes. A
 * sentence that is not recognized is kept and shown as it is.
 */
import { z } from 'zod';
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';
import {
	legacyMessage,
	sentenceReader,
	type StoredMessage
} from '../platform/database/storedSentences.ts';

const rejection = sentenceReader([
	[
		'import.elsewhere',
		'Another import of the same source is on {chain} already: {txid}. Sent again it would create the coins twice.'
	],
	['daemon.refused', 'The daemon refused it: {response}'],
	['daemon.refused', '{*} The daemon said: {response}']
]);

/** Matches a refusal without the daemon's reason; an explanation may follow. */
const WITHOUT_RESPONSE = /^The daemon refused it\.( |$)/;

const withoutResponse = (text: string): StoredMessage | null =>
	WITHOUT_RESPONSE.test(text) ? { code: 'daemon.refused', params: { response: '' } } : null;

/** Converts the sentence that says why a transaction was rejected. */
export const rejectionOfSentence = (text: string): StoredMessage =>
	rejection(text) ?? withoutResponse(text) ?? legacyMessage(text);

const problem = sentenceReader([
	['transaction.discarded', 'This transaction was discarded by hand. It was not sent.'],
	[
		'wallet.replaced',
		'The wallet of {chain} is another one than when the series was reviewed. Nothing more was sent.'
	]
]);

/** Converts the sentence that says why a batch transfer waits or stopped. */
export const problemOfSentence = (text: string): StoredMessage =>
	problem(text) ?? legacyMessage(text);

/** Converts the sentence that says why one transfer failed: mostly because its transaction was rejected. */
export function itemProblemOfSentence(text: string): StoredMessage {
	const known = problem(text);
	if (known !== null) return known;
	const rejected = rejection(text) ?? withoutResponse(text);
	return rejected === null
		? legacyMessage(text)
		: { code: 'transaction.rejected', params: { rejection: rejected } };
}

const warning = sentenceReader([
	[
		'payload.relay-unknown',
		'The payload has {bytes:n} bytes. Daemons that were not started with datacarriersize={most:n} relay {usual:n} and refuse it.'
	],
	[
		'approval.relay-unknown',
		'The approval carries {bytes:n} bytes of data. Daemons that were not started with datacarriersize={most:n} refuse it.'
	],
	[
		'migration.fungible',
		'Do not count on carrying a fungible token to another chain: few networks allow it, and notaries approve non-fungible ones only.'
	],
	[
		'migration.too-large',
		'It would be too large to be carried to another chain: its burn would have about {bytes:n} bytes.'
	],
	[
		'migration.tight',
		'It can be carried to another chain, with little room: its burn has about {bytes:n} bytes.'
	],
	['migration.possible', 'It can be carried to another chain, where the network supports that.'],
	['recipient.own', 'The recipient is this wallet itself: the units stay where they are.'],
	[
		'address.unused',
		'This address was never used on {chain}. Make sure that somebody has its key.'
	],
	[
		'address.not-told',
		'The daemon of {chain} keeps no addressindex, so it cannot tell whether this address was ever used. Make sure that somebody has its key.'
	],
	['address.unknown', '{daemon} does not tell whether this address was used on {chain} before.']
]);

const meaning = sentenceReader([
	['input.coins', 'coins'],
	['input.token', 'units of the token'],
	['change', 'change, back to this wallet'],
	['token.marker', 'marker: puts the token into the list; it is not yours any more'],
	['token.supply', 'the units, to this wallet'],
	['token.facts', 'name, description and owner'],
	['token.burned', 'units, destroyed for ever'],
	['token.paid', 'units, to the recipient'],
	['token.left', 'units that are left, back to this wallet'],
	['token.move', 'which token it is, and who receives'],
	['consolidated', 'everything, back to this wallet in one output'],
	['self-import.payment', 'to the recipient, from the wallet'],
	['self-import.amount', 'names the amount that the import creates'],
	['self-import.created', 'created, to the recipient'],
	[
		'self-import.proof',
		'proof: the source transaction, and the object {object}… that stands for a burn'
	],
	['approval.own', 'back to the notary'],
	['approval.proof', 'the proof of the burn']
]);

const Parts = z.array(z.looseObject({ meaning: z.string() }));

/** The parts of a stored review that are converted; all others are kept as they are. */
const OldReview = z.looseObject({
	review: z.looseObject({ inputs: Parts, outputs: Parts }),
	warnings: z.array(z.string())
});

const withMeanings = (parts: z.output<typeof Parts>) =>
	parts.map((part) => ({
		...part,
		meaning: meaning(part.meaning) ?? legacyMessage(part.meaning)
	}));

/**
 * Converts the sentences of a stored review to messages. A review of another shape is returned unchanged.
 * @param stored JSON
 */
export function reviewInCodes(stored: string): string {
	const { data: old } = OldReview.safeParse(jsonOrNull(stored));
	if (old === undefined) return stored;
	const { inputs, outputs } = old.review;
	return JSON.stringify({
		...old,
		review: { ...old.review, inputs: withMeanings(inputs), outputs: withMeanings(outputs) },
		warnings: old.warnings.map((text) => warning(text) ?? legacyMessage(text))
	});
}
