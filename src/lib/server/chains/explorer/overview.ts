import { NO_HASH } from '#lib/chain/bytes.ts';
import type { ChainWarning } from '#lib/messages/overview.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import { MINUTE_MS } from '#lib/text/units.ts';
import { balanceOf } from '../daemon/balance.ts';
import type { PageClient, Recency } from './pageClient.ts';
import { mapPiece, type Known, type Piece } from './piece.ts';

/** Summary of a chain. Times are Unix milliseconds, amounts satoshi. */
export interface ChainGlance {
	height: number;
	/** Greatest height that the daemon has heard of; null when it knows none. */
	longest: number | null;
	/** Null when the daemon does not report it. */
	tipAt: number | null;
	/** Null when the daemon does not report it. */
	peers: number | null;
	/** Number of pending transactions; null when only the index is known. */
	mempool: number | null;
	/** Last notarized height; 0 when there is none yet, null when it is unknown. */
	notarized: number | null;
	notarizationTxid: string | null;
	/** Null when crypto-conditions are off, or {@link ChainGlance.unknown}. */
	ccid: number | null;
	/** Null without one, or {@link ChainGlance.unknown}. */
	pubkey: string | null;
	/** Balance of the daemon's wallet; null without a wallet, or {@link ChainGlance.unknown}. */
	balance: bigint | null;
	/** What is null because nothing reports it. */
	unknown: readonly ('ccid' | 'pubkey' | 'balance')[];
	version: string | null;
	synced: boolean;
	/** Problems of the chain or its daemon. */
	wrong: ChainWarning[];
	/** Read from the index, so facts that only the daemon knows are null. */
	fromIndex: boolean;
}

/** The members of `getinfo` that a glance needs. */
export type GlanceInfo = Pick<
	DaemonResult<'getinfo'>,
	| 'blocks'
	| 'longestchain'
	| 'tiptime'
	| 'connections'
	| 'notarized'
	| 'notarizedtxid'
	| 'CCid'
	| 'pubkey'
	| 'balance'
	| 'KMDversion'
	| 'synced'
	| 'errors'
>;

const TIP_OLD_MS = 30 * MINUTE_MS;

/** Removes everything about the daemon and its wallet from a glance. */
function chainOnly(glance: ChainGlance, now: number): ChainGlance {
	const bare = { ...glance, peers: null, pubkey: null, balance: null, version: null };
	return { ...bare, wrong: blocksMissing(glance, now) };
}

/**
 * Reads the glance of one chain.
 * @param visitor whether the reader has no account
 * @param kept reads the glance from the index, in case the daemon was offline since the start
 * @param recency how recent a remembered answer must be
 */
export async function chainGlance(
	client: PageClient,
	chain: string,
	visitor: boolean,
	kept: () => Promise<Known<ChainGlance> | null>,
	recency: Recency
): Promise<Piece<ChainGlance>> {
	const glance = await readGlance(client, chain, kept, recency);
	return visitor ? mapPiece(glance, (whole) => chainOnly(whole, client.now)) : glance;
}

function readGlance(
	client: PageClient,
	chain: string,
	kept: () => Promise<Known<ChainGlance> | null>,
	recency: Recency
): Promise<Piece<ChainGlance>> {
	const read = async (): Promise<ChainGlance> => {
		const [info, mempool] = await Promise.all([
			client.call(chain, 'getinfo', []),
			client.call(chain, 'getrawmempool', [])
		]);
		const waiting = Array.isArray(mempool) ? mempool.length : Object.keys(mempool).length;
		const balance = await balanceOf(info, () => client.call(chain, 'getwalletinfo', []));
		const told = glanceOf(info, waiting, client.now);
		const unknown = told.unknown.filter((name) => name !== 'balance' || balance === undefined);
		const glance = { ...told, balance: balance ?? null, unknown };
		if (glance.notarized !== null) return glance;
		return { ...glance, notarized: (await kept())?.data.notarized ?? null };
	};
	return client.recentPiece(chain, 'glance', read, kept, recency);
}

/** Converts the daemon's `getinfo`. `now` is Unix milliseconds. */
export function glanceOf(info: GlanceInfo, mempool: number, now: number): ChainGlance {
	const tipTime = reported(info, 'tiptime');
	const notarized = reported(info, 'notarized');
	const notarizationTxid = reported(info, 'notarizedtxid');
	const longest = reported(info, 'longestchain') ?? 0;
	const ccid = reported(info, 'CCid');
	const pubkey = reported(info, 'pubkey');
	const balance = reported(info, 'balance');
	const glance: ChainGlance = {
		height: info.blocks,
		longest: longest > 0 ? longest : null,
		tipAt: tipTime === null ? null : tipTime * 1000,
		peers: reported(info, 'connections'),
		mempool,
		notarized: notarized === null ? null : Math.max(0, notarized),
		notarizationTxid: notarizationTxid === NO_HASH ? null : notarizationTxid,
		ccid: ccid ?? null,
		pubkey: pubkey ?? null,
		balance: balance ?? null,
		unknown: (['ccid', 'pubkey', 'balance'] as const).filter(
			(name) => ({ ccid, pubkey, balance })[name] === null
		),
		version: reported(info, 'KMDversion') ?? null,
		synced: reported(info, 'synced') ?? true,
		wrong: [],
		fromIndex: false
	};
	return { ...glance, wrong: whatIsWrong(glance, reported(info, 'errors') ?? '', now) };
}

function blocksMissing(glance: ChainGlance, now: number): ChainWarning[] {
	const wrong: ChainWarning[] = [];
	const behind = glance.longest === null ? 0 : glance.longest - glance.height;
	if (behind > 1) wrong.push({ code: 'behind', blocks: behind });
	else if (!glance.synced) wrong.push({ code: 'not-synced' });
	if (glance.tipAt !== null && glance.tipAt > 0 && now - glance.tipAt > TIP_OLD_MS)
		wrong.push({ code: 'old-tip', minutes: Math.floor((now - glance.tipAt) / 60_000) });
	return wrong;
}

function whatIsWrong(glance: ChainGlance, errors: string, now: number): ChainWarning[] {
	const wrong = blocksMissing(glance, now);
	if (glance.pubkey === null && !glance.unknown.includes('pubkey'))
		wrong.push({ code: 'no-pubkey' });
	if (errors !== '') wrong.push({ code: 'reported', errors });
	return wrong;
}
