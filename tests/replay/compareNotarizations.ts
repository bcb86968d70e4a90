/** Compares the notarizations of the product's index with what the daemon of KMD finds by its own search. */
import { isJsonObject, JsonNumber } from '#lib/rpc/json.ts';
import type { ProductClient } from '../support/productClient.ts';
import type { Lab } from './lab.ts';
import type { Report } from './report.ts';

interface IndexedNotarization {
	txid: string;
	recordedAt: number;
}

/** A search that goes on for longer than this is of no lab's chain. */
const MOST = 5_000;

/** Blocks of KMD that hold a notarization of a chain, and one txid of each, as the daemon finds them. */
async function searched({ kmd }: Lab, symbol: string): Promise<Map<number, string>> {
	const found = new Map<number, string>();
	// 0 stands for the tip, whose own block is left out (Komodo daemon 0.9.0).
	let height = '0';
	while (found.size < MOST) {
		const answer = await kmd.client
			.wire('scanNotarisationsDB', height, symbol, '1440')
			.catch(() => null);
		if (!isJsonObject(answer)) break;
		const { height: at, hash } = answer;
		if (!(at instanceof JsonNumber) || typeof hash !== 'string') break;
		found.set(at.toNumber(), hash);
		if (at.toNumber() <= 1) break;
		height = String(at.toNumber() - 1);
	}
	return found;
}

/** Each block with a notarization must be in the index, and no other. */
export async function compareNotarizations(
	product: ProductClient,
	lab: Lab,
	report: Report
): Promise<void> {
	const { kmd, source, destination } = lab;
	const tip = Number(await kmd.client.call('getblockcount'));
	for (const { chain } of [source, destination]) {
		const rows = await product.rows<IndexedNotarization>(
			`chains/${kmd.chain}/notarizations?of=${encodeURIComponent(chain)}`
		);
		const found = await searched(lab, chain);
		const indexed = new Map<number, Set<string>>();
		for (const { txid, recordedAt } of rows) {
			if (recordedAt < tip)
				indexed.set(recordedAt, (indexed.get(recordedAt) ?? new Set()).add(txid));
		}
		for (const [height, txid] of found) {
			const place = `notarization of ${chain} in block ${height} of KMD`;
			report.same('notarizations', place, indexed.get(height)?.has(txid) ?? false, true);
			indexed.delete(height);
		}
		for (const height of indexed.keys()) {
			report.mismatch(
				'notarizations',
				`block ${height} of KMD: the daemon finds none of ${chain} there.`
			);
		}
	}
}
