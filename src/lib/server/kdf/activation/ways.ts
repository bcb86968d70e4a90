/** By which calls of the trading node a coin is activated. Pure. */
import type { Coin } from './coins/parse.ts';
import type { ActivationMethod } from './methods.ts';

/** Ways that fit a coin, the usual one first. In a wallet of many addresses only tasks work. */
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

/** Bitcoin Cash, also where today's coins files describe it as an ordinary coin. */
const isCash = ({ addressFormat }: Coin): boolean => addressFormat?.format === 'cashaddress';

/** Coins whose swaps stand in contracts, although Electrum servers tell of them. */
export const hasContracts = ({ protocol }: Coin): boolean =>
	protocol === 'QRC20' || protocol === 'QTUM';

export const usesServers = (method: ActivationMethod): boolean =>
	method === 'electrum' ||
	method === 'task::enable_utxo' ||
	method === 'task::enable_bch' ||
	method === 'task::enable_qtum' ||
	isShielded(method);

/** Also reads the chain through lightwalletd servers. */
export const isShielded = (method: ActivationMethod): boolean => method === 'task::enable_z_coin';
