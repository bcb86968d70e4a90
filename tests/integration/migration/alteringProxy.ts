import { createServer } from 'node:http';
import type { DevnetDaemon } from '../../support/devnet.ts';
import { listening } from '../../support/listening.ts';
import { closeAtOnce } from '../../../src/devnet/loopback.ts';

/** Changes the result of one method, or returns it unchanged. */
export type Alter = (result: Record<string, unknown>) => Record<string, unknown>;

interface AlteringProxy {
	url: string;
	/** From now on the results of this method are altered; null stops that. */
	alter(method: string, change: Alter | null): void;
	/**
	 * From now on this method returns an error, after the daemon has acted, or, if `unheard`, without calling
	 * it; null stops that.
	 */
	refuse(
		method: string,
		error: { code: number; message: string } | null,
		unheard?: 'unheard'
	): void;
	/** Number of calls of a method. */
	count(method: string): number;
	stop(): Promise<void>;
}

/** Numbers keep their digits on the way through: amounts have eight decimals. */
const keepDigits = (_name: string, value: unknown, context?: { source: string }): unknown =>
	typeof value === 'number' && context
		? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(context.source)
		: value;

/** A proxy in front of a daemon that counts its calls and alters its responses when a test requests it. */
export async function startAlteringProxy(daemon: DevnetDaemon): Promise<AlteringProxy> {
	const changes = new Map<string, Alter>();
	const refusals = new Map<string, { code: number; message: string }>();
	const unheardOf = new Set<string>();
	const counts = new Map<string, number>();
	const server = createServer((request, response) => {
		const pass = async (): Promise<void> => {
			let body = '';
			for await (const part of request.setEncoding('utf8')) body += String(part);
			const { method } = JSON.parse(body) as { method: string };
			counts.set(method, (counts.get(method) ?? 0) + 1);
			if (unheardOf.has(method)) {
				response.writeHead(500, { 'content-type': 'application/json' });
				response.end(JSON.stringify({ result: null, error: refusals.get(method), id: null }));
				return;
			}
			const answer = await fetch(daemon.url, {
				method: 'POST',
				headers: { authorization: request.headers.authorization ?? '' },
				body
			});
			let text = await answer.text();
			const change = changes.get(method);
			if (change) {
				const envelope = JSON.parse(text, keepDigits) as { result: Record<string, unknown> };
				text = JSON.stringify({ ...envelope, result: change(envelope.result) });
			}
			const refusal = refusals.get(method);
			if (refusal) text = JSON.stringify({ result: null, error: refusal, id: null });
			response.writeHead(refusal ? 500 : answer.status, {
				'content-type': answer.headers.get('content-type') ?? 'application/json'
			});
			response.end(text);
		};
		// A connection that breaks behind the proxy is closed in front of it, too.
		pass().catch(() => request.socket.destroy());
	});
	return {
		url: `http://127.0.0.1:${await listening(server)}/`,
		alter(method, change) {
			if (change) changes.set(method, change);
			else changes.delete(method);
		},
		refuse(method, error, unheard) {
			if (error) refusals.set(method, error);
			else refusals.delete(method);
			if (error && unheard) unheardOf.add(method);
			else unheardOf.delete(method);
		},
		count: (method) => counts.get(method) ?? 0,
		stop: () => closeAtOnce(server)
	};
}
