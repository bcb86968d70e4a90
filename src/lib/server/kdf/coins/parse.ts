/**
 * Reads the files of the public `coins` repository as the trading node does: the `coins` file, a list of
 * entries; or one of its joined forms (`coins_config.json`), an object by ticker; and the server lists
 * `electrums/<TICKER>`. Known members must have their type, unknown ones are ignored, and an invalid entry
 * does not affect the others. Pure.
 */
import { z } from 'zod';
import { coinsFile } from '#lib/messages/coinsFile.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import { ELECTRUM_PROTOCOLS, type ElectrumServer } from '../egress/electrumServer.ts';
import { readTarget, readUrl } from '../egress/target.ts';

/** No coin has a longer ticker. */
const MOST_TICKER = 64;

const Ticker = z
	.string(coinsFile.noTicker)
	.min(1, 'has an empty ticker')
	.max(MOST_TICKER, 'has a ticker that is too long')
	.regex(/^[^\s/\\<>"'`]+$/, coinsFile.tickerCharacters);

const Count = z.int().nonnegative();

/** Members that this console uses; the node reads more (release 2.5.1, `coins` file). */
const Entry = z.looseObject({
	coin: Ticker,
	/** Display name. */
	fname: z.string().optional(),
	/** Name of the daemon's folder. */
	name: z.string().optional(),
	/** Name of an asset chain, for its configuration file. */
	asset: z.string().optional(),
	/** Whether atomic swaps can use it; legacy activation needs it here or in the call. */
	mm2: z.number().optional(),
	protocol: z.looseObject({ type: z.string(), protocol_data: z.unknown().optional() }).optional(),
	/** Kind of coin, which joined files have next to the protocol. */
	type: z.string().optional(),
	derivation_path: z.string().optional(),
	sign_message_prefix: z.string().optional(),
	required_confirmations: Count.optional(),
	requires_notarization: z.boolean().optional(),
	address_format: z.looseObject({ format: z.string(), network: z.string().optional() }).optional(),
	pubtype: Count.max(255).optional(),
	p2shtype: Count.max(255).optional(),
	taddr: Count.max(255).optional(),
	bech32_hrp: z.string().optional(),
	segwit: z.boolean().optional(),
	trezor_coin: z.string().optional(),
	wallet_only: z.boolean().optional(),
	is_testnet: z.boolean().optional(),
	bchd_urls: z.array(z.string()).optional(),
	electrum: z.array(z.unknown()).optional(),
	/** Lightwalletd servers; shielded coins only. */
	light_wallet_d_servers: z.array(z.unknown()).optional(),
	/** JSON-RPC nodes and swap contracts; EVM coins only. */
	nodes: z.array(z.unknown()).optional(),
	swap_contract_address: z.string().optional(),
	fallback_swap_contract: z.string().optional()
});

const EvmNode = z.looseObject({ url: z.string(), ws_url: z.string().optional() });

const Server = z.looseObject({
	url: z.string(),
	protocol: z.enum(ELECTRUM_PROTOCOLS).default('TCP'),
	disable_cert_verification: z.boolean().optional()
});

/** A node of an EVM chain, by its JSON-RPC address. */
export interface EvmNode {
	url: string;
	ws_url?: string | undefined;
}

/** One coin as the coins file describes it. */
export interface Coin {
	ticker: string;
	/** Display name. */
	name: string;
	/** Name of its protocol: `UTXO`, `BCH`, `ETH`, `ERC20`, …; null in old entries that have none. */
	protocol: string | null;
	/** Further data of the protocol, such as the platform of a token. */
	protocolData: unknown;
	/** 1: usable for swaps, 0: wallet only, null: not stated, so that a legacy activation must state it. */
	mm2: number | null;
	derivationPath: string | null;
	signMessagePrefix: string | null;
	requiredConfirmations: number | null;
	requiresNotarization: boolean | null;
	addressFormat: { format: string; network?: string | undefined } | null;
	pubtype: number | null;
	/** The byte of its addresses before that of `pubtype`; 0 when there is none. */
	taddr: number;
	/** Human-readable part of its SegWit addresses; null where it has none. */
	bech32Prefix: string | null;
	/** Name by which a native daemon's folder is found; null when the entry names none. */
	daemonName: string | null;
	hardware: boolean;
	testnet: boolean;
	bchdUrls: readonly string[];
	servers: readonly ElectrumServer[];
	/**
	 * WebSocket servers: released nodes use them in browsers only, nodes of the interface document everywhere.
	 */
	socketServers: readonly ElectrumServer[];
	/** Addresses of lightwalletd servers; shielded coins only. */
	lightServers: readonly string[];
	/** EVM coins only. */
	nodes: readonly EvmNode[];
	/** Swap contracts, from a joined file; null when it has none. */
	swapContract: string | null;
	fallbackContract: string | null;
}

interface CoinsRead {
	coins: Coin[];
	/** Messages about entries that could not be used. */
	problems: string[];
}

/** Reads a list of servers; invalid ones are reported and skipped. */
export function readServers(
	content: unknown,
	where: string
): { servers: ElectrumServer[]; problems: string[] } {
	if (!Array.isArray(content)) return { servers: [], problems: [coinsFile.notList(where)] };
	const servers: ElectrumServer[] = [];
	const problems: string[] = [];
	for (const [at, one] of content.entries()) {
		const parsed = Server.safeParse(one);
		if (!parsed.success) {
			problems.push(coinsFile.serverForm(where, at + 1));
			continue;
		}
		const { url, protocol, disable_cert_verification: anyCertificate } = parsed.data;
		try {
			readTarget(url);
		} catch {
			problems.push(coinsFile.serverAddress(where, at + 1));
			continue;
		}
		if (servers.some((known) => known.url === url && known.protocol === protocol)) continue;
		servers.push({
			url,
			protocol,
			...(anyCertificate === true ? { disable_cert_verification: true } : {})
		});
	}
	return { servers, problems };
}

/**
 * Returns the nodes of an EVM chain; those whose address this server would not connect to are reported and
 * skipped.
 */
function evmNodesOf({ coin, nodes = [] }: z.infer<typeof Entry>, problems: string[]): EvmNode[] {
	const read = nodes.flatMap((one, at) => {
		const parsed = EvmNode.safeParse(one);
		try {
			if (!parsed.success) throw new AppError('egress.target-invalid', { reason: 'missing' });
			const { url, ws_url: socket } = parsed.data;
			readUrl(url, ['http', 'https']);
			return [{ url, ...(socket === undefined ? {} : { ws_url: socket }) }];
		} catch (error) {
			if (!isAppError(error, 'egress')) throw error;
			problems.push(coinsFile.node(coin, at + 1));
			return [];
		}
	});
	return read.filter(({ url }, at) => read.findIndex((one) => one.url === url) === at);
}

/**
 * Returns the addresses of lightwalletd servers; those that this server would not connect to are reported and
 * skipped.
 */
function lightServersOf(
	{ coin, light_wallet_d_servers: servers = [] }: z.infer<typeof Entry>,
	problems: string[]
): string[] {
	const read = servers.flatMap((one, at) => {
		try {
			if (typeof one !== 'string') {
				throw new AppError('egress.target-invalid', { reason: 'missing' });
			}
			readUrl(one, ['http', 'https']);
			return [one];
		} catch (error) {
			if (!isAppError(error, 'egress')) throw error;
			problems.push(coinsFile.lightServer(coin, at + 1));
			return [];
		}
	});
	return [...new Set(read)];
}

const isSocket = ({ protocol }: ElectrumServer): boolean => protocol === 'WS' || protocol === 'WSS';

/** Separates servers for WebSockets from the others. */
export const byKind = (
	servers: readonly ElectrumServer[]
): Pick<Coin, 'servers' | 'socketServers'> => ({
	servers: servers.filter((server) => !isSocket(server)),
	socketServers: servers.filter(isSocket)
});

function coinOf(entry: z.infer<typeof Entry>, problems: string[]): Coin {
	const listed = entry.electrum === undefined ? null : readServers(entry.electrum, entry.coin);
	if (listed) problems.push(...listed.problems);
	return {
		ticker: entry.coin,
		name: entry.fname ?? entry.name ?? entry.coin,
		protocol: entry.protocol?.type ?? null,
		protocolData: entry.protocol?.protocol_data ?? null,
		mm2: entry.mm2 === undefined ? null : entry.mm2 === 0 ? 0 : 1,
		derivationPath: entry.derivation_path ?? null,
		signMessagePrefix: entry.sign_message_prefix ?? null,
		requiredConfirmations: entry.required_confirmations ?? null,
		requiresNotarization: entry.requires_notarization ?? null,
		addressFormat:
			entry.address_format === undefined
				? null
				: { format: entry.address_format.format, network: entry.address_format.network },
		pubtype: entry.pubtype ?? null,
		taddr: entry.taddr ?? 0,
		bech32Prefix: entry.bech32_hrp ?? null,
		daemonName: entry.asset ?? entry.name ?? null,
		hardware: entry.trezor_coin !== undefined,
		testnet: entry.is_testnet ?? false,
		bchdUrls: [...new Set(entry.bchd_urls)],
		...byKind(listed?.servers ?? []),
		lightServers: lightServersOf(entry, problems),
		nodes: evmNodesOf(entry, problems),
		swapContract: entry.swap_contract_address ?? null,
		fallbackContract: entry.fallback_swap_contract ?? null
	};
}

const members = (value: unknown): Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/**
 * Returns an SLP token with the format of its addresses: they are CashAddr addresses with a prefix that the entry of
 * its platform has.
 */
function withSlpFormat(coin: Coin, coins: ReadonlyMap<string, Coin>): Coin {
	if (coin.protocol !== 'SLPTOKEN' || coin.addressFormat !== null) return coin;
	const { platform: ticker } = members(coin.protocolData);
	const platform = typeof ticker === 'string' ? coins.get(ticker) : undefined;
	const { slp_prefix: prefix } = members(platform?.protocolData);
	const usual = coin.testnet || platform?.testnet ? 'slptest' : 'simpleledger';
	const network = typeof prefix === 'string' ? prefix : usual;
	return { ...coin, addressFormat: { format: 'cashaddress', network } };
}

/** Reads the content of a coins file. The first entry of a ticker counts, as in the node. */
export function readCoins(content: unknown): CoinsRead {
	const entries: unknown[] | null = Array.isArray(content)
		? content
		: typeof content === 'object' && content !== null
			? Object.values(content)
			: null;
	if (entries === null) return { coins: [], problems: [coinsFile.notCoins] };
	const problems: string[] = [];
	const coins = new Map<string, Coin>();
	for (const [at, one] of entries.entries()) {
		const parsed = Entry.safeParse(one);
		if (!parsed.success) {
			const issue = parsed.error.issues[0]!;
			const ticker = Ticker.safeParse((one as { coin?: unknown } | null)?.coin);
			const place = ticker.success ? ticker.data : coinsFile.entry(at + 1);
			const member = issue.path.join('.');
			problems.push(
				issue.path.length === 0
					? coinsFile.notObject(place)
					: member === 'coin'
						? coinsFile.ticker(place, issue.message)
						: coinsFile.member(place, member)
			);
			continue;
		}
		if (coins.has(parsed.data.coin)) continue;
		coins.set(parsed.data.coin, coinOf(parsed.data, problems));
	}
	return { coins: [...coins.values()].map((coin) => withSlpFormat(coin, coins)), problems };
}

/** Whether the coins file has this swap contract for the coin. Addresses are compared without case. */
export const hasContract = (
	{ swapContract, fallbackContract }: Pick<Coin, 'swapContract' | 'fallbackContract'>,
	address: string
): boolean =>
	[swapContract, fallbackContract].some((own) => own?.toLowerCase() === address.toLowerCase());

/** Returns the ticker whose server list a coin uses: SegWit variants share that of their base coin. */
export const serverListOf = (ticker: string): string => ticker.replace(/-segwit$/, '');
