/** Where a UTXO coin's facts come from: Electrum servers, or a daemon. */
export interface UtxoClient {
	height(): Promise<number>;
	/** Satoshi of an output script, what waits in the mempool included. */
	balance(script: Uint8Array): Promise<bigint>;
	/** Transactions of an output script, oldest first; height 0 or less in the mempool. */
	history(script: Uint8Array): Promise<{ txid: string; height: number }[]>;
	/** Hex. */
	transaction(txid: string): Promise<string>;
	/** Seconds at which a block was made. */
	blockTime(height: number): Promise<number>;
	close(): void;
}

/** No server or daemon answered, or not as expected. */
export class TransportError extends Error {
	override readonly name = 'TransportError';
}
