/** Compares the notarizations in the product's index with those that the KMD daemon finds. */
import { isJsonObject, JsonNumber } from '#lib/rpc/json.ts';
import type { ProductClient } from '../support/productClient.ts';
import type { Lab } from './lab.ts';
import type { Report } from './report.ts';

interface IndexedNotarization {
	txid: string;
	recordedAt: number;
}

/** Longer searches do not occur on a test chain. */
const MOST = 5_000;

/** KMD blocks that hold a notarization of a chain, and one txid of each, found by the daemon. */
async function searched({ kmd }: Lab, symbol: string): Promise<Map<number, string>> {
	const found = new Map<number, string>();
	// 0 means the tip, whose own block is left out (Komodo daemon 0.9.0).
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

/** The index must have each block with a notarization, and no other. */
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
