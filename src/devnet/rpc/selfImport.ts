import { daemonReads } from '#lib/chain/amount.ts';
import { scriptOfAddress } from '#lib/chain/script.ts';
import { buildSelfImport, selfImportSourceScript } from '#lib/chain/selfImport.ts';
import { parseTransaction, unsignedInput, type TxOut } from '#lib/chain/transaction.ts';
import { RPC_MISC_ERROR } from '#lib/rpc/errorCodes.ts';
import { int } from './coins.ts';
import { RpcError } from './error.ts';
import { draftTransaction } from '../wallet/draft.ts';
import { selectCoins } from '../wallet/select.ts';
import { BUILD_FEE, changeOf, finish } from './build.ts';
import type { Handler } from './context.ts';
import { hexOf } from './hex.ts';

const MOST_INPUTS = 10;

/** Returns the script of an address; an empty script for an invalid address, as in the daemon. */
const looseScript = (text: string): Uint8Array => {
	try {
		return scriptOfAddress(text);
	} catch {
		return new Uint8Array(0);
	}
};

const selfimport: Handler = (context, params) => {
	const { ledger, wallet } = context;
	const { acImport, acPubkey } = ledger.params;
	if (acImport === undefined) {
		throw new RpcError(RPC_MISC_ERROR, 'selfimport only works on -ac_import chains');
	}
	params.between(2, 2);
	const script = looseScript(params.string(0));
	const amount = daemonReads(params.string(1));
	if (acImport !== 'PUBKEY') return int(-1);
	const failed = new RpcError(RPC_MISC_ERROR, 'Failed creating selfimport template tx');
	const chosen = selectCoins(wallet.coins(), 2n * BUILD_FEE, MOST_INPUTS);
	const first = chosen?.coins[0];
	if (!chosen || !first || wallet.key(first.address)?.pubkeyHex !== acPubkey) throw failed;
	const vout: TxOut[] = [{ value: BUILD_FEE, script }];
	vout.push(...changeOf(wallet, chosen.total, BUILD_FEE));
	vout.push({ value: 0n, script: selfImportSourceScript(amount) });
	const vin = chosen.coins.map((coin) => unsignedInput(coin.txid, coin.vout));
	const sourceHex = finish(context, draftTransaction(ledger, vin, vout));
	if (sourceHex === '') throw failed;
	const source = parseTransaction(sourceHex);
	return {
		SourceTxHex: sourceHex,
		ImportTxHex: hexOf(buildSelfImport(source, [{ value: amount, script }]))
	};
};

export const selfImportHandlers = { selfimport };
