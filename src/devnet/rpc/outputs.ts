import { RPC_INVALID_ADDRESS_OR_KEY } from '#lib/rpc/errorCodes.ts';
import { isJsonObject, JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import { coins, int } from './coins.ts';
import { RpcError, UsageError } from './error.ts';
import { asInteger, member } from './params.ts';
import { interestOf } from '../ledger/interest.ts';
import type { Handler } from './context.ts';
import { strictId } from './hex.ts';
import { decodedTransaction } from './render.ts';

const getspentinfo: Handler = ({ ledger, spentIndex }, params) => {
	params.between(1, 1);
	const output = params.at(0);
	if (!isJsonObject(output)) throw new UsageError();
	const [id, index] = [member(output, 'txid'), member(output, 'index')];
	if (typeof id !== 'string' || !(index instanceof JsonNumber)) {
		throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Invalid txid or index');
	}
	const txid = strictId(id, 'txid');
	const vout = asInteger(index);
	const spent = spentIndex ? ledger.spentBy(txid, vout) : undefined;
	if (!spent) throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Unable to get spent info');
	return { txid: spent.txid, index: int(spent.index), height: int(spent.height) };
};

const gettxout: Handler = ({ ledger }, params) => {
	params.between(2, 3);
	const txid = strictId(params.string(0), 'txid');
	const n = params.integer(1);
	const withMempool = params.has(2) ? params.bool(2) : true;
	const tx = ledger.transaction(txid);
	const out = tx?.vout[n];
	const mined = ledger.mined(txid);
	if (!tx || !out || (!mined && !withMempool)) return null;
	const spent = ledger.spentBy(txid, n);
	if (spent && (spent.height >= 0 || withMempool)) return null;
	if (mined && !ledger.coin(txid, n)) return null;
	const decoded = decodedTransaction(tx, ledger.params.ccid).vout as { [key: string]: JsonValue }[];
	const interest = mined
		? interestOf(ledger, { txid, value: out.value, height: mined.height })
		: 0n;
	return {
		bestblock: ledger.tip.hash,
		confirmations: int(mined ? ledger.confirmations(mined.height) : 0),
		rawconfirmations: int(mined ? ledger.rawConfirmations(mined.height) : 0),
		value: coins(out.value),
		...(interest === 0n ? {} : { interest: coins(interest) }),
		scriptPubKey: decoded[n]!.scriptPubKey!,
		version: int(tx.version),
		coinbase: mined?.position === 0
	};
};

export const outputHandlers = { getspentinfo, gettxout };
