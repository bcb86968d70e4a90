/** Looks up which transaction spends an output. */
import type { TxIn } from '#lib/chain/transaction.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { JsonNumber } from '#lib/rpc/json.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { DaemonClient } from './types.ts';

/**
 * Returns the transaction that spends an output.
 * @throws {AppError} `daemon`; `daemon.rpc-error` when the daemon cannot tell: only one with a spent index can
 */
export const spenderOf = (
	source: Pick<DaemonClient, 'call'>,
	{ txid, vout: index }: Pick<TxIn, 'txid' | 'vout'>
): Promise<DaemonResult<'getspentinfo'>> =>
	source.call('getspentinfo', { txid, index: new JsonNumber(String(index)) });

/** As {@link spenderOf}, or null when the daemon cannot tell. @throws {AppError} `daemon` */
export async function knownSpender(
	source: DaemonClient,
	input: Pick<TxIn, 'txid' | 'vout'>
): Promise<DaemonResult<'getspentinfo'> | null> {
	try {
		return await spenderOf(source, input);
	} catch (error) {
		if (!isAppError(error, 'daemon.rpc-error')) throw error;
		return null;
	}
}

/** Whether no block spends one of these outputs. @throws {AppError} `daemon` */
export async function hasUnspent(
	source: DaemonClient,
	outputs: readonly Pick<TxIn, 'txid' | 'vout'>[]
): Promise<boolean> {
	for (const { txid, vout } of outputs) {
		if ((await source.call('gettxout', txid, vout, false)) !== null) return true;
	}
	return false;
}
