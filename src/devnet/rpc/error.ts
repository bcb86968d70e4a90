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

/** Error codes of the daemon used by the methods here. */
export const RPC_MISC = -1;
export const RPC_TYPE = -3;
export const RPC_WALLET = -4;
export const RPC_ADDRESS_OR_KEY = -5;
export const RPC_PARAMETER = -8;
export const RPC_UNLOCK_NEEDED = -13;
export const RPC_DESERIALIZATION = -22;
export const RPC_WARM_UP = -28;
export const RPC_METHOD_NOT_FOUND = -32601;
export const RPC_INTERNAL = -32603;

/** A parameter that the method does not accept, in the daemon's words. */
export const invalidParameter = (what: string): RpcError =>
	new RpcError(RPC_PARAMETER, `Invalid parameter, ${what}`);
