import type { DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { addressHandlers } from './addresses.ts';
import { blockHandlers } from './blocks.ts';
import { burnCheckHandlers } from './burnCheck.ts';
import type { Handler } from './context.ts';
import { fundingHandlers } from './funding.ts';
import { furtherHandlers } from './further.ts';
import { generalHandlers } from './general.ts';
import { importViewHandlers } from './importViews.ts';
import { mempoolHandlers } from './mempool.ts';
import { migrationHandlers } from './migration.ts';
import { miningHandlers } from './mining.ts';
import { notarizationHandlers } from './notarizations.ts';
import { outputHandlers } from './outputs.ts';
import { rawTransactionHandlers } from './rawTransactions.ts';
import { selfImportHandlers } from './selfImport.ts';
import { tokenHandlers } from './tokens.ts';
import { txOutProofHandlers } from './txOutProof.ts';
import { walletOutputHandlers } from './walletOutputs.ts';
import { walletHandlers } from './wallets.ts';
import { walletTransactionHandlers } from './walletTransactions.ts';

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
	...fundingHandlers,
	...generalHandlers,
	...importViewHandlers,
	...mempoolHandlers,
	...migrationHandlers,
	...miningHandlers,
	...notarizationHandlers,
	...outputHandlers,
	...rawTransactionHandlers,
	...selfImportHandlers,
	...tokenHandlers,
	...txOutProofHandlers,
	...walletHandlers,
	...walletOutputHandlers,
	...walletTransactionHandlers
};

const byName: ReadonlyMap<string, Handler> = new Map(
	Object.entries({ ...handlers, ...furtherHandlers })
);

export const servedMethods: readonly string[] = [...byName.keys()];

export const handlerOf = (method: string): Handler | undefined => byName.get(method);
