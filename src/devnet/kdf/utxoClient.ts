/** Source of a UTXO coin's data: Electrum servers, or a daemon. */
export interface UtxoClient {
	height(): Promise<number>;
	/** Satoshi of an output script, including pending transactions. */
	balance(script: Uint8Array): Promise<bigint>;
	/** Transactions of an output script, oldest first; height 0 or negative in the mempool. */
	history(script: Uint8Array): Promise<{ txid: string; height: number }[]>;
	/** The transaction in hex. */
	transaction(txid: string): Promise<string>;
	/** Unix seconds of a block. */
	blockTime(height: number): Promise<number>;
	close(): void;
}

/** No server or daemon responded, or the response was unexpected. */
export class TransportError extends Error {
	override readonly name = 'TransportError';
}
