/** Finds the burn of a draft that is already on its chain: sent by other means, or before a backup was restored. */
import { parseBurn, parsePayouts, payoutsHash, type Burn } from '#lib/chain/burn.ts';
import { bytesEqual } from '#lib/chain/bytes.ts';
import { readableTransaction, txidOf, type Transaction } from '#lib/chain/transaction.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { daemonClientOf } from '../../chains/daemon/daemonClient.ts';
import { findAnywhere, findTransaction } from '../../chains/daemon/findTransaction.ts';
import { hasUnspent, knownSpender, spenderOf } from '../../chains/daemon/spender.ts';
import type { DaemonClient, Gateway } from '../../chains/daemon/types.ts';
import { readHex } from './burnReview.ts';
import type { MigrationRecord, MigrationRow } from './migrationRecord.ts';

/** A burn on the chain, and its bytes. */
interface OwnBurn {
	txid: string;
	hex: string;
	/** The block that contains it, when only that block tells; otherwise null. */
	height: number | null;
}

/** More burns than a wallet has: a burn that is not found could be made a second time. */
const ALL_BURNS = '1000000000';

/** Returns whether a burn in the wallet's list, which does not show the recipients, can be the wanted one. */
function canBe(listed: DaemonResult<'getwalletburntransactions'>[number], wanted: Burn): boolean {
	const isSameTarget =
		listed.targetSymbol === wanted.targetSymbol && listed.targetCCid === wanted.targetCcid;
	// Komodo daemon 0.9.0 lists a token burn without amount and token when it does not know the token.
	if (!isSameTarget || !('burnedAmount' in listed)) return isSameTarget;
	const { tokenid = null, burnedAmount } = listed;
	return tokenid === tokenOf(wanted) && (tokenid !== null || burnedAmount === wanted.value);
}

/** Returns the wallet's burns that can be the wanted one, newest first. @throws {AppError} `daemon` */
async function similarBurns(source: DaemonClient, wanted: Burn | null): Promise<string[]> {
	if (wanted === null) return [];
	const burns = await source.call('getwalletburntransactions', ALL_BURNS);
	return burns.flatMap((burn) => (canBe(burn, wanted) ? [burn.txid] : [])).reverse();
}

/**
 * Returns whether the burn of a draft is on its chain, as far as a daemon can tell. One without a transaction index
 * does not find a burn whose outputs are all spent, unless the burn is of its wallet: with another wallet it can
 * tell by an input that no block spends, or by what spends it.
 * @throws {AppError} `daemon` when the daemon cannot tell
 */
export async function isOwnBurnOut(
	gateway: Gateway,
	daemon: string,
	{ row, steps }: MigrationRecord
): Promise<boolean> {
	if (row.burn_txid === null) return false;
	const source = daemonClientOf(gateway, daemon);
	// After a disaster the daemon may have been restored too. A burn that it lacks could be made a second time.
	const mayBeOld = row.reason?.code === 'burn.restored';
	const { where } = await findAnywhere(source, row.burn_txid, { mayBeOld });
	if (where !== 'absent') return true;
	// Read after the call: before the first one the key of a daemon is not known.
	const isItsWallet = gateway.daemon(daemon)?.pubkey === row.pubkey?.toLowerCase();
	const hex = steps.get('burn')?.hex;
	if (!hex || isItsWallet) return false;
	const inputs = readHex(hex, 'burn').vin;
	if (await hasUnspent(source, inputs)) return false;
	const [first] = inputs;
	return first !== undefined && (await spenderOf(source, first)).txid === row.burn_txid;
}

const tokenOf = ({ tokenCreationTx }: Burn): string | null =>
	tokenCreationTx === undefined ? null : txidOf(tokenCreationTx);

/** Returns whether a transaction burns exactly what the draft burns, for the same recipients. */
function isSameBurn(tx: Transaction, draft: Transaction, row: MigrationRow): boolean {
	const burn = parseBurn(tx);
	const wanted = parseBurn(draft);
	if (!burn || !wanted || row.payouts === null) return false;
	return (
		burn.value === wanted.value &&
		burn.targetSymbol === row.destination &&
		burn.targetCcid === Number(row.ccid) &&
		bytesEqual(burn.payoutsHash, payoutsHash(parsePayouts(row.payouts))) &&
		tokenOf(burn) === tokenOf(wanted)
	);
}

/** Returns whether two transactions spend the same output. */
const isConflicting = (tx: Transaction, draft: Transaction): boolean =>
	tx.vin.some((input) =>
		draft.vin.some(({ txid, vout }) => txid === input.txid && vout === input.vout)
	);

/**
 * Searches for a draft's burn, by its txid and by what spends its inputs: a rebuilt burn has another txid, but the
 * same effect. After a restore, a rebuilt burn may also spend other outputs, and no row of the database knows it:
 * it is searched among the wallet's burns that were built after the draft.
 * @param ownerOf returns the id of the migration of a burn, by its txid; null for none
 * @throws {AppError} `daemon`
 */
export async function findOwnBurn(
	source: DaemonClient,
	{ row, steps }: MigrationRecord,
	ownerOf: (txid: string) => Promise<string | null>
): Promise<OwnBurn | null> {
	const hex = steps.get('burn')?.hex;
	if (!hex || row.burn_txid === null) return null;
	const own = await findTransaction(source, row.burn_txid);
	if (own.where !== 'absent') return { txid: row.burn_txid, hex, height: null };
	const draft = readHex(hex, 'burn');
	const wanted = parseBurn(draft);
	const seen = new Set<string>();
	async function sameAmong(
		candidates: readonly string[],
		isMeant: (tx: Transaction) => boolean
	): Promise<OwnBurn | null> {
		for (const candidate of candidates) {
			if (seen.has(candidate)) continue;
			seen.add(candidate);
			const found = await findTransaction(source, candidate);
			const tx = found.where === 'absent' ? null : readableTransaction(found.hex);
			if (!tx || found.where === 'absent' || !isSameBurn(tx, draft, row) || !isMeant(tx)) continue;
			const owner = await ownerOf(txidOf(tx));
			if (owner === null || owner === row.id)
				return { txid: txidOf(tx), hex: found.hex, height: null };
		}
		return null;
	}
	for (const input of draft.vin) {
		if ((await source.call('gettxout', input.txid, input.vout)) !== null) continue;
		const spender = await knownSpender(source, input);
		if (spender?.txid === row.burn_txid) {
			return { txid: row.burn_txid, hex, height: spender.height > 0 ? spender.height : null };
		}
		const spending = spender ? [spender.txid] : await similarBurns(source, wanted);
		const found = await sameAmong(spending, (tx) => isConflicting(tx, draft));
		if (found !== null) return found;
	}
	if (row.reason?.code !== 'burn.restored') return null;
	seen.clear();
	return sameAmong(
		await similarBurns(source, wanted),
		({ expiryHeight }) => expiryHeight >= draft.expiryHeight
	);
}
