/** Computes the MoMoM that notaries write to a chain, from the notarizations on KMD. */
import { bytesToHex, compareBytes } from './bytes.ts';
import { momomOf } from './merkle.ts';
import { authorityOf } from './notaryAuthority.ts';

/**
 * Number of blocks in which daemons search for a notarization: a day of KMD. (Komodo daemon 0.9.0,
 * `NotarisationDB.cpp`.)
 */
export const NOTARIZATION_WINDOW = 1440;
/**
 * Notarizations of the chain within the window that a MoMoM needs. They delimit the set; the block of the
 * oldest one contributes no MoMs.
 */
export const NEEDED_NOTARIZATIONS = 7;
/** `MoMoMdata` starts this many blocks below the height given to it. */
export const MOMOM_LAG = 5;

/** A notarization in a block of KMD. Hashes in internal order. */
interface NotarizationOnMain {
	/** Height of the KMD block. */
	height: number;
	txid: string;
	symbol: string;
	mom: Uint8Array | null;
	ccid: number | null;
}

/** A MoMoM and the MoMs it covers. */
interface MomomRoot {
	momom: Uint8Array;
	/** Sorted by their bytes, without duplicates. */
	moms: Uint8Array[];
	/** Txid of the newest notarization of the chain at or below the height. */
	notarization: string;
}

/**
 * Computes the MoMoM over the MoMs between the newest and the seventh-newest notarization of a chain.
 *
 * @param records notarizations on KMD, newest first; those above `height` or older than the window are
 *   ignored
 * @param height the height to start at, not the one passed to `MoMoMdata`
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
		records.filter((one) => one.height <= height && one.height > height - NOTARIZATION_WINDOW),
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
			if (own === NEEDED_NOTARIZATIONS) {
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
