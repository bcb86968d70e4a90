import { bytesToHex } from '#lib/chain/bytes.ts';
import { evmAddressOf } from '#lib/chain/evmAddress.ts';
import { entropyToMnemonic, englishWords, iguanaKey, KeyTree } from '#lib/chain/hdKey.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { isJsonObject, JsonNumber } from '#lib/rpc/json.ts';
import { selfSigned } from './electrum/certificate.ts';
import { ElectrumServer, LINES } from './electrum/server.ts';
import { EvmChain, type Nft } from './evm/chain.ts';
import { EvmServer } from './evm/server.ts';
import { confFile } from './files.ts';
import type { Ledger } from './ledger/ledger.ts';
import { LightwalletdServer } from './lightwalletd/server.ts';
import type { KdfAccess } from './kdf/access.ts';
import { cashChain } from './kdf/cashChain.ts';
import { coinEntries, TOKEN_CONTRACTS, writeCoinsFiles } from './kdf/coinsFile.ts';
import type { CoinEntry, CoinServers } from './kdf/coinsFile.ts';
import { TradingNode } from './kdf/kdf.ts';
import type { Profile } from './profile.ts';
import { secretOf, type Key } from './wallet/keys.ts';

/** The shielded coin of the network, and the chain whose height its servers report. */
const SHIELDED = { coin: 'ZOMBIE', chain: 'KMD' };

/** Offsets from the base port. */
const LIGHT_OFFSET = 1;
const NODE_OFFSET = 22;
const EVM_OFFSET = 23;
/** Two ports per coin: plain and TLS. */
const ELECTRUM_OFFSET = 24;

const SWAP_CONTRACTS = {
	swap_contract_address: '0x24ABE4c71FC658C91313b6552cd40cD808b3Ea80',
	fallback_swap_contract: '0x8500AFc0bc5214728082163326C2FF0C73f4a871'
};

/** Derives a password that meets the node's rules: four kinds of characters, none three times in a row. */
function strongPassword(seed: string): string {
	for (let n = 0; ; n++) {
		const hex = bytesToHex(secretOf(seed, `node password ${n}`)).slice(0, 24);
		if (!/(.)\1\1/.test(hex)) return `Kd_${hex}z7`;
	}
}

/** Creates the settings of a new network's trading node. */
export const newKdfAccess = (seed: string, basePort: number): KdfAccess => ({
	port: basePort + NODE_OFFSET,
	password: strongPassword(seed),
	passphrase: entropyToMnemonic(secretOf(seed, 'node passphrase').slice(0, 16), englishWords),
	isHd: false
});

interface TradingOptions {
	dir: string;
	seed: string;
	basePort: number;
	access: KdfAccess;
	profile: Profile;
	ledgers: ReadonlyMap<string, Ledger>;
	treasury: Key;
	clock: () => number;
	/** Unix seconds at which the network was created. */
	since: number;
	/** Called after something was sent to a chain. */
	touched: () => void;
}

const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;

const nft = (n: number, type: Nft['contract_type'], amount: string): Nft => ({
	token_address: `0xc28acdda3a75cf8bc9f9e6aef1ae4ce1e86d344${n}`,
	token_id: String(n),
	contract_type: type,
	amount,
	name: `Devnet picture ${n}`,
	symbol: 'PIC',
	token_uri: ''
});

/** The trading node of a network, and the servers that it can use. */
export class Trading {
	readonly node: TradingNode;
	readonly electrum: readonly ElectrumServer[];
	readonly evm: EvmServer;
	/** Server of the shielded coin. */
	readonly lightwalletd: LightwalletdServer;
	readonly #options: TradingOptions;

	constructor(options: TradingOptions) {
		this.#options = options;
		const { dir, seed, basePort, access, profile, ledgers, treasury, clock, since } = options;
		const chains = [...ledgers.keys()].map((name) => ({
			name,
			confpath: confFile(dir, name, name)
		}));
		const rules = { seedForms: profile.seedForms, build: profile.kdfBuild };
		const entries = coinEntries(chains, rules);
		this.node = new TradingNode({ access, rules, entries, seed, clock });
		const cash = cashChain(clock, treasury, [publicKeyOf(iguanaKey(access.passphrase))]);
		const certificate = selfSigned();
		this.electrum = [...ledgers, ['BCH', cash] as const].map(
			([ticker, ledger], n) =>
				new ElectrumServer({
					ticker,
					ledger,
					certificate,
					ports: {
						tcp: basePort + ELECTRUM_OFFSET + 2 * n,
						ssl: basePort + ELECTRUM_OFFSET + 2 * n + 1
					},
					sent: options.touched
				})
		);
		this.lightwalletd = new LightwalletdServer({
			port: basePort + LIGHT_OFFSET,
			ledger: ledgers.get(SHIELDED.chain)!,
			chain: SHIELDED.coin
		});
		this.evm = new EvmServer({
			port: basePort + EVM_OFFSET,
			chain: this.#evmChain(since),
			chainIds: new Map(entries.flatMap((entry) => chainIdOf(entry)))
		});
	}

