/** The balance and the keys of a wallet. */
import { privateKeyFromWif } from '#lib/chain/key.ts';
import { RPC_INVALID_ADDRESS_OR_KEY } from '#lib/rpc/errorCodes.ts';
import { coins, int } from './coins.ts';
import { RpcError } from './error.ts';
import { keyOf } from '../wallet/keys.ts';
import type { Handler } from './context.ts';

const getbalance: Handler = ({ wallet }, params) => {
	params.between(0, 3);
	if (params.has(0)) params.string(0);
	const least = params.has(1) ? params.integer(1) : 1;
	return coins(wallet.balance(least));
};

const getwalletinfo: Handler = ({ wallet, startedAt }, params) => {
	params.between(0, 0);
	const confirmed = wallet.balance(1);
	return {
		walletversion: int(60000),
		balance: coins(confirmed),
		unconfirmed_balance: coins(wallet.balance(0) - confirmed),
		immature_balance: coins(wallet.immatureBalance()),
		txcount: int(wallet.transactions().length),
		keypoololdest: int(startedAt),
		keypoolsize: int(101),
		...(wallet.locked ? { unlocked_until: int(0) } : {}),
		paytxfee: coins(0n),
		seedfp: '0'.repeat(64)
	};
};

const getnewaddress: Handler = (context, params) => {
	params.between(0, 1);
	if (params.has(0)) params.string(0);
	return context.newKey().address;
};

const importprivkey: Handler = (context, params) => {
	params.between(1, 5);
	try {
		const key = keyOf(privateKeyFromWif(params.string(0)));
		context.keepKey(key);
		return key.address;
	} catch (cause) {
		if (cause instanceof RpcError) throw cause;
		throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Invalid private key encoding');
	}
};

export const walletHandlers = { getbalance, getwalletinfo, getnewaddress, importprivkey };
