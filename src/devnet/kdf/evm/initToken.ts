import type { JsonValue } from '#lib/rpc/json.ts';
import { int } from '../../rpc/coins.ts';
import type { V2Method } from '../context.ts';
import { KdfError } from '../error.ts';
import { protocolOf } from '../protocol.ts';
import { hdFields } from '../requests.ts';
import { anything, exactU64, fallback, optional, required, string, struct, u64 } from '../serde.ts';
import type { TaskHandle } from '../tasks.ts';
import { TransportError } from '../utxoClient.ts';
import { walletBalanceJson } from '../walletBalance.ts';
import { tokenError } from './errors.ts';
import { activePlatform, refuseActiveToken, tokenCoin, tokenPlan } from './token.ts';

const tokenTaskRequest = struct('InitTokenReq', {
	ticker: required(string),
	protocol: optional(anything),
	activation_params: required(
		struct('InitErc20TokenActivationRequest', {
			required_confirmations: optional(u64),
			...hdFields
		})
	),
	client_id: fallback(exactU64, 0n)
});

/** Converts an error of the direct call for one token to the wording of the task. */
function ofTask({ status, type, message, data, origin }: KdfError, ticker: string): KdfError {
	switch (type) {
		case 'TokenIsAlreadyActivated':
			return new KdfError(400, type, `Token ${ticker} is activated already`, { ticker }, origin);
		case 'UnexpectedTokenProtocol': {
			const text = message.replace('Unexpected token', 'Unexpected platform');
			return new KdfError(status, type, text, data, origin);
		}
		case 'TokenProtocolParseError':
		case 'CustomTokenError':
			return new KdfError(400, type, message, data, origin);
		default:
			return new KdfError(status, type, message, data, origin);
	}
}

export const initToken: V2Method = (context, params) => {
	const { coins, rules, tasks } = context;
	const { ticker, protocol, activation_params: given, client_id } = tokenTaskRequest(params);
	const planned = () => {
		refuseActiveToken(context, ticker);
		return tokenPlan(context, undefined, {
			ticker,
			required_confirmations: given.required_confirmations,
			protocol
		});
	};
	let plan: ReturnType<typeof planned>;
	try {
		plan = planned();
	} catch (cause) {
		throw cause instanceof KdfError ? ofTask(cause, ticker) : cause;
	}
	const name = String(protocolOf(plan.entry, rules).data['platform']);
	const platform = activePlatform(context, name);
	const run = async (handle: TaskHandle): Promise<JsonValue> => {
		await handle.step('ActivatingCoin');
		try {
			const coin = await tokenCoin(plan, platform, {
				path: given.path_to_address,
				leastAddresses: given.min_addresses_number
			});
			await handle.step('RequestingWalletBalance');
			const wallet = await walletBalanceJson(coin);
			await handle.step('ActivatingCoin');
			coins.add(coin);
			return {
				ticker,
				platform_coin: name,
				token_contract_address: plan.contract,
				current_block: int(await coin.height()),
				required_confirmations: int(coin.requiredConfirmations),
				wallet_balance: wallet
			};
		} catch (cause) {
			if (!(cause instanceof TransportError)) throw cause;
			throw tokenError(500, 'Transport', cause.message, cause.message);
		}
	};
	const id = tasks.start('enable_erc20', ticker, 'ActivatingCoin', run, { client: client_id });
	return { task_id: int(id) };
};
