/** Methods of the trading node that activate a coin. Pure. */
import type { Coin } from './parse.ts';
import type { ActivationMethod } from './methods.ts';

/** Returns the methods that fit a coin, the usual one first. In an HD wallet only tasks work. */
export function methodsFor(coin: Coin): ActivationMethod[] {
	switch (coin.protocol) {
		case 'UTXO':
			return [
				'task::enable_utxo',
				'electrum',
				'enable',
				...(coin.bchdUrls.length > 0 || isCash(coin) ? ['task::enable_bch' as const] : [])
			];
		case 'BCH':
			return ['task::enable_bch', 'electrum', 'enable'];
		case 'QTUM':
			return ['electrum', 'task::enable_qtum', 'enable'];
		case 'QRC20':
		case null:
			return ['electrum', 'enable'];
		case 'ETH':
			return ['enable_eth_with_tokens', 'task::enable_eth', 'enable'];
		case 'ERC20':
			return ['enable_erc20', 'task::enable_erc20', 'enable'];
		case 'NFT':
			return ['enable_nft'];
		case 'ZHTLC':
			return ['task::enable_z_coin'];
		default:
			return [];
	}
}

/** Whether it is Bitcoin Cash, which current coins files describe as an ordinary coin. */
const isCash = ({ addressFormat }: Coin): boolean => addressFormat?.format === 'cashaddress';

/** Whether swaps of a coin use contracts, although it is read through Electrum servers. */
export const hasContracts = ({ protocol }: Coin): boolean =>
	protocol === 'QRC20' || protocol === 'QTUM';

/** Whether a method takes Electrum servers, alone or with others. */
export const usesServers = (method: ActivationMethod): boolean =>
	method === 'electrum' ||
	method === 'task::enable_utxo' ||
	method === 'task::enable_bch' ||
	method === 'task::enable_qtum' ||
	isShielded(method);

/** Whether a method also reads the chain through lightwalletd servers. */
export const isShielded = (method: ActivationMethod): boolean => method === 'task::enable_z_coin';
