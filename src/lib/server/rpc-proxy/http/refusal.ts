/** Refusals of the RPC API in the daemon's error format. */
import type { Reply } from './reply.ts';

/** Refusal of a call, with the daemon's own codes and messages where it has them. */
export interface RpcRefusal {
	kind: 'refusal';
	status: number;
	code: number;
	message: string;
	idText: string;
}

export function refusal(
	status: number,
	code: number,
	message: string,
	idText = 'null'
): RpcRefusal {
	return { kind: 'refusal', status, code, message, idText };
}

/** Formats an error as Komodo daemon 0.9.0 does: one line, members in this order. */
export function errorLine({ code, message, idText }: RpcRefusal): string {
	return `{"result":null,"error":{"code":${code},"message":${JSON.stringify(message)}},"id":${idText}}`;
}

/** Writes a refusal in the daemon's error format. */
export function refuse(reply: Reply, what: RpcRefusal): void {
	reply(what.status, 'application/json', `${errorLine(what)}\n`);
}
