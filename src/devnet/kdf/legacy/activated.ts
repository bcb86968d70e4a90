import type { JsonValue } from '#lib/rpc/json.ts';
import { int } from '../../rpc/coins.ts';
import type { ActiveCoin } from '../coins.ts';
import type { KdfContext } from '../context.ts';
import { LegacyError } from '../error.ts';
import { TransportError } from '../utxoClient.ts';

/** Returns the common result of legacy activations. */
export async function activated(coin: ActiveCoin): Promise<JsonValue> {
	const balance = await coin.balanceOf(coin.key()!);
	return {
		result: 'success',
		address: coin.address!,
		balance: balance.spendable,
		unspendable_balance: balance.unspendable,
		coin: coin.ticker,
		required_confirmations: int(coin.requiredConfirmations),
		requires_notarization: coin.requiresNotarization,
		...(coin.matureConfirmations === undefined
			? {}
			: { mature_confirmations: int(coin.matureConfirmations) })
	};
}

const DERIVATION =
	'utxo_common:3098] lp_coins:4658] UnexpectedDerivationMethod(ExpectedSingleAddress)';

const LOOK_EVERY_MS = 25;

/** How long legacy activations wait for the balance, in seconds. */
const balanceLimit = ({ rules }: KdfContext): number => (rules.build === '3.0.0' ? 20 : 5);

export async function withBalance(
	context: KdfContext,
	coin: ActiveCoin,
	trace: string
): Promise<JsonValue> {
	const failed = (reason: string): LegacyError => {
		context.coins.remove(coin.ticker);
		return new LegacyError(`${trace}Deactivated coin due to error in balance querying: ${reason}`);
	};
	if (coin.hd) throw failed(`Ok(Err(${DERIVATION}))`);
	const seconds = balanceLimit(context);
	const end = context.clock() + seconds;
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<'late'>((resolve) => {
		timer = setInterval(() => {
			if (context.clock() >= end) resolve('late');
		}, LOOK_EVERY_MS).unref();
	});
	try {
		const answer = await Promise.race([activated(coin), late]);
		if (answer === 'late') throw failed(`Err(TimeoutError { duration: ${seconds}s })`);
		return answer;
	} catch (cause) {
		if (!(cause instanceof TransportError)) throw cause;
		throw failed(`Ok(Err(utxo_common:3098] Transport(${JSON.stringify(cause.message)})))`);
	} finally {
		clearInterval(timer);
	}
}
