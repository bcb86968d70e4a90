/** Checks before a notary approves a published burn, and their results. */
import { plural } from '#lib/text/plural.ts';
import { z } from 'zod';
import { coins } from '../coins.ts';
import { catalogueOf, entry, type MessageOf } from '../catalogue.ts';
import { explainDaemon, type DaemonError } from '../errors/explainDaemon.ts';
import type { ShownCheck } from '../migration/checks.ts';
import { shortId } from '#lib/text/shortId.ts';

const chain = z.string();
const hash = z.string();
const height = z.int();
/** Satoshi. */
const satoshi = z.string().regex(/^\d+$/);

/** Why the source's daemon refuses a burn. */
export const REASONS = [
	'main-chain',
	'unknown-burn',
	'in-mempool',
	'no-burn',
	'no-source',
	'token-data',
	'other-token',
	'unknown-token',
	'fungible-token',
	'unreadable-token',
	'token-amount',
	'other-data',
	'other-source',
	'other-ccid',
	'own-chain'
] as const;

export type RefusalReason = (typeof REASONS)[number];

const REFUSALS: Readonly<Record<RefusalReason, (chain: string) => string>> = {
	'main-chain': () => 'KMD itself takes no part in migrations.',
	'unknown-burn': (chain) => `${chain} does not know this burn. Do not approve it.`,
	'in-mempool': (chain) =>
		`The burn is not confirmed on ${chain} yet. Check again after the next block.`,
	'no-burn': () => 'This transaction is not a burn.',
	'no-source': () => 'The burn does not name its source chain.',
	'token-data': () => 'The token data of the burn cannot be read.',
	'other-token': () => 'The burn names another token than it burns.',
	'unknown-token': () => 'The creation of the burned token is unknown.',
	'fungible-token': () => 'The burn is of a fungible token, and those cannot be migrated.',
	'unreadable-token': () => 'The creation of the token cannot be read.',
	'token-amount': () => 'The burn spends more or fewer base units than it destroys.',
	'other-data': () => 'The burn holds data of another kind.',
	'other-source': (chain) => `The burn is not of ${chain}.`,
	'other-ccid': () => 'The burn is for chains with another CCid.',
	'own-chain': () => 'The burn names its own chain as the destination.'
};

const confirmed = (n: number): string => plural(n, 'confirmation');

const FINDINGS = {
	'daemon.approves': entry(
		{ chain },
		({ chain }) => `${chain} confirms that the burn can be approved.`
	),
	/** A refusal with a known message; `said` is the daemon's own text. */
	'daemon.refuses': entry(
		{ reason: z.enum(REASONS), chain, said: z.string() },
		({ reason, chain, said }) => `${REFUSALS[reason](chain)} The daemon said: ${said}`
	),
	'daemon.refuses-otherwise': entry(
		{ said: z.string() },
		({ said }) => `The daemon rejected the check: ${said}`
	),
	unavailable: entry(
		{ error: z.custom<DaemonError>() },
		({ error }) => `This check could not run: ${explainDaemon(error).what}`
	),
	'route.same': entry(
		{ source: chain, destination: chain },
		({ source, destination }) => `Route: ${source} → ${destination}.`
	),
	'route.other': entry(
		{ source: chain, destination: chain, publishedSource: chain, publishedDestination: chain },
		({ source, destination, publishedSource, publishedDestination }) =>
			`Route: ${source} → ${destination}, but it was published as ${publishedSource} → ${publishedDestination}.`
	),
	'ccid.same': entry({ ccid: z.int() }, ({ ccid }) => `CCid: ${ccid}.`),
	'ccid.other': entry(
		{ ccid: z.int(), published: z.int() },
		({ ccid, published }) => `CCid: ${ccid}, but it was published as ${published}.`
	),
	'token.same': entry({ tokenid: hash }, ({ tokenid }) => `Token: ${tokenid}.`),
	'token.other': entry(
		{ tokenid: hash.nullable(), published: hash.nullable() },
		({ tokenid, published }) =>
			`Token: ${tokenid ?? 'none'}, but it was published with ${published ?? 'none'}.`
	),
	'payouts.same': entry({}, () => 'The burn commits to the published payouts.'),
	'payouts.other': entry({}, () => 'The burn commits to other payouts than were published.'),
	'meant-for.same': entry(
		{ chain },
		({ chain }) => `The signed bytes name ${chain} as destination.`
	),
	'meant-for.other': entry(
		{ chain, ccid: z.int() },
		({ chain, ccid }) => `The signed bytes do not name ${chain} with CCid ${ccid} as destination.`
	),
	'value.enough': entry(
		{ burned: satoshi, paid: satoshi, ticker: z.string() },
		({ burned, paid, ticker }) =>
			`${coins(burned, ticker)} burned, ${coins(paid, ticker)} received; the difference is the import fee.`
	),
	'value.other': entry(
		{ burned: satoshi, paid: satoshi, ticker: z.string() },
		({ burned, paid, ticker }) =>
			`${coins(burned, ticker)} burned, but ${coins(paid, ticker)} would be received.`
	),
	'bytes.same': entry(
		{ chain },
		({ chain }) => `${chain} has exactly the bytes that were published.`
	),
	'bytes.absent': entry({ chain }, ({ chain }) => `${chain} does not know this burn.`),
	'bytes.other': entry({ chain }, ({ chain }) => `${chain} has other bytes than were published.`),
	'proof.unreadable': entry({}, () => 'The proof from the daemon cannot be read.'),
	'proof.holds': entry(
		{ block: hash },
		({ block }) => `The proof leads from the burn to the Merkle root of block ${shortId(block)}.`
	),
	/** On a chain that does not use Equihash, the hash of a block does not follow from the proof. */
	'proof.holds-unnamed': entry(
		{},
		() => 'The proof leads from the burn to the Merkle root of its block.'
	),
	'proof.other-transaction': entry(
		{},
		() => 'The proof from the daemon is for another transaction.'
	),
	'proof.broken': entry(
		{},
		() => 'The hashes of the proof do not lead to the Merkle root of its block.'
	),
	'block.main': entry(
		{ chain, height, confirmations: z.int() },
		({ chain, height, confirmations }) =>
			`That block is block ${height} of ${chain}, with ${confirmed(confirmations)}.`
	),
	'block.orphaned': entry({ chain }, ({ chain }) => `That block is no longer part of ${chain}.`),
	'block.unknown': entry(
		{ chain, block: hash },
		({ chain, block }) => `${chain} has no block ${shortId(block)}.`
	),
	'depth.shallow': entry(
		{ confirmations: z.int() },
		({ confirmations }) =>
			`The block is not notarized. With ${confirmed(confirmations)}, a reorganization could still remove it. An approval cannot be undone: it is safer to wait.`
	),
	'import.none': entry({ chain }, ({ chain }) => `${chain} has not imported this burn yet.`),
	'import.found': entry(
		{ chain, txid: hash },
		({ chain, txid }) => `${chain} has already imported this burn: ${txid}`
	)
} as const;

export type FindingMessage = MessageOf<typeof FINDINGS>;

const findings = catalogueOf(FINDINGS);

/** The result of one check. */
export interface Finding {
	id: string;
	result: 'ok' | 'warn' | 'fail';
	message: FindingMessage;
}

/** Returns a finding in the form in which pages show the checks of a migration. */
export const shownFinding = ({
	id,
	result,
	message
}: Finding): Pick<ShownCheck, 'id' | 'result' | 'message'> & { code: string } => ({
	id,
	result,
	code: message.code,
	message: findings.text(message)
});
