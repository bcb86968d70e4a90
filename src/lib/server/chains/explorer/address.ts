import { isScriptAddress } from '#lib/chain/address.ts';
import { valueOf } from '#lib/chain/amount.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import type { PageClient } from './pageClient.ts';

/** An unspent output. Amounts are satoshi. */
interface Unspent {
	txid: string;
	vout: number;
	value: bigint;
	height: number;
	/** Locked by a crypto-condition, as tokens are. */
	condition: boolean;
}

interface AddressView {
	/** Satoshi in ordinary outputs: unspent, and ever received. */
	balance: bigint;
	received: bigint;
	/** Satoshi in crypto-condition outputs. */
	conditionBalance: bigint;
	/** Newest first, at most `SHOWN`. */
	unspent: Unspent[];
	total: number;
}

const SHOWN = 200;

/** Reads the balances and unspent outputs of an address from the daemon's address index. @throws {AppError} `daemon` */
export async function readAddress(
	client: PageClient,
	chain: string,
	address: string
): Promise<AddressView> {
	const of = { addresses: [address] };
	const [balance, ordinary, condition] = await Promise.all([
		client.call(chain, 'getaddressbalance', [of]),
		client.call(chain, 'getaddressutxos', [of]),
		// For P2SH the daemon answers the same with and without the parameter: see `haveConditions`.
		isScriptAddress(address) ? [] : client.call(chain, 'getaddressutxos', [of, 1])
	]);
	const lines = [...linesOf(ordinary, false), ...linesOf(condition, true)].sort(
		(a, b) => b.height - a.height
	);
	return {
		balance: balance.balance,
		received: balance.received,
		conditionBalance: valueOf(lines.filter(({ condition }) => condition)),
		unspent: lines.slice(0, SHOWN),
		total: lines.length
	};
}

function linesOf(answer: DaemonResult<'getaddressutxos'>, condition: boolean): Unspent[] {
	const outputs = Array.isArray(answer) ? answer : answer.utxos;
	return outputs.map(({ txid, outputIndex, satoshis, height }) => ({
		txid,
		vout: outputIndex,
		value: satoshis,
		height,
		condition
	}));
}
