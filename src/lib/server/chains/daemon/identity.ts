import { z } from 'zod';
import type { IdentityDifference } from '#lib/messages/errors/daemon.ts';
import type { DaemonConfig, Dialect } from '#lib/server/platform/config/types.ts';
import type { RawAnswer } from './types.ts';

/** Who a daemon says it is. */
export interface DaemonIdentity {
	name: string | null;
	ccid: number | null;
	pubkey: string | null;
	version: number | null;
	/** The release of the Komodo daemon, such as 0.9.0; its number is the older program's. */
	release: string | null;
	dialect: Dialect;
	/** False for a released daemon that tells nothing of one: it was started without. */
	hasWallet: boolean;
	/** Blocks that it still lacks of the longest chain that its peers tell of; 0 when they tell of none. */
	lacks: number;
}

const number = z.preprocess(
	(value) => (value === null ? undefined : value),
	z.coerce.number().int().optional().catch(undefined)
);

const Info = z.object({
	result: z.looseObject({
		name: z.string().optional().catch(undefined),
		CCid: number,
		pubkey: z.string().optional().catch(undefined),
		version: number,
		KMDversion: z.string().optional().catch(undefined),
		walletversion: z.unknown().optional(),
		balance: z.unknown().optional(),
		blocks: number,
		longestchain: number
	})
});

/** Letters of a release that are shown. */
const LONGEST_RELEASE = 40;
/** Far more than who a daemon is. */
const MOST_BYTES = 64 * 1024;

/**
 * Whether `getinfo` tells of a wallet. Every release of the Komodo daemon does where it has one; of another program
 * nothing follows.
 */
export const tellsOfWallet = (info: {
	KMDversion?: unknown;
	walletversion?: unknown;
	balance?: unknown;
}): boolean =>
	info.KMDversion === undefined || info.walletversion !== undefined || info.balance !== undefined;

/**
 * Reads the few members of `getinfo` that name the chain and the wallet. It is tolerant on purpose: a daemon
 * of another version must still be recognised as the wrong one. Null when the answer names nothing.
 */
export function readIdentity(answer: RawAnswer): DaemonIdentity | null {
	if (answer.body.length > MOST_BYTES) return null;
	let content: unknown;
	try {
		content = JSON.parse(answer.body.toString('utf8'));
	} catch {
		return null;
	}
	const parsed = Info.safeParse(content);
	if (!parsed.success) return null;
	const { name, CCid, pubkey, version, KMDversion, blocks, longestchain, ...rest } =
		parsed.data.result;
	return {
		name: name ?? null,
		ccid: CCid ?? null,
		pubkey: pubkey ?? null,
		version: version ?? null,
		release: KMDversion?.slice(0, LONGEST_RELEASE) ?? null,
		// Every release of the Komodo daemon says its KMDversion.
		dialect: KMDversion === undefined ? 'seed' : 'komodod',
		hasWallet: tellsOfWallet({ KMDversion, ...rest }),
		lacks: blocks === undefined ? 0 : Math.max(0, (longestchain ?? 0) - blocks)
	};
}

/** How the daemon differs from its configuration; null when it does not. */
export function difference(
	config: DaemonConfig,
	identity: DaemonIdentity
): IdentityDifference | null {
	const { chain, expect } = config;
	if (identity.name !== null && identity.name !== chain) {
		return { what: 'chain', found: identity.name, configured: chain };
	}
	if (expect.ccid !== null && identity.ccid !== expect.ccid) {
		return { what: 'ccid', found: identity.ccid, configured: expect.ccid };
	}
	if (expect.pubkey !== null && identity.pubkey?.toLowerCase() !== expect.pubkey.toLowerCase()) {
		return { what: 'pubkey', found: identity.pubkey };
	}
	return null;
}
