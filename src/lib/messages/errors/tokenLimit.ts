import { withoutZeros } from '#lib/text/amounts.ts';
import { withStatus, type ErrorArea } from './define.ts';

/** A send beyond the limits of its API token. Amounts are decimal texts in coins of the chain. */
export const tokenLimit = {
	...withStatus(403, {
		'token-limit.each': ({ chain, takes, most }: { chain: string; takes: string; most: string }) =>
			`This API token may take at most ${withoutZeros(most)} ${chain} with one transaction, and this one takes ${withoutZeros(takes)} ${chain}. Nothing was sent.`,
		'token-limit.day': ({
			chain,
			takes,
			used,
			most
		}: {
			chain: string;
			takes: string;
			used: string;
			most: string;
		}) =>
			`This API token may take at most ${withoutZeros(most)} ${chain} in 24 hours and has taken ${withoutZeros(used)} ${chain}: this one takes ${withoutZeros(takes)} ${chain}. Nothing was sent.`,
		'token-limit.chain': ({ chain }: { chain: string }) =>
			`This API token may take nothing on ${chain}. Nothing was sent.`,
		'token-limit.revoked': () => 'This API token was revoked meanwhile. Nothing was sent.',
		'token-limit.recipient': ({ address }: { address: string }) =>
			`This API token may not pay ${address}. Nothing was sent.`,
		'token-limit.recipients-unknown': () =>
			'This API token may pay listed recipients only, and whom this pays cannot be told beforehand. Nothing was sent.',
		'token-limit.unmeasured': () =>
			'This API token has limits, and what this takes cannot be told beforehand. Nothing was sent.'
	})
} satisfies ErrorArea<'token-limit'>;
