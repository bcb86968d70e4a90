import { bytesToHex, hexToBytes, ByteReader } from '#lib/chain/bytes.ts';
import { parseTransaction, readTransaction, serializeTransaction } from '#lib/chain/transaction.ts';
import type { Transaction } from '#lib/chain/transaction.ts';
import { RPC_DESERIALIZATION_ERROR, RPC_INVALID_PARAMETER } from '#lib/rpc/errorCodes.ts';
import { isHexText } from './ctext.ts';
import { RpcError } from './error.ts';

/** Decodes a hex parameter; error -8 when it is not hex. */
export const hexParameter = (text: string, name: string): Uint8Array => {
	if (!isHexText(text)) {
		throw new RpcError(RPC_INVALID_PARAMETER, `${name} must be hexadecimal string (not '${text}')`);
	}
	return hexToBytes(text);
};

/** Parses a transaction at the start of a hex text; the rest is ignored, as by `sendrawtransaction`. */
export const leadingTransaction = (text: string): Transaction => {
	const failed = (cause?: unknown): RpcError => {
		const error = new RpcError(RPC_DESERIALIZATION_ERROR, 'TX decode failed');
		error.cause = cause;
		return error;
	};
	if (!isHexText(text)) throw failed();
	try {
		return readTransaction(new ByteReader(hexToBytes(text)));
	} catch (cause) {
		throw failed(cause);
	}
};

/** Parses a transaction that uses all bytes; otherwise null. */
export const decodeTransaction = (bytes: Uint8Array): Transaction | null => {
	try {
		return parseTransaction(bytes);
	} catch {
		return null;
	}
};

export const hexOf = (tx: Transaction): string => bytesToHex(serializeTransaction(tx));

/** Reads a txid or hash of 64 hex digits; error -8 for anything else. */
export const strictId = (text: string, name: string): string => {
	if (!/^[0-9a-fA-F]{64}$/.test(text)) {
		throw new RpcError(RPC_INVALID_PARAMETER, `${name} must be hexadecimal string (not '${text}')`);
	}
	return text.toLowerCase();
};
