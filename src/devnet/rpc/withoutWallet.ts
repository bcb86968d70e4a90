/** What becomes of calls to a daemon that was started without a wallet. */
import { RPC_METHOD_NOT_FOUND, RpcError } from '../daemon/error.ts';
import { DaemonCrash } from '../ledger/cross-chain/error.ts';

/** Methods of the wallet itself, of those that are served here. */
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

/** Builders that do not ask whether there is one. */
const ENDING: ReadonlySet<string> = new Set([
	'migrate_createburntransaction',
	'migrate_createnotaryapprovaltransaction',
	'selfimport',
	'tokencreate',
	'tokentransfer'
]);

/**
 * Before a method looks at its parameters. (Komodo daemon 0.9.0: `EnsureWalletIsAvailable`.)
 * @throws {RpcError} @throws {DaemonCrash}
 */
export function refuseWithoutWallet(method: string): void {
	if (OF_THE_WALLET.has(method)) {
		throw new RpcError(RPC_METHOD_NOT_FOUND, 'Method not found (disabled)');
	}
	if (ENDING.has(method)) throw new DaemonCrash();
}
