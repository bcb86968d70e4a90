/** What single parameters ask for beyond the access class of their method. */
import type { Access } from '../method.ts';
import { kdfDefinition, type KdfMethod, type KdfParams } from './index.ts';

/** An address to which the node would connect because a caller says so, or a contract that would hold coins of swaps. */
export interface NamedServer {
	/** The coin for which it is named. */
	ticker: string;
	/** As it was written: `host:port`, an address with its scheme, or that of a contract. */
	url: string;
}

interface Demands {
	access: Access;
	/** Whoever may not name servers freely needs each of these in a list that an admin keeps. */
	servers: readonly NamedServer[];
}

/** Members that hold an address, wherever they stand. */
const ADDRESS = /(?:^|_)(?:urls?|servers)$/;
/** Members that hold the contract of swaps: whoever names it decides where their coins go. */
const CONTRACT = /(?:^|_)swap_(?:v2_)?contract(?:_address)?$/;
/** Members with which a call leaves what the coins file knows: a contract of the caller's, a path on the node's disk. */
const FREE: ReadonlySet<string> = new Set(['protocol', 'zcash_params_path']);
const FOREIGN_KEYS: ReadonlySet<string> = new Set(['RemoteSigner', 'BrowserWallet']);

interface Found {
	urls: Set<string>;
	free: boolean;
}

function look(value: unknown, name: string, found: Found): void {
	if (typeof value === 'string') {
		if (ADDRESS.test(name) || CONTRACT.test(name)) found.urls.add(value);
		return;
	}
	if (typeof value !== 'object' || value === null) return;
	if (Array.isArray(value)) {
		for (const item of value) look(item, name, found);
		return;
	}
	for (const [member, inner] of Object.entries(value)) {
		if (inner === undefined) continue;
		// Of an Electrum server it is for browsers: no node reads it.
		if (member === 'ws_url' && name.endsWith('servers')) continue;
		// A server's own `protocol` is a word; a token's is an object that stands for an entry of the coins file.
		if (FREE.has(member) && (member !== 'protocol' || typeof inner === 'object')) found.free = true;
		if (
			member === 'priv_key_policy' &&
			FOREIGN_KEYS.has(String((inner as { type?: unknown }).type))
		) {
			found.free = true;
		}
		look(inner, member, found);
	}
}

/**
 * What a call with these native parameters needs: free servers, contracts, remote signers are an admin's; a
 * look at a task that makes the node forget the result is no mere look.
 */
export function demands<M extends KdfMethod>(method: M, params: KdfParams<M>): Demands {
	const { access, name } = kdfDefinition(method);
	const given = (params ?? {}) as Readonly<Record<string, unknown>>;
	if (access === 'read') {
		const forgets = name.endsWith('::status') && given['forget_if_finished'] !== false;
		return { access: forgets ? 'activate' : 'read', servers: [] };
	}
	if (access !== 'activate') return { access, servers: [] };
	const found: Found = { urls: new Set(), free: false };
	look(given, '', found);
	const ticker = String(given['ticker'] ?? given['coin'] ?? '');
	return {
		access: found.free ? 'admin' : 'activate',
		servers: [...found.urls].map((url) => ({ ticker, url }))
	};
}
