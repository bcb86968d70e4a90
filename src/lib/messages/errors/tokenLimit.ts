import type { ErrorArea } from './define.ts';

/** A send beyond the limits of its API token. Amounts are decimal texts in coins of the chain. */
export const tokenLimit = {
	'token-limit.each': {
		status: 403,
		message: ({ chain, takes, most }: { chain: string; takes: string; most: string }) =>
			`This API token may take at most ${most} ${chain} with one transaction, and this one takes ${takes} ${chain}. Nothing was sent.`
	},
	'token-limit.day': {
		status: 403,
		message: ({
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
			`This API token may take at most ${most} ${chain} in 24 hours and has taken ${used} ${chain}: this one takes ${takes} ${chain}. Nothing was sent.`
	},
	'token-limit.chain': {
		status: 403,
		message: ({ chain }: { chain: string }) =>
			`This API token may take nothing on ${chain}. Nothing was sent.`
	},
	'token-limit.revoked': {
		status: 403,
		message: () => 'This API token was revoked meanwhile. Nothing was sent.'
	},
	'token-limit.recipient': {
		status: 403,
		message: ({ address }: { address: string }) =>
			`This API token may not pay ${address}. Nothing was sent.`
	},
	'token-limit.recipients-unknown': {
		status: 403,
		message: () =>
			'This API token may pay listed recipients only, and whom this pays cannot be told beforehand. Nothing was sent.'
	},
	'token-limit.unmeasured': {
		status: 403,
		message: () =>
			'This API token has limits, and what this takes cannot be told beforehand. Nothing was sent.'
	}
} satisfies ErrorArea<'token-limit'>;
