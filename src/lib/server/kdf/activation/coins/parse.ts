/**
 * Reads the files of the public `coins` repository as the trading node does: the `coins` file, a list of
 * entries; or one of its joined forms (`coins_config.json`), an object by ticker; and the server lists
 * `electrums/<TICKER>`. Known members must have their type, unknown ones are left alone, and one bad entry
 * costs only itself. Pure.
 */
import { z } from 'zod';
import { coinsFile } from '#lib/messages/coinsFile.ts';
import { AppError, isAppError } from '../../../platform/errors/appError.ts';
import { ELECTRUM_PROTOCOLS, type ElectrumServer } from '../../egress/electrum.ts';
import { readTarget, readUrl } from '../../egress/target.ts';

/** Longer tickers are nobody's. */
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
	/** In joined files the kind of coin stands beside the protocol. */
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
	/** Of shielded coins: servers that read the chain for light wallets. */
	light_wallet_d_servers: z.array(z.unknown()).optional(),
	/** Of EVM coins: where the chain is asked, and the contracts of swaps. */
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
	/** For people. */
	name: string;
	/** Name of its protocol: `UTXO`, `BCH`, `ETH`, `ERC20`, …; null where the entry is too old to say. */
	protocol: string | null;
	/** What the protocol says besides, such as the platform of a token. */
	protocolData: unknown;
	/** 1: made for swaps, 0: wallet only, null: not said, so that legacy activation must say it. */
	mm2: number | null;
	derivationPath: string | null;
	signMessagePrefix: string | null;
	requiredConfirmations: number | null;
	requiresNotarization: boolean | null;
	addressFormat: { format: string; network?: string | undefined } | null;
	pubtype: number | null;
	/** The byte of its addresses before that of `pubtype`; 0 where there is none. */
	taddr: number;
	/** Human-readable part of its SegWit addresses; null where it has none. */
	bech32Prefix: string | null;
	/** Name by which a native daemon's folder is found; null when the entry names none. */
	daemonName: string | null;
	hardware: boolean;
	testnet: boolean;
	bchdUrls: readonly string[];
	servers: readonly ElectrumServer[];
	/** Servers for WebSockets: released nodes use them in browsers only, one of the interface document anywhere. */
	socketServers: readonly ElectrumServer[];
	/** Addresses of lightwalletd servers; shielded coins only. */
	lightServers: readonly string[];
	/** EVM coins only. */
	nodes: readonly EvmNode[];
	/** Contracts of swaps as the joined file has them; null where it does not say. */
	swapContract: string | null;
	fallbackContract: string | null;
}

interface CoinsRead {
	coins: Coin[];
	/** What could not be used, each a sentence. */
	problems: string[];
}

/** Reads a list of servers. */
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

/** Nodes of an EVM chain; those whose address this console would not go to are left out. */
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

/** Addresses of lightwalletd servers; those to which this console would not go are left out. */
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

/** Servers apart from those for WebSockets. */
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
		mm2: entry.mm2 ?? null,
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
	return { coins: [...coins.values()], problems };
}

/** Whether the coins file has this contract for swaps of the coin; the case of its digits says nothing. */
export const hasContract = (
	{ swapContract, fallbackContract }: Pick<Coin, 'swapContract' | 'fallbackContract'>,
	address: string
): boolean =>
	[swapContract, fallbackContract].some((own) => own?.toLowerCase() === address.toLowerCase());

/** The ticker whose server list a coin uses: segwit twins share that of their base. */
export const serverListOf = (ticker: string): string => ticker.replace(/-segwit$/, '');
