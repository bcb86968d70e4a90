/** Reads the notarizations that a daemon knows of a chain. */
import { hexToBytes } from '#lib/chain/bytes.ts';
import { readOrNull } from '#lib/chain/chainError.ts';
import {
	readNotarizationPayload,
	type Notarization,
	type NotarizationForm
} from '#lib/chain/notarization.ts';
import { NOTARIZATION_WINDOW } from '#lib/chain/proofRoot.ts';
import type { DaemonClient } from './types.ts';

/** A notarization recorded in a chain's blocks. */
export interface NotarizationAt {
	/** Height of the block that contains the record. */
	height: number;
	txid: string;
	/** Null when its payload cannot be parsed. */
	data: Notarization | null;
}

/**
 * Returns the notarizations of a chain that one daemon knows, newest first, from height `top` down over at most
 * `NOTARIZATION_WINDOW` blocks.
 *
 * @param form `kmd` when asked on KMD, `back` on the chain itself
 * @param until stops the walk at the first record for which it is true; that record is included
 */
export async function notarizationsDown(
	client: DaemonClient,
	symbol: string,
	form: NotarizationForm,
	top: number,
	until: (found: readonly NotarizationAt[]) => boolean
): Promise<NotarizationAt[]> {
	const list: NotarizationAt[] = [];
	const floor = Math.max(1, top - NOTARIZATION_WINDOW + 1);
	for (let height = top; height >= floor;) {
		const record = await client.call(
			'scanNotarisationsDB',
			String(height),
			symbol,
			String(height - floor + 1)
		);
		if (!record) break;
		list.push({
			height: record.height,
			txid: record.hash,
			data: readRecord(record.opreturn, form)
		});
		if (until(list)) break;
		height = record.height - 1;
	}
	return list;
}

const readRecord = (hex: string, form: NotarizationForm): Notarization | null =>
	readOrNull(() => readNotarizationPayload(hexToBytes(hex), form));
