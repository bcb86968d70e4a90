/** Descriptions of the inputs and outputs of Komodeck's transactions. */
import { z } from 'zod';
import { catalogueOf, entry, STORED, type MessageOf } from '../catalogue.ts';

const MEANINGS = {
	...STORED,
	'input.coins': entry({}, () => 'coins'),
	'input.token': entry({}, () => 'units of the token'),
	change: entry({}, () => 'change, back to this wallet'),
	'token.marker': entry({}, () => 'Listing marker (not refundable)'),
	'token.supply': entry({}, () => 'the units, to this wallet'),
	'token.facts': entry({}, () => 'name, description and creator'),
	'token.burned': entry({}, () => 'base units, burned permanently'),
	'token.paid': entry({}, () => 'units, to the recipient'),
	'token.left': entry({}, () => 'Token change'),
	'token.move': entry({}, () => 'which token it is, and who receives'),
	'coins.paid': entry({}, () => 'to the recipient'),
	'split.part': entry({}, () => 'one part, back to this wallet'),
	claimed: entry({}, () => 'the coins and their interest, back to this wallet'),
	consolidated: entry({}, () => 'everything, back to this wallet in one output'),
	'self-import.payment': entry({}, () => 'to the recipient, from the wallet'),
	'self-import.amount': entry({}, () => 'names the amount that the import creates'),
	'self-import.created': entry({}, () => 'created, to the recipient'),
	/** `object`: id of the object that replaces a burn. */
	'self-import.proof': entry(
		{ object: z.string() },
		({ object }) =>
			`proof: the source transaction, and the object ${object.slice(0, 10)}… that stands for a burn`
	),
	'approval.own': entry({}, () => 'back to the notary'),
	'approval.proof': entry({}, () => 'the proof of the burn')
} as const;

/** Description of an input or output, as it is stored with the review. */
export type Meaning = MessageOf<typeof MEANINGS>;

export const meanings = catalogueOf(MEANINGS);
