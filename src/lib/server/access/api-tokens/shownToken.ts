/** API tokens as pages show them. */
import { formatCoins } from '#lib/chain/amount.ts';
import { ACCOUNT } from '#lib/messages/pages/account.ts';
import type { ApiTokenListing } from './list.ts';
import { ANY_CHAIN } from './spending.ts';
import type { GivenLimits } from './storedLimits.ts';

const WORDS = ACCOUNT.tokens.limits;

const coins = (amount: bigint | null): string | null =>
	amount === null ? null : formatCoins(amount);

/** The limits of a token, a line for each. */
const limitLines = ({ amounts, ...lists }: GivenLimits): string[] => [
	...(['methods', 'daemons', 'wallets', 'addresses', 'recipients'] as const).flatMap((limit) => {
		const names = lists[limit];
		return names === null ? [] : [WORDS[limit](names)];
	}),
	...(amounts ?? []).map(({ chain, each, day }) =>
		WORDS.amounts(chain === ANY_CHAIN ? null : chain, coins(each), coins(day))
	)
];

export const shownToken = (token: ApiTokenListing) => ({
	id: token.id,
	name: token.name,
	role: token.role,
	limits: limitLines(token),
	createdAt: token.createdAt,
	expiresAt: token.expiresAt,
	nearEnd: token.nearEnd,
	lastUsedAt: token.lastUsedAt,
	lastUsedAddress: token.lastUsedAddress,
	lastUsedAgent: token.lastUsedAgent
});
