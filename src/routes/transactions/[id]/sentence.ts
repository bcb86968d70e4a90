import { sentTransaction } from '#lib/messages/pages/transactions.ts';
import type { PageData } from './$types';

const { does } = sentTransaction;

/**
 * Describes what a transaction does, as a sentence.
 * @param tokenName name of the created or moved token, with invisible characters made visible
 * @param decimals display decimals of the token
 */
export function sentenceOf(
	{ chain, request }: Pick<PageData['send'], 'chain' | 'request'>,
	tokenName: string,
	decimals: number
): string {
	switch (request.kind) {
		case 'coin-send':
			return does.pay(
				request.amount,
				chain,
				request.payments.map(({ address }) => address)
			);
		case 'split':
			return does.split(request.parts, request.amount, chain);
		case 'merge':
			return does.consolidate(request.count, request.total, chain);
		case 'claim':
			return does.claim(request.interest, chain, request.count);
		case 'notary-approval':
			return does.approve(chain, request.source);
		case 'token-create':
			return request.data === ''
				? does.create(tokenName, chain, request.supply, decimals)
				: does.createNonFungible(tokenName, chain);
		case 'token-burn':
			return does.burn(request.units, tokenName, decimals);
		case 'token-transfer':
			return does.transfer(request.units, tokenName, decimals, request.recipient);
		default:
			return does.selfImport(request.amount, chain, request.address);
	}
}
