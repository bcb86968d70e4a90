import { RPC_INVALID_PARAMETER } from '#lib/rpc/errorCodes.ts';

/** A JSON-RPC error of a daemon method: HTTP 500 with this code and message. */
export class RpcError extends Error {
	readonly code: number;

	constructor(code: number, message: string) {
		super(message);
		this.name = 'RpcError';
		this.code = code;
	}
}

/** Wrong number of parameters: code -1 with the help text of the method as the message. */
export class UsageError extends Error {
	constructor() {
		super('wrong number of parameters');
		this.name = 'UsageError';
	}
}

/** A parameter that the method does not accept, in the daemon's words. */
export const invalidParameter = (what: string): RpcError =>
	new RpcError(RPC_INVALID_PARAMETER, `Invalid parameter, ${what}`);
