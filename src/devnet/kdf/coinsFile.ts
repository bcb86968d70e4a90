import { join } from 'node:path';
import { isJsonObject, type JsonValue } from '#lib/rpc/json.ts';
import { writePrivate } from '../store.ts';
import type { KdfRules } from './rules.ts';

/** An entry of a coins file, with the fields that this node reads. */
export interface CoinEntry {
	coin: string;
	name?: string;
	fname?: string;
	mm2?: number;
	protocol?: { type: string; protocol_data?: JsonValue };
	derivation_path?: string;
	sign_message_prefix?: string;
	required_confirmations?: number;
	requires_notarization?: boolean;
	mature_confirmations?: number;
	pubtype?: number;
	p2shtype?: number;
	wiftype?: number;
	address_format?: { format: string; network?: string };
	segwit?: boolean;
	bech32_hrp?: string;
	/** Path of the coin's daemon configuration file. */
	confpath?: string;
	/** Name of the coin on a hardware wallet. */
	trezor_coin?: string;
	decimals?: number;
	contract_supports_watchers?: boolean;
}

const PREFIX = 'Komodo Signed Message:\n';
const BITCOIN_PREFIX = 'Bitcoin Signed Message:\n';
const ETHEREUM_PREFIX = 'Ethereum Signed Message:\n';

/** Entry for a chain of the devnet. */
const komodo = (coin: string, confpath: string): CoinEntry => ({
	coin,
	name: coin.toLowerCase(),
	fname: coin === 'KMD' ? 'Komodo' : coin,
	mm2: 1,
	required_confirmations: coin === 'KMD' ? 2 : 1,
	requires_notarization: coin === 'KMD',
	pubtype: 60,
	p2shtype: 85,
	wiftype: 188,
	protocol: { type: 'UTXO' },
	derivation_path: "m/44'/141'",
	sign_message_prefix: PREFIX,
	trezor_coin: 'Komodo',
	confpath
});

const cash = (coin: string, network: string, type: 'BCH' | 'UTXO'): CoinEntry => ({
	coin,
	name: coin.toLowerCase(),
	fname: coin === 'BCH' ? 'Bitcoin Cash' : 'Bitcoin Cash Testnet',
	mm2: 1,
	required_confirmations: 1,
	pubtype: coin === 'BCH' ? 0 : 111,
	p2shtype: coin === 'BCH' ? 5 : 196,
	wiftype: coin === 'BCH' ? 128 : 239,
	protocol:
		type === 'BCH'
			? {
					type,
					protocol_data: { slp_prefix: coin === 'BCH' ? 'simpleledger' : 'slptest' }
				}
			: { type },
	derivation_path: coin === 'BCH' ? "m/44'/145'" : "m/44'/1'",
	sign_message_prefix: BITCOIN_PREFIX,
	address_format: { format: 'cashaddress', network },
	trezor_coin: 'Bcash'
});

const evm = (coin: string, fname: string, chainId: number, prefix?: string): CoinEntry => ({
	coin,
	name: coin.toLowerCase(),
	fname,
	mm2: 1,
	required_confirmations: 3,
	protocol: { type: 'ETH', protocol_data: { chain_id: chainId } as unknown as JsonValue },
	derivation_path: "m/44'/60'",
	...(prefix === undefined ? {} : { sign_message_prefix: prefix }),
	...(coin === 'ETH' ? { trezor_coin: 'Ethereum' } : {})
});

/** Contracts of the two tokens on the devnet's EVM chain. */
export const TOKEN_CONTRACTS = {
	'USDC-ERC20': '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
	'USDT-ERC20': '0xdAC17F958D2ee523a2206206994597C13D831ec7'
} as const;

/** A token of the devnet's EVM chain, with six decimals. */
const erc20 = (coin: keyof typeof TOKEN_CONTRACTS): CoinEntry => ({
	coin,
	name: coin.toLowerCase(),
	fname: coin,
	mm2: 1,
	required_confirmations: 3,
	protocol: {
		type: 'ERC20',
		protocol_data: { platform: 'ETH', contract_address: TOKEN_CONTRACTS[coin] }
	},
	derivation_path: "m/44'/60'",
	decimals: 6
});

const plain = (coin: string, more: Partial<CoinEntry> = {}): CoinEntry => ({
	coin,
	name: coin.toLowerCase(),
	fname: coin,
	mm2: 1,
	protocol: { type: 'UTXO' },
	...more
});

