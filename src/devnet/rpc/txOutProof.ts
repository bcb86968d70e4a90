import { serializeHeader } from '#lib/chain/block.ts';
import { bytesToHex, internalHash } from '#lib/chain/bytes.ts';
import {
	buildTxOutProof,
	parseTxOutProof,
	provenTxids,
	serializeTxOutProof
} from '#lib/chain/txOutProof.ts';
import {
	RPC_DESERIALIZATION_ERROR,
	RPC_INVALID_ADDRESS_OR_KEY,
	RPC_INVALID_PARAMETER
} from '#lib/rpc/errorCodes.ts';
import { invalidParameter, RpcError } from './error.ts';
import { asArray, asString } from './params.ts';
import type { LedgerApi, LedgerBlock } from '../ledger/api.ts';
import type { Handler } from './context.ts';
import { hexParameter } from './hex.ts';

/** Returns the block that contains all of the transactions, or throws the daemon's errors. */
const commonBlock = (ledger: LedgerApi, txids: readonly string[], hash?: string): LedgerBlock => {
	let block: LedgerBlock | undefined;
	if (hash !== undefined) {
		block = ledger.blockByHash(hash);
		if (!block) throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Block not found');
	} else {
		const mined = ledger.mined(txids.at(-1) ?? '');
		block = mined && ledger.blockAt(mined.height);
		if (!block) throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Transaction not yet in block');
	}
	if (txids.some((txid) => !block.txids.includes(txid))) {
		throw new RpcError(
			RPC_INVALID_ADDRESS_OR_KEY,
			'(Not all) transactions not found in specified block'
		);
	}
	return block;
};

/** Returns the `gettxoutproof` proof that transactions are in their block. */
export const txOutProof = (
	ledger: LedgerApi,
	txids: readonly string[],
	hash?: string
): Uint8Array => {
	const block = commonBlock(ledger, txids, hash);
	return serializeTxOutProof(buildTxOutProof(block, txids));
};

const gettxoutproof: Handler = ({ ledger }, params) => {
	params.between(1, 2);
	const txids = asArray(params.at(0)).map((item) => {
		const text = asString(item);
		if (!/^[0-9a-fA-F]{64}$/.test(text)) {
			throw new RpcError(RPC_INVALID_PARAMETER, `Invalid txid ${text}`);
		}
		return text.toLowerCase();
	});
	const twice = txids.find((txid, at) => txids.indexOf(txid) < at);
	if (twice !== undefined) throw invalidParameter(`duplicated txid: ${twice}`);
	const hash = params.has(1) ? params.string(1).toLowerCase() : undefined;
	return bytesToHex(txOutProof(ledger, txids, hash));
};

const verifytxoutproof: Handler = ({ ledger }, params) => {
	params.between(1, 1);
	const bytes = hexParameter(params.string(0), 'proof');
	try {
		const proof = parseTxOutProof(bytes);
		const { root, matches } = provenTxids(proof);
		if (bytesToHex(root) !== bytesToHex(internalHash(proof.header.merkleRoot))) return [];
		const header = bytesToHex(serializeHeader(proof.header));
		const known = matches.every((txid) => {
			const mined = ledger.mined(txid);
			const block = mined && ledger.blockAt(mined.height);
			return block !== undefined && bytesToHex(serializeHeader(block.header)) === header;
		});
		if (!known) throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Block not found in chain');
		return matches;
	} catch (cause) {
		if (cause instanceof RpcError) throw cause;
		throw new RpcError(RPC_DESERIALIZATION_ERROR, 'proof decode failed');
	}
};

export const txOutProofHandlers = { gettxoutproof, verifytxoutproof };
