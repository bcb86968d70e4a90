/** Meanings of daemon error codes; the message of an error is more specific. */
import type { DaemonErrorNumber } from '#lib/rpc/envelope.ts';

export const DAEMON_ERROR_CODES: Readonly<Record<DaemonErrorNumber, string>> = {
	[-1]: 'Refused: the message says why, or how to call',
	[-2]: 'Safe mode: the chain may have forked',
	[-3]: 'Wrong type or amount of a parameter',
	[-4]: 'The wallet cannot do this',
	[-5]: 'Unknown block, transaction, address or key',
	[-6]: 'Insufficient funds',
	[-7]: 'Out of memory',
	[-8]: 'Wrong value of a parameter',
	[-9]: 'The daemon has no peers',
	[-10]: 'The daemon is still downloading the chain',
	[-11]: 'Wrong account name',
	[-12]: 'The key pool is empty',
	[-13]: 'The wallet is locked',
	[-14]: 'Wrong passphrase',
	[-15]: 'Wrong encryption state of the wallet',
	[-16]: 'The wallet could not be encrypted',
	[-17]: 'The wallet is already unlocked',
	[-18]: 'The wallet is disabled',
	[-20]: 'The database cannot be read',
	[-22]: 'The transaction cannot be decoded',
	[-25]: 'Not sent: an input is missing',
	[-26]: 'The transaction was rejected',
	[-27]: 'The transaction is already on the chain',
	[-28]: 'The daemon is starting',
	[-32600]: 'Malformed request',
	[-32601]: 'No such method',
	[-32602]: 'Malformed parameters',
	[-32603]: 'Internal error of the daemon',
	[-32700]: 'The request is not JSON'
};
