import { amountText, plural } from '#lib/ui/format.ts';
import type { PageData } from './$types';

/**
 * What a transaction does, as a sentence.
 * @param tokenName of the token that is moved
 * @param decimals in which that token is shown
 */
export function sentenceOf(
	{ chain, request }: Pick<PageData['send'], 'chain' | 'request'>,
	tokenName: string,
	decimals: number
): string {
	switch (request.kind) {
		case 'merge':
			return `Makes one output of ${plural(request.count, 'output')} of this wallet, ${amountText(request.total)} ${chain} together.`;
		case 'notary-approval':
			return `Says on ${chain}, as a notary, that a burn happened on ${request.source}.`;
		case 'token-create':
			return request.data === ''
				? `Creates the token “${request.name}” on ${chain} with ${plural(request.supply, 'unit')}, which belong to this wallet, and locks ${amountText(request.supply)} ${chain} in them.`
				: `Creates the non-fungible token “${request.name}” on ${chain}, which belongs to this wallet.`;
		case 'token-burn':
			return `Destroys ${unitsText(request.units, tokenName, decimals)} for ever.`;
		case 'token-transfer':
			return `Transfers ${unitsText(request.units, tokenName, decimals)} to the key ${request.recipient.slice(0, 10)}…${request.recipient.slice(-6)}.`;
		default:
			return `Creates ${amountText(request.amount)} ${chain} for ${request.address}.`;
	}
}

function unitsText(units: bigint, tokenName: string, decimals: number): string {
	const bare = plural(units, 'unit');
	return decimals === 0
		? `${bare} of “${tokenName}”`
		: `${amountText(units, decimals)} of ${tokenName} (${bare})`;
}
