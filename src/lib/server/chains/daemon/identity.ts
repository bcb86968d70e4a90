import { z } from 'zod';
import { isPubkeyText } from '#lib/chain/idText.ts';
import type { IdentityDifference } from '#lib/messages/errors/daemon.ts';
import type { Dialect } from '#lib/rpc/codec.ts';
import { RPC_METHOD_NOT_FOUND } from '#lib/rpc/errorCodes.ts';
import type { DaemonConfig } from '#lib/server/platform/config/types.ts';
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';
import type { RawAnswer } from '../upstream/rawAnswer.ts';
import { reported } from '#lib/rpc/tolerant.ts';

/** Identity of a daemon, from its `getinfo`. */
export interface DaemonIdentity {
	name: string | null;
	ccid: number | null;
	pubkey: string | null;
	version: number | null;
	/** Release of the Komodo daemon, such as 0.9.0; `version` is that of the program it was derived from. */
	release: string | null;
	dialect: Dialect;
	/** `ac_algo` of a chain that does not use Equihash; null where none is reported. */
	algorithm: string | null;
	/** False when a Komodo daemon reports no wallet: it was started without one. */
	hasWallet: boolean;
	/** Blocks that it lacks of the longest chain that its peers claim; 0 when unknown. */
	lacks: number;
}

/** A number of `getinfo`, also as text; undefined when it is missing or unreadable. */
export const number = z.preprocess(
	(value) => (value === null ? undefined : value),
	z.coerce.number().int().optional().catch(undefined)
);

const Info = z.object({
	result: z.looseObject({
		name: z.string().optional().catch(undefined),
		CCid: number,
		// The daemon accepts any `-pubkey`; one that is no compressed key has the effect of none.
		pubkey: z.string().toLowerCase().refine(isPubkeyText).optional().catch(undefined),
		version: number,
		KMDversion: z.string().optional().catch(undefined),
		algo: z.string().optional().catch(undefined),
		walletversion: z.unknown().optional(),
		balance: z.unknown().optional(),
		blocks: number,
		longestchain: number
	})
});

/** The `algo` of a usual chain, which Komodo daemon 0.9.0 leaves out. */
const EQUIHASH = 'equihash';

/** Characters of a release that are kept. */
const LONGEST_RELEASE = 40;
/**
 * Every release of the Komodo daemon serves `getinfo`, and the interface document does not mention it: a daemon without
 * it follows the document.
 */
export const UNTOLD: DaemonIdentity = {
	name: null,
	ccid: null,
	pubkey: null,
	version: null,
	release: null,
	dialect: 'seed',
	algorithm: null,
	hasWallet: true,
	lacks: 0
};

const Unserved = z.object({ error: z.object({ code: z.literal(RPC_METHOD_NOT_FOUND) }) });

/** Far more than a `getinfo` answer needs. */
const MOST_BYTES = 64 * 1024;

/**
 * Returns whether `getinfo` reports a wallet. Every release of the Komodo daemon does when it has one; for other
 * programs the answer proves nothing, so true is returned.
 */
export const tellsOfWallet = (info: {
	KMDversion?: unknown;
	walletversion?: unknown;
	balance?: unknown;
}): boolean =>
	reported(info, 'KMDversion') === undefined ||
	reported(info, 'walletversion') !== undefined ||
	reported(info, 'balance') !== undefined;

/**
 * Reads the few members of `getinfo` that identify the chain and the wallet. Tolerant on purpose: a daemon of
 * another version must still be recognized as the wrong one. {@link UNTOLD} when the daemon does not serve the method;
 * null when the answer is not a `getinfo` object.
 */
export function readIdentity(answer: RawAnswer): DaemonIdentity | null {
	if (answer.body.length > MOST_BYTES) return null;
	const content = jsonOrNull(answer.body.toString('utf8'));
	if (Unserved.safeParse(content).success) return UNTOLD;
	const parsed = Info.safeParse(content);
	if (!parsed.success) return null;
	const { name, CCid, pubkey, version, KMDversion, algo, blocks, longestchain, ...rest } =
		parsed.data.result;
	return {
		name: name ?? null,
		ccid: CCid ?? null,
		pubkey: pubkey ?? null,
		version: version ?? null,
		release: KMDversion?.slice(0, LONGEST_RELEASE) ?? null,
		// Every release of the Komodo daemon reports KMDversion.
		dialect: KMDversion === undefined ? 'seed' : 'komodod',
		algorithm: algo === undefined || algo === EQUIHASH ? null : algo,
		hasWallet: tellsOfWallet({ KMDversion, ...rest }),
		lacks: blocks === undefined ? 0 : Math.max(0, (longestchain ?? 0) - blocks)
	};
}

/** Returns how the daemon differs from its configuration; null when it matches. */
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
