import { parseBurn } from '#lib/chain/burn.ts';
import { parseImport } from '#lib/chain/importProof.ts';
import { txidOf, type Transaction } from '#lib/chain/transaction.ts';
import { RPC_INVALID_PARAMETER } from '#lib/rpc/errorCodes.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { burnedTokenUnits } from '../ledger/cross-chain/importValue.ts';
import { isImport } from '../ledger/txKind.ts';
import { blockByText } from './blocks.ts';
import { coins, int } from './coins.ts';
import type { Handler } from './context.ts';
import { atoi } from './ctext.ts';
import { RpcError } from './error.ts';
import { addressOfScript } from './render.ts';

type JsonObject = { [key: string]: JsonValue };

const exportOf = (tx: Transaction): JsonObject => {
	const burnTx = parseImport(tx)?.burnTx;
	const burn = burnTx && parseBurn(burnTx);
	if (!burnTx || !burn) return {};
	return {
		txid: txidOf(burnTx),
		amount: coins(burn.value),
		...(burn.tokenCreationTx ? { tokenid: txidOf(burn.tokenCreationTx) } : {}),
		...(burn.sourceSymbol === '' ? {} : { source: burn.sourceSymbol })
	};
};

/** As in the daemon, `amount` and `address` are those of output 1, whatever it is. */
const getimports: Handler = ({ ledger }, params) => {
	params.between(1, 1);
	const block = blockByText(ledger, params.string(0));
	const found = block.transactions.filter(isImport);
	const total = found.reduce((sum, tx) => sum + (tx.vout[0]?.value ?? 0n), 0n);
	return {
		imports: found.map((tx) => {
			const second = tx.vout[1];
			const address = second && addressOfScript(second.script);
			return {
				txid: txidOf(tx),
				amount: coins(second?.value ?? 0n),
				...(address === undefined ? {} : { address }),
				export: exportOf(tx)
			};
		}),
		TotalImported: total === 0n ? int(0) : coins(total),
		time: int(block.header.time)
	};
};

const getwalletburntransactions: Handler = ({ wallet }, params) => {
	params.between(0, 1);
	const count = params.has(0) ? atoi(params.string(0)) : 10;
	if (count < 0) throw new RpcError(RPC_INVALID_PARAMETER, 'Negative count');
	const burns = wallet.transactions().flatMap(({ txid, tx, height, isLost }) => {
		const burn = parseBurn(tx);
		if (!burn) return [];
		const token = burn.tokenCreationTx;
		return [
			{
				txid,
				burnedAmount: coins(token ? burnedTokenUnits(tx, burn) : burn.value),
				...(token ? { tokenid: txidOf(token) } : {}),
				targetSymbol: burn.targetSymbol,
				targetCCid: String(burn.targetCcid),
				...(height < 0 && !isLost ? { inMempool: 'yes' } : {})
			}
		];
	});
	return count === 0 ? [] : burns.slice(-count);
};

export const importViewHandlers = { getimports, getwalletburntransactions };
