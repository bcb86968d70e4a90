import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { addressHandlers } from './addresses.ts';
import { blockHandlers } from './blocks.ts';
import { burnCheckHandlers } from './burnCheck.ts';
import type { Handler } from './context.ts';
import { furtherHandlers } from './further.ts';
import { generalHandlers } from './general.ts';
import { importViewHandlers } from './importViews.ts';
import { migrationHandlers } from './migration.ts';
import { miningHandlers } from './mining.ts';
import { notarizationHandlers } from './notarizations.ts';
import { rawTransactionHandlers } from './rawTransactions.ts';
import { selfImportHandlers } from './selfImport.ts';
import { tokenHandlers } from './tokens.ts';
import { walletHandlers } from './wallets.ts';

/** Registered methods that the devnet's daemons do not serve: they return error -32601. */
type NotServed =
	| 'createmultisig'
	| 'decodeccopret'
	| 'decodescript'
	| 'dumpprivkey'
	| 'dumpwallet'
	| 'encryptwallet'
	| 'estimatefee'
	| 'estimatepriority'
	| 'getaddednodeinfo'
	| 'getblocksubsidy'
	| 'getblocktemplate'
	| 'getchaintxstats'
	| 'getdeprecationinfo'
	| 'getlastsegidstakes'
	| 'getlocalsolps'
	| 'getnettotals'
	| 'getnetworkhashps'
	| 'getnetworksolps'
	| 'getrawchangeaddress'
	| 'getreceivedbyaddress'
	| 'gettxoutsetinfo'
	| 'getunconfirmedbalance'
	| 'invalidateblock'
	| 'keypoolrefill'
	| 'kvsearch'
	| 'kvupdate'
	| 'listbanned'
	| 'listsinceblock'
	| 'minerids'
	| 'ping'
	| 'prioritisetransaction'
	| 'reconsiderblock'
	| 'resendwallettransactions'
	| 'setstakingsplit'
	| 'signmessage'
	| 'stop'
	| 'verifychain'
	| 'verifymessage'
	| 'walletpassphrase';

/** The compiler checks that each registered method is either served or listed above. */
type Handlers = { readonly [M in Exclude<DaemonMethod, NotServed>]: Handler };

const handlers: Handlers = {
	...addressHandlers,
	...blockHandlers,
	...burnCheckHandlers,
	...generalHandlers,
	...importViewHandlers,
	...migrationHandlers,
	...miningHandlers,
	...notarizationHandlers,
	...rawTransactionHandlers,
	...selfImportHandlers,
	...tokenHandlers,
	...walletHandlers
};

const byName: ReadonlyMap<string, Handler> = new Map(
	Object.entries({ ...handlers, ...furtherHandlers })
);

export const servedMethods: readonly string[] = [...byName.keys()];

export const handlerOf = (method: string): Handler | undefined => byName.get(method);