/**
 * Returns the coins of a development node: the chains of the network, one or more coins of every other
 * protocol, and entries with missing or wrong fields, as real coins files contain.
 */
export const coinEntries = (
	chains: readonly { name: string; confpath: string }[],
	{ seedForms }: KdfRules
): CoinEntry[] => [
	...chains.map(({ name, confpath }) => komodo(name, confpath)),
	cash('BCH', 'bitcoincash', 'BCH'),
	// The current public coins file lists it as a plain UTXO coin.
	cash('tBCH', 'bchtest', seedForms ? 'BCH' : 'UTXO'),
	plain('LTC', {
		fname: 'Litecoin',
		pubtype: 48,
		p2shtype: 50,
		wiftype: 176,
		derivation_path: "m/44'/2'",
		trezor_coin: 'Litecoin'
	}),
	plain('MORTY', {
		sign_message_prefix: PREFIX,
		pubtype: 60,
		p2shtype: 85,
		wiftype: 188,
		derivation_path: "m/44'/141'"
	}),
	plain('NOPFX', {
		fname: 'Test coin without a message prefix',
		pubtype: 60,
		p2shtype: 85,
		wiftype: 188,
		derivation_path: "m/44'/141'"
	}),
	{ coin: 'RICK', name: 'rick', fname: 'RICK', protocol: { type: 'UTXO' } },
	{ coin: 'NOPROTO', fname: 'Test coin without a protocol', mm2: 1 },
	plain('BADPROTO', { fname: 'Test coin of an unknown protocol', protocol: { type: 'NOSUCH' } }),
	plain('QTUM', {
		protocol: { type: 'QTUM' },
		pubtype: 58,
		p2shtype: 50,
		wiftype: 128,
		sign_message_prefix: '\u0015Qtum Signed Message:\n'.slice(1),
		derivation_path: "m/44'/2301'"
	}),
	evm('ETH', 'Ethereum', 1, ETHEREUM_PREFIX),
	...(
		[
			['AVAX', 'Avalanche', 43114],
			['BNB', 'BNB Smart Chain', 56],
			['FTM', 'Fantom', 250],
			['MATIC', 'Polygon', 137],
			['ONE', 'Harmony', 1666600000],
			['ETH-ARB20', 'Arbitrum', 42161]
		] as const
	).map(([coin, name, id]) => evm(coin, name, id)),
	erc20('USDC-ERC20'),
	erc20('USDT-ERC20'),
	plain('NFT_ETH', {
		fname: 'Ethereum NFT',
		protocol: { type: 'NFT', protocol_data: { platform: 'ETH' } },
		derivation_path: "m/44'/60'"
	}),
	plain('ZOMBIE', {
		fname: 'Test coin with shielded addresses',
		protocol: { type: 'ZHTLC', protocol_data: {} }
	})
];

/** Servers of a coin, which are not part of its entry. */
export interface CoinServers {
	electrum?: readonly {
		url: string;
		protocol: 'TCP' | 'SSL';
		disable_cert_verification?: boolean;
	}[];
	bchd_urls?: readonly string[];
	light_wallet_d_servers?: readonly string[];
	nodes?: readonly { url: string; ws_url?: string }[];
	swap_contract_address?: string;
	fallback_swap_contract?: string;
}

/**
 * Writes `coins`, which the node reads, and `coins_config.json`, which combines entries and servers like that
 * of the public repository.
 */
export function writeCoinsFiles(
	dir: string,
	entries: readonly CoinEntry[],
	servers: ReadonlyMap<string, CoinServers>
): void {
	writePrivate(join(dir, 'coins'), `${JSON.stringify(entries, null, '\t')}\n`);
	const joined = Object.fromEntries(
		entries.map((entry) => {
			const { protocol } = entry;
			const data = isJsonObject(protocol?.protocol_data) ? protocol.protocol_data : {};
			return [
				entry.coin,
				{
					...entry,
					...servers.get(entry.coin),
					...(protocol?.type === 'ERC20'
						? { parent_coin: data['platform'], contract_address: data['contract_address'] }
						: {})
				}
			];
		})
	);
	writePrivate(join(dir, 'coins_config.json'), `${JSON.stringify(joined, null, '\t')}\n`);
}
