/** The MoMoM that notaries write to a chain, worked out from the notarizations on KMD. */
import { bytesToHex, compareBytes } from './bytes.ts';
import { momomOf } from './merkle.ts';
import { authorityOf } from './notaryAuthority.ts';

/** Notarizations farther below than this many blocks of KMD are not looked at. (Komodo daemon 0.9.0.) */
export const MOMOM_WINDOW = 1440;
/** Notarizations of the chain itself that the window needs; the block of the last one adds nothing. */
const OWN_NOTARIZATIONS = 7;
/** `MoMoMdata` looks at this many blocks below the height that it is given. */
export const MOMOM_LAG = 5;

/** A notarization as a block of KMD holds it. Hashes in internal order. */
interface NotarizationOnMain {
	/** The block of KMD. */
	height: number;
	txid: string;
	symbol: string;
	mom: Uint8Array | null;
	ccid: number | null;
}

/** What a set of MoMs amounts to. */
interface MomomRoot {
	momom: Uint8Array;
	/** Sorted by their bytes, each once. */
	moms: Uint8Array[];
	/** The newest notarization of the chain at or below the height. */
	notarization: string;
}

/**
 * Sums up the MoMs between the newest and the seventh-newest notarization of a chain.
 *
 * @param records of KMD, newest first, from `height` down; older ones than the window are passed over
 * @param height the height itself, not the one that `MoMoMdata` is given
 * @returns null with fewer than seven notarizations of the chain in the window
 */
export function momomAt(
	records: readonly NotarizationOnMain[],
	symbol: string,
	ccid: number,
	height: number
): MomomRoot | null {
	if (ccid < 2) return null;
	const blocks = Map.groupBy(
		records.filter((one) => one.height <= height && one.height > height - MOMOM_WINDOW),
		(one) => one.height
	);
	const moms = new Map<string, Uint8Array>();
	let own = 0;
	let notarization = '';
	for (const block of blocks.values()) {
		for (const { txid, symbol: of } of block) {
			if (of !== symbol) continue;
			own += 1;
			if (own === 1) notarization = txid;
			if (own === OWN_NOTARIZATIONS) {
				const sorted = [...moms.values()].sort(compareBytes);
				return { momom: momomOf(sorted), moms: sorted, notarization };
			}
		}
		if (own === 0) continue;
		for (const { mom, ccid: of, symbol: name } of block) {
			if (mom !== null && of === ccid && authorityOf(name) === authorityOf(symbol)) {
				moms.set(bytesToHex(mom), mom);
			}
		}
	}
	return null;
}
