/** What happened to a migration. */
import { z } from 'zod';
import { formatCoins } from '#lib/chain/amount.ts';
import { visibleText } from '#lib/text/visibleText.ts';
import { catalogueOf, entry, type MessageOf } from '../catalogue.ts';
import { checks } from './checks.ts';
import { some } from './explained.ts';
import { REASONS } from './reasons.ts';

const chain = z.string();
const actor = z.string();
const height = z.int();
const offset = z.int();

export const EVENTS = {
	// A new reason is an event, too.
	...REASONS,
	'draft.built': entry(
		/** Satoshi, or base units of the token. */
		{ amount: z.string(), token: z.string().nullable(), source: chain, destination: chain },
		({ amount, token, source, destination }) =>
			token === null
				? `Built a burn of ${formatCoins(BigInt(amount))} coins of ${source} for ${destination}.`
				: `Built a burn of ${some(Number(amount), 'unit', 'units')} of the token “${visibleText(token)}” for ${destination}.`
	),
	'draft.rebuilt': entry({}, () => 'Built the burn again: its outputs had been spent meanwhile.'),
	'preflight.failed': entry(
		{ check: checks.schema },
		({ check }) => `Nothing was sent, a check stopped it: ${checks.text(check)}`
	),
	'burn.confirmed': entry({ actor }, ({ actor }) => `${actor} confirmed the burn.`),
	'burn.found': entry(
		{ actor, chain },
		({ actor, chain }) =>
			`${actor} confirmed a burn that was on ${chain} already: it was taken up and not sent again.`
	),
	'burn.sent': entry({ chain }, ({ chain }) => `Sent the burn to ${chain}.`),
	'burn.mined': entry(
		{ chain, height },
		({ chain, height }) => `Block ${height} of ${chain} holds the burn.`
	),
	'burn.moved': entry(
		{ chain, height },
		({ chain, height }) => `After a reorganization block ${height} of ${chain} holds the burn.`
	),
	'burn.lost': entry(
		{ chain },
		({ chain }) => `The burn is no longer known on ${chain}: the same transaction is sent again.`
	),
	'migration.abandoned': entry(
		{ actor },
		({ actor }) => `${actor} gave the migration up. Nothing was burned.`
	),
	'migration.retried': entry({ actor }, ({ actor }) => `${actor} had it tried again.`),
	'migration.recovered': entry(
		{ actor, chain },
		({ actor, chain }) => `${actor} took up a burn made on ${chain}.`
	),
	'burn.published': entry(
		{ actor, chain },
		({ actor, chain }) => `${actor} published the burn, so that notaries approve it on ${chain}.`
	),
	'burn.withdrawn': entry(
		{ actor },
		({ actor }) => `${actor} took the burn off the published list; it goes on with notarizations.`
	),
	'import.built': entry({ chain }, ({ chain }) => `Built the import with the proof from ${chain}.`),
	'import.rebuilt': entry(
		{ chain },
		({ chain }) => `Built the import again with the present proof of ${chain}.`
	),
	'import.built-approved': entry(
		{ chain, notaries: z.int() },
		({ chain, notaries }) =>
			`Built the import on ${chain} with the approvals of ${notaries} notaries.`
	),
	'completion.tried': entry(
		{ tried: z.array(z.object({ offset, response: z.string() })) },
		({ tried }) =>
			tried
				.map(({ offset, response }) => `Completion with offset ${offset}: ${response}.`)
				.join(' ')
	),
	'completion.done': entry(
		{ offset, chain },
		({ offset, chain }) =>
			`KMD completed the proof with offset ${offset}. ${chain} knows the root of the proof.`
	),
	'import.approved': entry({ actor }, ({ actor }) => `${actor} approved the import.`),
	'import.chosen': entry({ chain }, ({ chain }) => `The import is going to be sent to ${chain}.`),
	'import.sent': entry({ chain }, ({ chain }) => `Sent the import to ${chain}.`),
	'import.mined': entry(
		{ chain, height },
		({ chain, height }) => `Block ${height} of ${chain} holds the import.`
	),
	'import.moved': entry(
		{ chain, height },
		({ chain, height }) => `After a reorganization block ${height} of ${chain} holds the import.`
	),
	'import.lost': entry(
		{ chain },
		({ chain }) => `The import is no longer known on ${chain}: it is looked up and sent again.`
	),
	'import.reorganized': entry(
		{ chain },
		({ chain }) =>
			`A reorganization of ${chain} took the block of the import back: it is looked up, and the same bytes are sent again.`
	),
	'import.gone': entry(
		{ chain },
		({ chain }) =>
			`The import that was found on ${chain} is gone and its bytes are not known here: the proof is made anew.`
	),
	'import.final': entry(
		{ chain, height },
		({ chain, height }) => `Block ${height} of ${chain} is final.`
	)
} as const;

/** What happened to a migration, as it is stored. */
export type MigrationEvent = MessageOf<typeof EVENTS>;

export const events = catalogueOf(EVENTS);
