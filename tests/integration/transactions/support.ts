import { createServer, type Server } from 'node:http';
import { createAudit } from '#lib/server/access/audit/audit.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { locks } from '#lib/server/locks.ts';
import { loadConfig } from '#lib/server/platform/config/load.ts';
import type { DaemonConfig } from '#lib/server/platform/config/types.ts';
import {
	isTransactionError,
	type TransactionError
} from '#lib/server/wallet/transactions/errors.ts';
import type { CreateRequest, TransferRequest } from '#lib/server/wallet/transactions/request.ts';
import { createSender, type Sender } from '#lib/server/wallet/transactions/sender.ts';
import type { Send } from '#lib/server/wallet/transactions/store.ts';
import type { TestDatabase } from '../../support/database.ts';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { noApprovals, permissiveRights } from '../../support/permissive.ts';
import { gatewayBefore } from '../../support/daemons.ts';
import { shared } from '../../support/shared.ts';
import { listening } from '../../support/listening.ts';
import { closeAtOnce } from '../../../src/devnet/loopback.ts';

/** A gateway to the daemons of a network, as found by discovery, with some entries changed. */
export function gatewayTo(
	net: Devnet,
	database: TestDatabase,
	change: Readonly<Record<string, Partial<DaemonConfig>>> = {}
): Gateway {
	const { daemons } = loadConfig({ KOMODO_HOME: net.dir, KOMODECK_DATA: database.dataDir });
	return gatewayBefore(...daemons.map((daemon) => ({ ...daemon, ...change[daemon.id] })));
}

export const auditOf = (database: TestDatabase) => createAudit(database.db, new Uint8Array(32));

export const senderOver = (
	database: TestDatabase,
	gateway: Gateway,
	more: Partial<Parameters<typeof createSender>[0]> = {}
): Sender =>
	createSender({
		locks,
		db: database.db,
		gateway,
		audit: auditOf(database),
		rights: permissiveRights(gateway),
		approvals: noApprovals,
		...more
	});

/** A proxy between the gateway and a daemon. */
export interface Between {
	url: string;
	/** Number of forwarded calls of a method. */
	count(method: string): number;
	/** Rewrites or delays responses to a method; null forwards them unchanged. */
	rewrite: ((method: string, body: string) => string | Promise<string>) | null;
	/** Maximum number of concurrent requests, beyond which it answers like a daemon with a full work queue. */
	mostAtOnce: number;
	/** Number of requests that it refused so. */
	refused: number;
	stop(): Promise<void>;
}

/** A forwarding proxy in front of a daemon. */
export async function between(net: Devnet, daemon: string): Promise<Between> {
	const { url: target } = net.chains.get(daemon)!;
	const seen: string[] = [];
	let running = 0;
	const pass = async (text: string, authorization: string) =>
		fetch(target, { method: 'POST', headers: { authorization }, body: text });
	const server: Server = createServer((request, response) => {
		void (async () => {
			let text = '';
			for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
			const method = /"method":"([^"]*)"/.exec(text)?.[1] ?? '';
			seen.push(method);
			if (running >= proxy.mostAtOnce) {
				proxy.refused += 1;
				response.writeHead(500).end('Work queue depth exceeded');
				return;
			}
			running += 1;
			try {
				const answer = await pass(text, request.headers.authorization ?? '');
				const body = await answer.text();
				response.writeHead(answer.status, {
					'content-type': answer.headers.get('content-type') ?? 'text/plain'
				});
				response.end((await proxy.rewrite?.(method, body)) ?? body);
			} catch {
				request.socket.destroy();
			} finally {
				running -= 1;
			}
		})();
	});
	const proxy: Between = {
		url: `http://127.0.0.1:${await listening(server)}/`,
		count: (method) => seen.filter((one) => one === method).length,
		rewrite: null,
		mostAtOnce: Infinity,
		refused: 0,
		stop: () => closeAtOnce(server)
	};
	return proxy;
}

export const creation = (more: Partial<CreateRequest> = {}): CreateRequest => ({
	kind: 'token-create',
	name: 'TOK',
	description: 'A token',
	supply: 1000n,
	data: '',
	...more
});

export const transfer = (
	tokenid: string,
	recipient: string,
	units: bigint,
	kind: TransferRequest['kind'] = 'token-transfer'
): TransferRequest => ({ kind, tokenid, recipient, units });

/** A review that must exist. */
export async function reviewed(sender: Sender, id: string): Promise<Send> {
	const send = await sender.get(id);
	if (!send) throw new Error('the review is gone');
	return send;
}

/**
 * Reviews, sends and mines a token creation on ALPHA.
 * @returns the tokenid
 */
export async function made(
	net: Devnet,
	sender: Sender,
	more: Partial<CreateRequest> = {},
	actor = 'ada'
): Promise<string> {
	const id = await sender.createToken('ALPHA', creation(more), actor);
	const state = await sender.send(id, actor);
	if (state !== 'broadcast') throw new Error(`the creation is ${state}`);
	await net.control.mine('ALPHA');
	await sender.reconcile(id);
	return (await reviewed(sender, id)).txid;
}

/** Units of a token held by a key. */
export async function unitsOf(net: Devnet, tokenid: string, pubkey?: string): Promise<number> {
	const params = pubkey === undefined ? [tokenid] : [tokenid, pubkey];
	return (await net.rpc<{ balance: number }>('ALPHA', 'tokenbalance', ...params)).balance;
}

/** The error of an action; it must have a message for members, without any credential of the network. */
export async function refusal(net: Devnet, act: Promise<unknown>): Promise<TransactionError> {
	let error: unknown;
	try {
		await act;
	} catch (caught) {
		error = caught;
	}
	if (!isTransactionError(error)) throw error ?? new Error('nothing was refused');
	for (let told: unknown = error; told instanceof Error; told = told.cause) {
		for (const { password } of net.daemons) {
			if (`${told.message} ${JSON.stringify(told)} ${told.stack}`.includes(password)) {
				throw new Error('an error holds a password');
			}
		}
	}
	return error;
}

/** Shared by a suite: a network, a proxy in front of one chain's daemon, a gateway through it, and a sender. */
export function sharedSender(database: TestDatabase, chain = 'ALPHA') {
	const net = shared(() => startDevnet());
	const proxy = shared(() => between(net, chain));
	const gateway = shared(() => gatewayTo(net, database, { [chain]: { url: proxy.url } }));
	const sender = shared(() => senderOver(database, gateway));
	return { net, proxy, gateway, sender };
}
