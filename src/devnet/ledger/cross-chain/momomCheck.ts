import { bytesToHex } from '#lib/chain/bytes.ts';
import type { LedgerApi } from '../api.ts';
import { SCAN_LIMIT } from '../notarizationIndex.ts';
import { isZeroHash } from './mom.ts';

/** How far before the named back-notarization a destination looks for the MoMoM. */
const LOOK_BACK = 100;

/**
 * Whether a destination chain knows a MoMoM: a back-notarization naming the KMD txid must be stored,
 * and some record between 100 blocks before it and 1340 after (tip excluded) must carry the MoMoM.
 * All zero is never accepted: records without a MoMoM store just that.
 */
export const knowsMoMoM = (
	ledger: Pick<LedgerApi, 'height' | 'notarizationsAt' | 'notarizationByKmdTxid'>,
	kmdTxid: string,
	momom: Uint8Array
): boolean => {
	if (isZeroHash(momom)) return false;
	const named = ledger.notarizationByKmdTxid(kmdTxid);
	if (!named) return false;
	const wanted = bytesToHex(momom);
	const start = Math.max(named.recordedAt - LOOK_BACK, 1);
	const end = Math.min(start + SCAN_LIMIT, ledger.height);
	for (let at = start; at < end; at++) {
		for (const { data } of ledger.notarizationsAt(at)) {
			if (data.momom && bytesToHex(data.momom) === wanted) return true;
		}
	}
	return false;
};
