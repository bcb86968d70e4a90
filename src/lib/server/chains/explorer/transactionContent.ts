/** Content of a transaction's payload. Hashes, keys and data are hex in display order. */
import { parseApproval } from '#lib/chain/approval.ts';
import { SELF_IMPORT_CCID, type Burn } from '#lib/chain/burn.ts';
import { bytesToHex, displayHash } from '#lib/chain/bytes.ts';
import type { ImportParts } from '#lib/chain/importProof.ts';
import type { Notarization } from '#lib/chain/notarization.ts';
import { BLOB, blobOf, type TokenPayload } from '#lib/chain/token.ts';
import { txidOf, type Transaction } from '#lib/chain/transaction.ts';
import { symbolOf } from '../indexer/storableText.ts';

export type TransactionContent =
	| {
			code: 'token-creation';
			tokenid: string;
			name: string;
			description: string;
			creator: string;
			/** Non-fungible data, evaluation code first; null for a fungible token. */
			data: string | null;
	  }
	| {
			code: 'token-transfer';
			tokenid: string;
			/** Null when only the bytes are known. */
			name: string | null;
			decimals: number;
			/** Recipients and amounts; `units` is null when only the bytes are known, `to` for units that are lost. */
			moves: { to: string | null; units: bigint | null }[];
	  }
	| {
			code: 'burn';
			target: string;
			ccid: number;
			payoutsHash: string;
			tokenid: string | null;
			/** Null when there is none on an indexed chain, or when only the bytes are known. */
			import: { chain: string; txid: string } | null;
	  }
	| {
			code: 'import';
			/** Name of the source chain; null when the burn does not name it. */
			source: string | null;
			/** The configured chain that contains the burn; null when none does. */
			burnChain: string | null;
			burnTxid: string;
			ccid: number | null;
			proof: ImportProofFacts;
			tokenid: string | null;
	  }
	| { code: 'self-import'; sourceTxid: string | null }
	| {
			code: 'notarization';
			symbol: string;
			height: number;
			hash: string;
			/** The notarization on KMD to which a back-notarization refers. */
			kmdTxid: string | null;
			mom: { root: string; depth: number; ccid: number } | null;
			momom: string | null;
			/** Number of signing notaries; null when only the bytes are known. */
			signers: number | null;
	  }
	| { code: 'approval'; burns: string[] }
	| { code: 'none' };

/** How an import proves its burn; `parts` is the number of its hashes or approvals, null when unknown. */
export interface ImportProofFacts {
	kind: 'txproof' | 'approvals' | 'merkleblock';
	parts: number | null;
}

export const NO_CONTENT: TransactionContent = { code: 'none' };

function proofFacts({ proof }: ImportParts): ImportProofFacts {
	switch (proof.kind) {
		case 'txproof':
			return { kind: proof.kind, parts: proof.branch.length };
		case 'approvals':
			return { kind: proof.kind, parts: proof.txids.length };
		case 'merkleblock':
			return { kind: proof.kind, parts: null };
	}
}

/**
 * Returns the content of an import.
 * @param tokenid the token that it creates on this chain; null for coins
 */
export function importContent(
	parts: ImportParts,
	burn: Burn | null,
	tokenid: string | null
): TransactionContent {
	if (burn?.targetCcid === SELF_IMPORT_CCID)
		return {
			code: 'self-import',
			sourceTxid: parts.proof.kind === 'txproof' ? parts.proof.txid : null
		};
	const source = symbolOf(burn?.sourceSymbol ?? '') || null;
	return {
		code: 'import',
		source,
		burnChain: source,
		burnTxid: txidOf(parts.burnTx),
		ccid: burn?.targetCcid ?? null,
		proof: proofFacts(parts),
		tokenid
	};
}

/** Returns what a burn says; whether it was imported is not known from its bytes. */
export const burnContent = (burn: Burn): TransactionContent => ({
	code: 'burn',
	target: symbolOf(burn.targetSymbol),
	ccid: burn.targetCcid,
	payoutsHash: displayHash(burn.payoutsHash),
	tokenid: burn.tokenCreationTx === undefined ? null : txidOf(burn.tokenCreationTx),
	import: null
});

export function tokenContent(tx: Transaction, token: TokenPayload): TransactionContent {
	if (token.kind === 'create') {
		const data = blobOf(token.blobs, BLOB.nonFungible);
		return {
			code: 'token-creation',
			tokenid: txidOf(tx),
			name: token.name,
			description: token.description,
			creator: bytesToHex(token.owner),
			data: data === undefined ? null : bytesToHex(data)
		};
	}
	return {
		code: 'token-transfer',
		tokenid: token.tokenid,
		name: null,
		decimals: 0,
		moves: token.destPubkeys.map((key) => ({ to: bytesToHex(key), units: null }))
	};
}

export const notarizationContent = (found: Notarization): TransactionContent => ({
	code: 'notarization',
	symbol: found.symbol,
	height: found.height,
	hash: found.blockHash,
	kmdTxid: found.kmdTxid ?? null,
	mom:
		found.mom === undefined
			? null
			: { root: displayHash(found.mom), depth: found.momDepth ?? 0, ccid: found.ccid ?? 0 },
	momom: found.momom === undefined ? null : displayHash(found.momom),
	signers: null
});

/** Returns the burns that a notary approval is about; null when the transaction is none. */
export function approvalContent(tx: Transaction): TransactionContent | null {
	const approval = parseApproval(tx);
	return approval && { code: 'approval', burns: approval.txids };
}
