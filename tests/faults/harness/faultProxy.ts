/** A proxy between the product and a daemon that answers in the daemon's place when told to. */
import { createServer, type ServerResponse } from 'node:http';
import { parseTransaction } from '#lib/chain/transaction.ts';
import { looksLikeImport } from '#lib/chain/importProof.ts';
import type { Combination, FaultyMethod, WrongAnswer } from './wrongAnswers.ts';
import { listening } from '../../support/listening.ts';
import { closeAtOnce } from '../../../src/devnet/loopback.ts';

export interface FaultProxy {
	url: string;
	stop(): Promise<void>;
}

/** Returns the next wrong response for a call, or null. */
export type NextFault = (method: FaultyMethod, subject: string) => Combination | null;

const hexOf = (params: unknown): string => {
	const [hex] = Array.isArray(params) ? (params as unknown[]) : [];
	return typeof hex === 'string' ? hex : '';
};

/** The call's name in the list of wrong responses, and a text that identifies its transaction. */
function subjectOf(
	method: string,
	params: unknown
): { method: FaultyMethod; subject: string } | null {
	switch (method) {
		case 'migrate_createburntransaction':
			return { method, subject: JSON.stringify(params) };
		case 'migrate_createimporttransaction':
		case 'migrate_completeimporttransaction':
			return { method, subject: hexOf(params) };
		case 'sendrawtransaction': {
			const subject = hexOf(params);
			const isImport = looksLikeImport(parseTransaction(subject));
			return { method: `${method} of the ${isImport ? 'import' : 'burn'}`, subject };
		}
		default:
			return null;
	}
}

/** Writes a wrong response. */
export function give(response: ServerResponse, answer: WrongAnswer, id: unknown): void {
	if (answer.kind === 'broken-off') {
		response.socket?.destroy();
		return;
	}
	const isText = answer.kind === 'text';
	response.writeHead(isText ? answer.status : 500, {
		'content-type': isText ? 'text/html' : 'application/json'
	});
	response.end(
		isText
			? answer.text
			: `${JSON.stringify({ result: null, error: { code: answer.code, message: answer.message }, id })}\n`
	);
}

/** @param target read at each call, so that a restarted daemon is found */
export async function startFaultProxy(
	target: { url: string },
	nextFault: NextFault
): Promise<FaultProxy> {
	const server = createServer((request, response) => {
		const serve = async (): Promise<void> => {
			let body = '';
			for await (const part of request.setEncoding('utf8')) body += String(part);
			const call = JSON.parse(body) as { method?: string; params?: unknown; id?: unknown };
			const subject = subjectOf(call.method ?? '', call.params);
			const fault = subject === null ? null : nextFault(subject.method, subject.subject);
			if (fault?.when === 'before') {
				give(response, fault.answer, call.id);
				return;
			}
			const answer = await fetch(target.url, {
				method: 'POST',
				headers: { authorization: request.headers.authorization ?? '' },
				body
			});
			const text = await answer.text();
			if (fault) {
				give(response, fault.answer, call.id);
				return;
			}
			response.writeHead(answer.status, {
				'content-type': answer.headers.get('content-type') ?? 'application/json'
			});
			response.end(text);
		};
		// A connection that breaks behind the proxy is closed in front of it, too.
		serve().catch(() => request.socket.destroy());
	});
	return {
		url: `http://127.0.0.1:${await listening(server)}/`,
		stop: () => closeAtOnce(server)
	};
}
