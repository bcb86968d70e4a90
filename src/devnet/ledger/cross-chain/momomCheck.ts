import { bytesToHex } from '#lib/chain/bytes.ts';
import type { LedgerApi } from '../api.ts';
import { SCAN_LIMIT } from '../notarizationIndex.ts';
import { isZeroHash } from './mom.ts';

/** Number of blocks before the named back-notarization at which the search for the MoMoM begins. */
const LOOK_BACK = 100;

/**
 * Tells whether a destination chain knows a MoMoM: it must have a back-notarization with the KMD txid, and
 * some record from 100 blocks before it to 1340 after it (without the tip) must have the MoMoM. All zero is
 * never accepted: records without a MoMoM store just that.
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
