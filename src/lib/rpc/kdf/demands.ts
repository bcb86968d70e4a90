/** Determines what the parameters of a call require beyond the access class of its method. */
import type { Access } from '../method.ts';
import { kdfDefinition, type KdfMethod, type KdfParams } from './index.ts';

/**
 * A server that the node would connect to at the caller's request, or a contract that would hold coins of
 * swaps.
 */
export interface NamedServer {
	/** The coin for which it is named. */
	ticker: string;
	/** As written by the caller: `host:port`, a URL, or a contract address. */
	url: string;
}

interface Demands {
	access: Access;
	/** A caller who may not name arbitrary servers needs each of these on the list kept by an admin. */
	servers: readonly NamedServer[];
}

/** Members that hold a server address, at any depth. */
const ADDRESS = /(?:^|_)(?:urls?|servers)$/;
/** Members that hold the contract of swaps, which decides where their coins go. */
const CONTRACT = /(?:^|_)swap_(?:v2_)?contract(?:_address)?$/;
/** Members that go beyond the coins file: a protocol defined by the caller, or a path on the node's disk. */
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
		// `ws_url` of an Electrum server is for browsers; the node ignores it.
		if (member === 'ws_url' && name.endsWith('servers')) continue;
		// A server's `protocol` is a string; a token's is an object that replaces an entry of the coins file.
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
 * Returns what a call with these native parameters requires. A caller-defined protocol, a disk path, a remote
 * signer or a browser wallet requires an admin. Polling a task so that the node forgets its result is not a
 * mere read.
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
