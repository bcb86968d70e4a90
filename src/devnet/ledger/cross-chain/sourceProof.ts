import { bytesToHex, internalHash } from '#lib/chain/bytes.ts';
import type { TxProof } from '#lib/chain/importProof.ts';
import { execBranch, merkleBranch } from '#lib/chain/merkle.ts';
import type { LedgerApi, NotarizationRecord } from '../api.ts';
import { SCAN_LIMIT } from '../notarizationIndex.ts';
import { CrossChainError, DaemonCrash } from './error.ts';
import { momLeaves } from './mom.ts';

/**
 * Returns the first back-notarization of this chain, at or after a block, that notarizes it. The tip is not
 * searched.
 */
const coveringRecord = (ledger: LedgerApi, height: number): NotarizationRecord | undefined => {
	const end = Math.min(height + SCAN_LIMIT, ledger.height);
	for (let at = height; at < end; at++) {
		const found = ledger
			.notarizationsAt(at)
			.find(({ data }) => data.symbol === ledger.symbol && data.height >= height);
		if (found) return found;
	}
	return undefined;
};

/**
 * Proves that a confirmed transaction is under a notarized MoM of its own chain: the branch from the
 * transaction to its block's merkle root and on to the MoM. The txid in the proof is the KMD transaction that
 * the back-notarization names.
 *
 * @throws CrossChainError with the daemon's messages, among them "backnotarisation not yet confirmed"
 */
export const sourceProof = (ledger: LedgerApi, txid: string): TxProof => {
	const mined = ledger.mined(txid);
	const outlived = ledger.outlived(txid);
	if (outlived) {
		// Komodo daemon 0.9.0: `GetAssetchainProof` uses the block's index entry without checking that there
		// is one.
		if (outlived.lost) throw new DaemonCrash();
		throw new CrossChainError(
			coveringRecord(ledger, outlived.height)
				? 'Failed merkle block->MoM'
				: 'backnotarisation not yet confirmed'
		);
	}
	if (!mined) {
		throw new CrossChainError(
			ledger.transaction(txid) ? 'tx still in mempool' : 'cannot find transaction'
		);
	}
	const block = ledger.blockAt(mined.height)!;
	const record = coveringRecord(ledger, mined.height);
	if (!record?.data.kmdTxid) throw new CrossChainError('backnotarisation not yet confirmed');
	const { data } = record;
	const blockIndex = data.height - mined.height;
	const leaves = momLeaves(ledger, data.height, data.momDepth ?? 0);
	const root = internalHash(block.header.merkleRoot);
	if (blockIndex >= leaves.length || data.mom === undefined) {
		throw new CrossChainError('Failed merkle block->MoM');
	}
	const toMoM = merkleBranch(leaves, blockIndex);
	if (bytesToHex(execBranch(root, blockIndex, toMoM)) !== bytesToHex(data.mom)) {
		throw new CrossChainError('Failed merkle block->MoM');
	}
	const toRoot = merkleBranch(block.txids.map(internalHash), mined.position);
	if (bytesToHex(execBranch(internalHash(txid), mined.position, toRoot)) !== bytesToHex(root)) {
		throw new CrossChainError('Failed merkle tx->block');
	}
	return {
		kind: 'txproof',
		txid: data.kmdTxid!,
		index: blockIndex * 2 ** toRoot.length + mined.position,
		branch: [...toRoot, ...toMoM]
	};
};
