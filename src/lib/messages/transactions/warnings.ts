/** Warnings in the review of a transaction before it is sent. */
import { z } from 'zod';
import { amountProse } from '#lib/text/amounts.ts';
import { isolated } from '#lib/text/isolated.ts';
import { catalogueOf, entry, STORED, type MessageOf } from '../catalogue.ts';
import { CHECKS } from '../migration/checks.ts';
import { shortId } from '#lib/text/shortId.ts';

const chain = z.string();
const bytes = z.int();
const tokenid = z.string();

const WARNINGS = {
	...STORED,
	/** `usual`: the daemon's default limit, when it is not configured to `most`. */
	'payload.relay-unknown': entry(
		{ bytes, usual: bytes, most: bytes },
		({ bytes, usual, most }) =>
			`The payload has ${bytes} bytes. Daemons that were not started with datacarriersize=${most} relay ${usual} and refuse it.`
	),
	'approval.relay-unknown': entry(
		{ bytes, most: bytes },
		({ bytes, most }) =>
			`The approval has ${bytes} bytes of data. Daemons that were not started with datacarriersize=${most} reject it.`
	),
	'migration.fungible': entry(
		{},
		() =>
			'Fungible tokens usually cannot be migrated to another chain: few networks allow it, and notaries approve non-fungible ones only.'
	),
	/** `bytes`: approximate size of the burn. */
	'migration.too-large': entry(
		{ bytes },
		({ bytes }) =>
			`The token would be too large to migrate to another chain: its burn would have about ${bytes} bytes.`
	),
	'migration.tight': entry(
		{ bytes },
		({ bytes }) =>
			`The token can be migrated to another chain, with little room: its burn has about ${bytes} bytes.`
	),
	'migration.possible': entry({}, () => 'The token can be migrated where the network supports it.'),
	/** `amount`: satoshi. */
	'interest.forfeited': entry(
		{ amount: z.string(), chain },
		({ amount, chain }) =>
			`These UTXOs have accrued ${amountProse(BigInt(amount))} ${chain} of interest, which this transaction does not claim. The miner of the block gets it.`
	),
	/** The whole balance was requested, but one transaction can spend only a limited number of outputs. */
	'payment.not-all': entry(
		{ spent: z.int(), count: z.int() },
		({ spent, count }) =>
			`The wallet has ${count} UTXOs, and one transaction spends at most ${spent}: the others stay. Consolidate them to send the rest.`
	),
	'recipient.own': entry(
		{},
		() => 'The recipient is this wallet itself: the units stay where they are.'
	),
	'name.taken': entry(
		{ chain, tokenid },
		({ chain, tokenid }) =>
			`${chain} has a token with this name already (${shortId(tokenid)}). People tell the two apart by their ids only.`
	),
	/** `name`: with invisible characters made visible. */
	'name.confusable': entry(
		{ chain, tokenid, name: z.string() },
		({ chain, tokenid, name }) =>
			`${chain} has a token “${isolated(name)}” (${shortId(tokenid)}), whose name looks like this one. People may take one for the other.`
	),
	'address.unused': CHECKS['address.unused'],
	'address.not-told': CHECKS['address.not-told'],
	'address.unknown': entry(
		{ daemon: z.string(), chain },
		({ daemon, chain }) =>
			`${daemon} does not tell whether this address was used on ${chain} before.`
	)
} as const;

/** A warning, as it is stored with its review. */
export type Warning = MessageOf<typeof WARNINGS>;

export const warnings = catalogueOf(WARNINGS);
