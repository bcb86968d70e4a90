/** A refusal of a cross-chain step in the daemon's words; clients see it with code -1. */
export class CrossChainError extends Error {
	readonly code = -1;

	constructor(message: string) {
		super(message);
		this.name = 'CrossChainError';
	}
}

/** The real daemon's process ends here. */
export class DaemonCrash extends Error {
	override readonly name = 'DaemonCrash';
}
