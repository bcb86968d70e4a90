import { amountProse, plural } from '#lib/ui/format.ts';
import type { PageData } from './$types';

/**
 * What a transaction does, as a sentence.
 * @param tokenName of the token that is moved
 * @param decimals in which the token is shown
 */
export function sentenceOf(
	{ chain, request }: Pick<PageData['send'], 'chain' | 'request'>,
	tokenName: string,
	decimals: number
): string {
	switch (request.kind) {
		case 'merge':
			return `Combines ${plural(request.count, 'UTXO')} of this wallet into one, ${amountProse(request.total)} ${chain} in total.`;
		case 'notary-approval':
			return `Approves on ${chain}, as a notary, a burn on ${request.source}.`;
		case 'token-create':
			return request.data === ''
				? `Creates the token “${request.name}” on ${chain} with a supply of ${supplyText(request.supply, decimals)}, held by this wallet and backed by ${amountProse(request.supply)} ${chain}.`
				: `Creates the non-fungible token “${request.name}” on ${chain}, held by this wallet.`;
		case 'token-burn':
			return `Permanently burns ${unitsText(request.units, tokenName, decimals)}.`;
		case 'token-transfer':
			return `Transfers ${unitsText(request.units, tokenName, decimals)} to ${request.recipient.slice(0, 10)}…${request.recipient.slice(-6)}.`;
		default:
			return `Creates ${amountProse(request.amount)} ${chain} for ${request.address}.`;
	}
}

function supplyText(units: bigint, decimals: number): string {
	const bare = plural(units, 'base unit');
	return decimals === 0 ? bare : `${amountProse(units, decimals)} (${bare})`;
}

function unitsText(units: bigint, tokenName: string, decimals: number): string {
	return decimals === 0
		? `${plural(units, 'base unit')} of “${tokenName}”`
		: `${amountProse(units, decimals)} ${tokenName} (${plural(units, 'base unit')})`;
}
