import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import type { PageClient } from './pageClient.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** The facts of a token for lists and its page; null where the daemon does not report one. */
export interface TokenFacts {
	tokenid: string;
	name: string | null;
	/** Token units; one unit locks one satoshi. */
	supply: bigint | null;
	/** Compressed key of the creator, hex. */
	owner: string | null;
	description: string | null;
	kind: 'fungible' | 'non-fungible';
	/** Hex of the non-fungible payload, evaluation code first. */
	data: string | null;
	/** Origin of an imported token; members are null when the daemon cannot decode them. */
	imported: { chain: string | null; tokenid: string | null } | null;
}

const UNDECODABLE = "can't decode";

/**
 * Converts the daemon's answer to `tokeninfo`. Whether the token is fungible decides what may be done with it, so an
 * answer that does not tell is refused.
 * @param tokenid the token that was asked for
 */
export function tokenFacts(tokenid: string, info: DaemonResult<'tokeninfo'>): TokenFacts {
	const known = (text: string | null | undefined) =>
		text === undefined || text === UNDECODABLE || text === '' ? null : text;
	return {
		tokenid,
		name: reported(info, 'name'),
		supply: reported(info, 'supply'),
		owner: reported(info, 'owner'),
		description: reported(info, 'description'),
		kind: info.data === undefined ? 'fungible' : 'non-fungible',
		data: info.data ?? null,
		imported:
			info.IsImported === 'yes'
				? {
						chain: known(reported(info, 'sourceChain')),
						tokenid: known(reported(info, 'sourceTokenId'))
					}
				: null
	};
}

/** Returns whether a token is non-fungible; false also when no daemon answers. */
export async function isNonFungible(
	client: PageClient,
	chain: string,
	tokenid: string
): Promise<boolean> {
	try {
		return (await readToken(client, chain, tokenid)).kind === 'non-fungible';
	} catch (error) {
		if (!isAppError(error, 'daemon')) throw error;
		return false;
	}
}

/**
 * Reads the facts of one token. Never cached, because a reorganization may remove the creation.
 * @throws {AppError} `daemon`
 */
export async function readToken(
	client: PageClient,
	chain: string,
	tokenid: string
): Promise<TokenFacts> {
	return tokenFacts(tokenid, await client.call(chain, 'tokeninfo', [tokenid]));
}
