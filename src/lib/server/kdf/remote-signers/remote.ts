/** Connections to remote signers: applications that hold their own key and sign for the node. */
import type { AuditTrail } from '../../platform/audit-trail/trail.ts';
import type { Coin } from '../coins/parse.ts';
import { judgedPort, type JudgeCall, type KdfPort } from '../calls/kdfPort.ts';
import { momentOf } from '../client/moment.ts';
import { members, plain, type Plain } from '../client/plain.ts';

export interface RemoteSession {
	/** Identifies the session in activations; null, as for the other members, when the node does not report it. */
	topic: string | null;
	/** Name that the application reports. */
	name: string;
	/** Chains and accounts that it approved, `eip155:1:0x…`. */
	accounts: string[] | null;
	/** Unix seconds. */
	expiry: number | null;
}

/**
 * URI that the application scans to connect. Its holder can answer in place of the application, so it is
 * never stored.
 */
export interface NewConnection {
	url: string;
}

export interface Remote {
	/** @throws {AppError} `activation.call-failed` */
	sessions(node: string): Promise<RemoteSession[]>;
	/** @throws {AppError} `activation.call-failed` */
	session(node: string, topic: string): Promise<RemoteSession | null>;
	/**
	 * @param judge decides about the call right before it is sent
	 * @throws {AppError} `activation.call-failed`
	 */
	connect(
		node: string,
		chains: readonly string[],
		by: string,
		judge: JudgeCall
	): Promise<NewConnection>;
	/**
	 * @param judge as of {@link connect}
	 * @throws {AppError} `activation.call-failed`
	 */
	end(node: string, topic: string, by: string, judge: JudgeCall): Promise<void>;
}

/** Methods that a node has a remote signer perform (KDF 2.6). */
const METHODS = ['eth_sendTransaction', 'eth_signTransaction', 'personal_sign'];
const EVENTS = ['accountsChanged', 'chainChanged'];
const LONGEST_NAME = 80;

/** Returns `eip155:<number>` of an EVM platform, from the coins file; null when that has none. */
export function chainOf({ protocol, protocolData }: Coin): string | null {
	if (protocol !== 'ETH' || typeof protocolData !== 'object' || protocolData === null) return null;
	const { chain_id: id } = protocolData as { chain_id?: unknown };
	return typeof id === 'number' && Number.isSafeInteger(id) ? `eip155:${id}` : null;
}

/** Returns the accounts of all namespaces; null when the node does not report all of them. */
function accountsIn(namespaces: Plain | undefined): string[] | null {
	const lists = Object.values(members(namespaces)).map((space) => members(space)['accounts']);
	const isWhole = lists.length > 0 && lists.every((list) => Array.isArray(list));
	return isWhole ? lists.flat().map(String) : null;
}

function readSession(value: Plain): RemoteSession {
	const { topic, metadata, namespaces, expiry } = members(value);
	const { name } = members(metadata);
	return {
		topic: typeof topic === 'string' ? topic : null,
		name: typeof name === 'string' && name !== '' ? name.slice(0, LONGEST_NAME) : 'without a name',
		accounts: accountsIn(namespaces),
		expiry: typeof expiry === 'number' ? momentOf(expiry) : null
	};
}

/**
 * Reads and changes connections to remote signers.
 * @param pages for queries, with a shorter timeout than that of changes
 */
export function createRemote(nodes: KdfPort, pages: KdfPort, audit: AuditTrail): Remote {
	return {
		async sessions(node) {
			const { sessions } = await pages.call(node, 'wc_get_sessions', {});
			return sessions.map((one) => readSession(plain(one)));
		},
		async session(node, topic) {
			const { session } = await pages.call(node, 'wc_get_session', { topic });
			return session === null ? null : readSession(plain(session));
		},
		async connect(node, chains, by, judge) {
			await audit.append({
				actor: by,
				action: 'signer.invited',
				target: node,
				detail: { chains: chains.join(' ') }
			});
			const { url } = await judgedPort(nodes, judge).call(node, 'wc_new_connection', {
				required_namespaces: {
					eip155: { chains: [...chains], methods: METHODS, events: EVENTS }
				}
			});
			return { url };
		},
		async end(node, topic, by, judge) {
			await audit.append({ actor: by, action: 'signer.ended', target: node, detail: { topic } });
			await judgedPort(nodes, judge).call(node, 'wc_delete_session', { topic });
		}
	};
}
