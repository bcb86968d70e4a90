/** A failed cross-chain step, with the daemon's message; clients get it with code -1. */
export class CrossChainError extends Error {
	readonly code = -1;

	constructor(message: string) {
		super(message);
		this.name = 'CrossChainError';
	}
}

/** The process of a real daemon would terminate here. */
export class DaemonCrash extends Error {
	override readonly name = 'DaemonCrash';
}
