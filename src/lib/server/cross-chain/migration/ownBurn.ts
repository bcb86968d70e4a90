/** Finds the burn of a draft that is already on its chain: sent by other means, or before a backup was restored. */
import { parseBurn, parsePayouts, payoutsHash } from '#lib/chain/burn.ts';
import { bytesEqual } from '#lib/chain/bytes.ts';
import { readableTransaction, txidOf, type Transaction } from '#lib/chain/transaction.ts';
import { JsonNumber } from '#lib/rpc/json.ts';
import { findTransaction, type DaemonClient } from '../../chains/daemon/lookup.ts';
import { readHex } from './burnReview.ts';
import type { MigrationRecord, MigrationRow } from './migrationRecord.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** A burn on the chain, and its bytes. */
interface OwnBurn {
	txid: string;
	hex: string;
}

/** Newest burns of the wallet that are searched when the daemon has no spent index. */
const NEWEST_BURNS = '100';

/** Returns the transactions that may have spent an output. @throws {AppError} `daemon` */
async function maySpend(source: DaemonClient, txid: string, index: number): Promise<string[]> {
	try {
		return [
			(await source.call('getspentinfo', { txid, index: new JsonNumber(String(index)) })).txid
		];
	} catch (error) {
		if (!isAppError(error, 'daemon.rpc-error')) throw error;
	}
	const burns = await source.call('getwalletburntransactions', NEWEST_BURNS);
	return burns.map((burn) => burn.txid).reverse();
}

/** Returns whether a transaction burns exactly what the draft burns, from one of the same outputs. */
function isSameBurn(tx: Transaction, draft: Transaction, row: MigrationRow): boolean {
	const burn = parseBurn(tx);
	const wanted = parseBurn(draft);
	if (!burn || !wanted || row.payouts === null) return false;
	return (
		burn.value === wanted.value &&
		burn.targetSymbol === row.destination &&
		burn.targetCcid === Number(row.ccid) &&
		bytesEqual(burn.payoutsHash, payoutsHash(parsePayouts(row.payouts))) &&
		tx.vin.some((input) =>
			draft.vin.some(({ txid, vout }) => txid === input.txid && vout === input.vout)
		)
	);
}

/**
 * Searches for a draft's burn, by its txid and by what spends its inputs: a rebuilt burn has another txid, but the
 * same effect.
 * @throws {AppError} `daemon`
 */
export async function findOwnBurn(
	source: DaemonClient,
	{ row, steps }: MigrationRecord
): Promise<OwnBurn | null> {
	const hex = steps.get('burn')?.hex;
	if (!hex || row.burn_txid === null) return null;
	const own = await findTransaction(source, row.burn_txid);
	if (own.where !== 'absent') return { txid: row.burn_txid, hex };
	const draft = readHex(hex, 'burn');
	const seen = new Set<string>();
	for (const { txid, vout } of draft.vin) {
		if ((await source.call('gettxout', txid, vout)) !== null) continue;
		for (const candidate of await maySpend(source, txid, vout)) {
			if (seen.has(candidate)) continue;
			seen.add(candidate);
			const found = await findTransaction(source, candidate);
			const tx = found.where === 'absent' ? null : readableTransaction(found.hex);
			if (tx && found.where !== 'absent' && isSameBurn(tx, draft, row)) {
				return { txid: txidOf(tx), hex: found.hex };
			}
		}
	}
	return null;
}
