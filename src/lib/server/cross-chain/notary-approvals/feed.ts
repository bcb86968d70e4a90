/** Published burns as JSON, for notary operators and their tools: a stable, versioned format. */
import { formatCoins } from '#lib/chain/amount.ts';
import { APPROVALS_NEEDED } from '#lib/chain/approval.ts';
import type { PublishedBurn, WaitingBurns } from './notaryApprovals.ts';
import { approvalsPath, commandsOf, type Command } from './publication.ts';

export const FEED_FORMAT = 'komodeck-backup';
export const FEED_VERSION = 1;

/** Placeholder for the origin of this site when it is not configured: the request's host could be forged. */
const HERE = '<this site>';

/** An approval that was submitted. Until it is looked up, its notary is unknown. */
export interface FeedApproval {
	txid: string;
	/** `mined`, `pending`, `gone` (removed by a reorganization), or `unknown` (not looked up yet). */
	state: string;
	/** Compressed key, hex. */
	notary: string | null;
	height: number | null;
	/** Whether this is the one approval of its notary that counts. */
	counts: boolean;
}

export interface FeedBurn {
	burnTxid: string;
	/** The signed burn, hex. */
	burnTxHex: string;
	/** Serialized outputs of the import, hex. */
	payouts: string;
	sourceSymbol: string;
	targetSymbol: string;
	/** The id that both chains share (`ac_cc`). */
	targetCCid: number;
	/** Present only when a token is burned. */
	tokenid?: string;
	/** Coins with eight decimals; base units of a token. */
	amount: string;
	recipients: { address: string | null; amount: string }[];
	/** The block of the source that contains the burn; null while there is none. */
	sourceHeight: number | null;
	sourceBlockHash: string | null;
	/** UTC, ISO 8601. */
	publishedAt: string;
	/** Whether approvals are awaited. */
	open: boolean;
	approvalsNeeded: number;
	approvalsCounted: number;
	approvals: FeedApproval[];
	/** Commands for an operator, in order. */
	commands: Command[];
	/** Page for users. */
	page: string;
	/** URL to which `{"txid":"…"}` is posted. */
	postTo: string;
}

export interface Feed {
	format: typeof FEED_FORMAT;
	version: typeof FEED_VERSION;
	/** Newest first. */
	burns: FeedBurn[];
	/** URL of the next page with older burns; null on the last page. */
	next: string | null;
}

/** @param origin KOMODECK_ORIGIN; without it URLs are relative to the feed */
export function feedBurn(
	{ burn, approvals, counted }: PublishedBurn,
	origin: string | null
): FeedBurn {
	const text = (value: bigint): string =>
		burn.tokenid === null ? formatCoins(value) : value.toString();
	return {
		burnTxid: burn.burnTxid,
		burnTxHex: burn.burnHex,
		payouts: burn.payouts,
		sourceSymbol: burn.source,
		targetSymbol: burn.destination,
		targetCCid: burn.ccid,
		...(burn.tokenid === null ? {} : { tokenid: burn.tokenid }),
		amount: text(burn.amount),
		recipients: burn.outputs.map(({ address, value }) => ({ address, amount: text(value) })),
		sourceHeight: burn.sourceHeight,
		sourceBlockHash: burn.sourceBlock,
		publishedAt: new Date(burn.publishedAt).toISOString(),
		open: burn.open,
		approvalsNeeded: APPROVALS_NEEDED,
		approvalsCounted: counted,
		approvals: approvals.map(({ txid, status, notary, height, counts }) => ({
			txid,
			state: status,
			notary,
			height,
			counts
		})),
		commands: commandsOf(burn, origin ?? HERE),
		page: `${origin ?? ''}/notary-approvals/${burn.burnTxid}`,
		postTo: `${origin ?? ''}${approvalsPath(burn.burnTxid)}`
	};
}

/**
 * Returns a page of the public feed. `origin`: public URL of this installation, for the links; null gives relative
 * ones.
 */
export function feedOf({ burns, next }: WaitingBurns, origin: string | null): Feed {
	return {
		format: FEED_FORMAT,
		version: FEED_VERSION,
		burns: burns.map((one) => feedBurn(one, origin)),
		next:
			next === null
				? null
				: `${origin ?? ''}/api/notary-approvals.json?after=${encodeURIComponent(next)}`
	};
}
