/** Behavior of a daemon that was started without a wallet. */
import { RPC_METHOD_NOT_FOUND } from '#lib/rpc/errorCodes.ts';
import { DaemonCrash } from '../ledger/cross-chain/error.ts';
import { RpcError } from './error.ts';

/** Served methods that are wallet methods. */
const OF_THE_WALLET: ReadonlySet<string> = new Set([
	'fundrawtransaction',
	'getbalance',
	'getnewaddress',
	'gettransaction',
	'getwalletburntransactions',
	'getwalletinfo',
	'importaddress',
	'importprivkey',
	'listlockunspent',
	'listtransactions',
	'listunspent',
	'lockunspent',
	'sendtoaddress'
]);

/** Methods that build transactions without checking for a wallet. */
const ENDING: ReadonlySet<string> = new Set([
	'migrate_createburntransaction',
	'migrate_createnotaryapprovaltransaction',
	'selfimport',
	'tokencreate',
	'tokentransfer'
]);

/**
 * Refuses methods that need a wallet, before their parameters are checked. (Komodo daemon 0.9.0:
 * `EnsureWalletIsAvailable`.)
 * @throws {RpcError} @throws {DaemonCrash}
 */
export function refuseWithoutWallet(method: string): void {
	if (OF_THE_WALLET.has(method)) {
		throw new RpcError(RPC_METHOD_NOT_FOUND, 'Method not found (disabled)');
	}
	if (ENDING.has(method)) throw new DaemonCrash();
}
