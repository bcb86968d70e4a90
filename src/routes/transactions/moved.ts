import type { Send } from '#lib/server/wallet/transactions/store.ts';

/** What one of the team's transactions moves, and to whom. */
interface Moved {
	/** Satoshi, or base units when `decimals` is not null; null when nothing is moved. */
	amount: bigint | null;
	/** Display decimals of a token; null for coins. */
	decimals: number | null;
	/** Addresses, or the public key that receives a token. */
	recipients: string[];
}

const coins = (amount: bigint, recipients: string[] = []): Moved => ({
	amount,
	decimals: null,
	recipients
});

/** @param decimalsOf returns the display decimals of a token */
export function movedBy(
	request: Send['request'],
	decimalsOf: (tokenid: string) => number | undefined
): Moved {
	switch (request.kind) {
		case 'token-create':
			return { amount: request.supply, decimals: request.decimals ?? 0, recipients: [] };
		case 'token-transfer':
		case 'token-burn': {
			const { tokenid, recipient, units, kind } = request;
			return {
				amount: units,
				decimals: decimalsOf(tokenid) ?? 0,
				recipients: kind === 'token-burn' ? [] : [recipient]
			};
		}
		case 'coin-send':
			return coins(
				request.amount,
				request.payments.map(({ address }) => address)
			);
		case 'merge':
			return coins(request.total);
		case 'split':
			return coins(request.amount);
		case 'claim':
			return coins(request.interest);
		case 'self-import-source':
		case 'self-import':
			return coins(request.amount, [request.address]);
		case 'notary-approval':
			return { amount: null, decimals: null, recipients: [] };
	}
}
