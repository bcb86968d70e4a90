import { parseImport } from '#lib/chain/importProof.ts';
import type { RecoveryFault } from '#lib/messages/migration/recoveryFaults.ts';
import { readableTransaction, type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import { daemonClientOf } from '../../../chains/daemon/daemonClient.ts';
import { findAnywhere } from '../../../chains/daemon/findTransaction.ts';
import {
	findImport,
	firstBlockAhead,
	type ImportSearch
} from '../../../chains/daemon/findImport.ts';
import { firstBlockSince } from '../../../chains/daemon/blocks.ts';
import type { DaemonClient } from '../../../chains/daemon/types.ts';
import type { MigrationDependencies } from './dependencies.ts';

/** A burn that was not built here. */
export interface ForeignBurn {
	tx: Transaction;
	payouts: TxOut[] | null;
}

/**
 * Returns the burn with this txid, or that of the import with this txid, or why there is none.
 * @throws {AppError} `daemon`
 */
export async function foreignBurn(
	deps: MigrationDependencies,
	txid: string,
	chain: string
): Promise<ForeignBurn | RecoveryFault> {
	const { gateway } = deps;
	const daemon = gateway.daemonFor(chain, 'read') ?? gateway.daemonFor(chain, 'wallet');
	if (!daemon) return { code: 'no-daemon', chain };
	const found = await findAnywhere(daemonClientOf(gateway, daemon.id), txid, { mayBeOld: false });
	if (found.where === 'absent') return { code: 'no-transaction', chain };
	const tx = readableTransaction(found.hex);
	if (tx === null) return { code: 'undecodable' };
	const imported = parseImport(tx);
	if (imported) return { tx: imported.burnTx, payouts: imported.payouts };
	return { tx, payouts: null };
}

/**
 * Searches for the import of a burn while a user waits. For an old burn only the first blocks are searched; the
 * result says where to continue.
 */
export async function importOf(
	source: DaemonClient,
	target: DaemonClient,
	burnTxid: string
): Promise<ImportSearch> {
	const burn = await findAnywhere(source, burnTxid, { mayBeOld: false });
	const ahead = firstBlockAhead((await target.call('getinfo')).blocks);
	if (burn.where !== 'mined') return findImport(target, burnTxid, ahead);
	const since = BigInt(await firstBlockSince(source, burn.blockhash, target));
	return findImport(target, burnTxid, since < ahead ? since : ahead);
}
