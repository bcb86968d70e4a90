/** Events in the history of a migration. */
import { z } from 'zod';
import { coins } from '../coins.ts';
import { visibleText } from '#lib/text/visibleText.ts';
import { catalogueOf, entry, type MessageOf } from '../catalogue.ts';
import { checks } from './checks.ts';
import { plural } from '#lib/text/plural.ts';
import { REASONS } from './reasons.ts';

const chain = z.string();
const actor = z.string();
const height = z.int();
const offset = z.int();

export const EVENTS = {
	// Every new reason is also an event.
	...REASONS,
	'draft.built': entry(
		/** Satoshi, or base units of the token. */
		{ amount: z.string(), token: z.string().nullable(), source: chain, destination: chain },
		({ amount, token, source, destination }) =>
			token === null
				? `Burn of ${coins(amount, source)} to ${destination} built.`
				: `Burn of ${plural(BigInt(amount), 'base unit')} of the token “${visibleText(token)}” to ${destination} built.`
	),
	'draft.rebuilt': entry({}, () => 'Burn built again: its UTXOs had been spent meanwhile.'),
	'preflight.failed': entry(
		{ check: checks.schema },
		({ check }) => `Not sent, blocked by a check: ${checks.text(check)}`
	),
	'burn.confirmed': entry({ actor }, ({ actor }) => `${actor} confirmed the burn.`),
	'burn.found': entry(
		{ actor, chain },
		({ actor, chain }) =>
			`${actor} confirmed a burn that ${chain} held already. The migration goes on with it; nothing was sent again.`
	),
	'burn.found-instead': entry(
		{ actor, chain },
		({ actor, chain }) =>
			`${chain} holds the burn already, so the migration that ${actor} was about to discard goes on with it. Nothing was sent again.`
	),
	'burn.sent': entry({ chain }, ({ chain }) => `Burn sent to ${chain}.`),
	'burn.mined': entry(
		{ chain, height },
		({ chain, height }) => `Burn confirmed in block ${height} of ${chain}.`
	),
	'burn.moved': entry(
		{ chain, height },
		({ chain, height }) => `Burn confirmed in block ${height} of ${chain} after a reorganization.`
	),
	'burn.lost': entry(
		{ chain },
		({ chain }) => `${chain} does not know the burn any more. The same transaction is sent again.`
	),
	'migration.discarded': entry(
		{ actor },
		({ actor }) => `${actor} discarded the migration. Nothing was burned.`
	),
	'migration.retried': entry({ actor }, ({ actor }) => `${actor} retried the migration.`),
	'migration.recovered': entry(
		{ actor, chain },
		({ actor, chain }) => `${actor} recovered a burn made on ${chain}.`
	),
	'burn.published': entry(
		{ actor, chain },
		({ actor, chain }) => `${actor} requested notary approvals on ${chain}. The burn is published.`
	),
	'burn.withdrawn': entry(
		{ actor },
		({ actor }) =>
			`${actor} withdrew the request for notary approvals. The migration goes on with notarizations.`
	),
	'import.built': entry({ chain }, ({ chain }) => `Import built with the proof from ${chain}.`),
	'import.rebuilt': entry(
		{ chain },
		({ chain }) => `Import built again with the current proof from ${chain}.`
	),
	'import.built-approved': entry(
		{ chain, notaries: z.int() },
		({ chain, notaries }) => `Import built on ${chain} with the approvals of ${notaries} notaries.`
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
		({ offset, chain }) => `Proof completed on KMD with offset ${offset}. ${chain} knows its MoMoM.`
	),
	'import.approved': entry({ actor }, ({ actor }) => `${actor} approved the import.`),
	'import.chosen': entry({ chain }, ({ chain }) => `Sending the import to ${chain}.`),
	'import.sent': entry({ chain }, ({ chain }) => `Import sent to ${chain}.`),
	'import.mined': entry(
		{ chain, height },
		({ chain, height }) => `Import confirmed in block ${height} of ${chain}.`
	),
	'import.moved': entry(
		{ chain, height },
		({ chain, height }) => `Import confirmed in block ${height} of ${chain} after a reorganization.`
	),
	'import.lost': entry(
		{ chain },
		({ chain }) =>
			`${chain} does not know the import any more. Komodeck looks it up and sends it again.`
	),
	'import.reorganized': entry(
		{ chain },
		({ chain }) =>
			`A reorganization of ${chain} removed the block of the import. Komodeck looks the import up and sends the same bytes again.`
	),
	'import.gone': entry(
		{ chain },
		({ chain }) =>
			`The import that was found on ${chain} is gone, and its bytes are not known here. The proof is created again.`
	),
	'import.final': entry(
		{ chain, height },
		({ chain, height }) => `Block ${height} of ${chain} is final.`
	)
} as const;

/** An event of a migration, as it is stored. */
export type MigrationEvent = MessageOf<typeof EVENTS>;

export const events = catalogueOf(EVENTS);