	#evmChain(startedAt: number): EvmChain {
		const { access, clock } = this.#options;
		const own = evmAddressOf(publicKeyOf(iguanaKey(access.passphrase))).toLowerCase();
		const [usdc, usdt] = Object.entries(TOKEN_CONTRACTS);
		const token = ([ticker, contract]: [string, string], units: bigint) => ({
			ticker,
			contract: contract.toLowerCase(),
			decimals: 6,
			balances: new Map([[own, units]])
		});
		return new EvmChain({
			balances: new Map([[own, ETHER / 2n]]),
			tokens: [token(usdc!, 12_500_000n), token(usdt!, 300n * DOLLAR)],
			nfts: new Map([[own, [nft(1, 'ERC1155', '3'), nft(2, 'ERC721', '1')]]]),
			startedAt,
			clock
		});
	}

	#serversOf({ coin, protocol }: CoinEntry): CoinServers {
		if (protocol?.type === 'ETH') {
			const place = `127.0.0.1:${this.evm.port}/${coin}`;
			return { nodes: [{ url: `http://${place}`, ws_url: `ws://${place}` }], ...SWAP_CONTRACTS };
		}
		const server = this.electrum.find(
			({ ticker }) =>
				ticker === coin ||
				(ticker === 'BCH' && coin === 'tBCH') ||
				(ticker === SHIELDED.chain && coin === SHIELDED.coin)
		);
		if (!server) return {};
		const { tcp, ssl } = server.ports;
		return {
			electrum: [
				{ url: `127.0.0.1:${tcp}`, protocol: 'TCP' },
				{ url: `127.0.0.1:${ssl}`, protocol: 'SSL', disable_cert_verification: true }
			],
			...(coin === SHIELDED.coin
				? { light_wallet_d_servers: [`http://127.0.0.1:${this.lightwalletd.port}`] }
				: {}),
			...(server.ticker === 'BCH' ? { bchd_urls: [`https://127.0.0.1:${ssl}`] } : {})
		};
	}

	/** Public keys of the node, with the satoshi that each is given on a chain at the start. */
	gifts(): { pubkey: Uint8Array; value: bigint }[] {
		const { passphrase } = this.#options.access;
		const tree = new KeyTree(passphrase);
		const at = (index: number): Uint8Array => tree.keyAt(`m/44'/141'/0'/0/${index}`);
		return [
			{ key: iguanaKey(passphrase), value: 762_000_000n },
			{ key: at(0), value: 1_250_000_000n },
			{ key: at(1), value: 325_000_000n }
		].map(({ key, value }) => ({ pubkey: publicKeyOf(key), value }));
	}

	/** Writes the coins files with the servers of the network. */
	writeCoins(): void {
		const { entries } = this.node;
		const servers = new Map(entries.map((entry) => [entry.coin, this.#serversOf(entry)]));
		writeCoinsFiles(this.#options.dir, entries, servers);
	}

	async open(): Promise<void> {
		await Promise.all([
			this.node.http.open(),
			this.evm.open(),
			this.lightwalletd.open(),
			...this.electrum.flatMap((server) => LINES.map((line) => server.open(line)))
		]);
	}

	async close(): Promise<void> {
		await Promise.all([
			this.node.close(),
			this.evm.close(),
			this.lightwalletd.close(),
			...this.electrum.map((server) => server.closeAll())
		]);
	}
}

const chainIdOf = ({ coin, protocol }: CoinEntry): [string, number][] => {
	const data = protocol?.protocol_data;
	const id: unknown = isJsonObject(data) ? data['chain_id'] : undefined;
	const number = id instanceof JsonNumber ? id.toNumber() : id;
	return typeof number === 'number' ? [[coin, number]] : [];
};
