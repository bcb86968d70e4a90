import { isChecksummed } from '#lib/chain/evmAddress.ts';
import type { CoinEntry } from '../coinsFile.ts';
import type { KdfContext } from '../context.ts';
import { EvmCoin, type EvmCoinOptions } from '../evmCoin.ts';
import { protocolOf, type Protocol } from '../protocol.ts';
import { SerdeError } from '../serde.ts';
import { customToken, tokenError } from './errors.ts';
import type { EvmRequest } from './request.ts';

type Wanted = EvmRequest['erc20_tokens_requests'][number];

export interface TokenPlan {
	entry: CoinEntry;
	contract: string;
	confirmations: number | undefined;
}

/** Resolves a token of an activation request. @throws {KdfError} */
export function tokenPlan(
	context: KdfContext,
	platform: string | undefined,
	{ ticker, required_confirmations: confirmations, protocol: custom }: Wanted
): TokenPlan {
	const known = context.entry(ticker);
	let entry = known;
	if (custom !== undefined) {
		if (known) throw customToken({ DuplicateTickerInConfig: { ticker_in_config: ticker } });
		entry = { coin: ticker, protocol: custom as unknown as NonNullable<CoinEntry['protocol']> };
	}
	if (!entry) {
		throw tokenError(400, 'TokenConfigIsNotFound', `Token ${ticker} config is not found`, ticker);
	}
	let protocol: Protocol;
	try {
		protocol = protocolOf(entry, context.rules);
	} catch (cause) {
		if (!(cause instanceof SerdeError)) throw cause;
		throw tokenError(
			500,
			'TokenProtocolParseError',
			`Token ${ticker} protocol parsing failed: ${cause.message}`,
			{ ticker, error: cause.message }
		);
	}
	const contract = protocol.data['contract_address'];
	const fits =
		protocol.type === 'ERC20' &&
		typeof contract === 'string' &&
		isChecksummed(contract) &&
		(platform === undefined || protocol.data['platform'] === platform);
	if (!fits) {
		throw tokenError(
			400,
			'UnexpectedTokenProtocol',
			`Unexpected token protocol ${JSON.stringify(protocol.json)} for ${ticker}`,
			{ ticker, protocol: protocol.json }
		);
	}
	if (custom !== undefined) {
		const same = context.entryOfContract(contract);
		if (same) throw customToken({ DuplicateContractInConfig: { ticker_in_config: same.coin } });
	}
	return { entry, contract, confirmations };
}

/** Refuses a token that is active already. @throws {KdfError} */
export function refuseActiveToken({ coins }: KdfContext, ticker: string): void {
	if (!coins.has(ticker)) return;
	const text = `Token ${ticker} is already activated`;
	throw tokenError(400, 'TokenIsAlreadyActivated', text, ticker);
}

/** Returns the active platform of a token. @throws {KdfError} */
export function activePlatform({ coins }: KdfContext, name: string): EvmCoin {
	const platform = coins.get(name);
	if (platform instanceof EvmCoin) return platform;
	const text = `Platform coin ${name} is not activated`;
	throw tokenError(400, 'PlatformCoinIsNotActivated', text, name);
}

/** Creates the token on its platform; decimals missing in the coins file are read from the contract. */
export async function tokenCoin(
	{ entry, contract, confirmations }: TokenPlan,
	platform: Pick<EvmCoin, 'ticker' | 'client' | 'keys' | 'requiredConfirmations'>,
	more: Partial<Pick<EvmCoinOptions, 'path' | 'leastAddresses' | 'history'>> = {}
): Promise<EvmCoin> {
	const { ticker, client, keys, requiredConfirmations } = platform;
	return new EvmCoin({
		entry,
		protocol: 'ERC20',
		client,
		keys,
		requiredConfirmations: confirmations ?? entry.required_confirmations ?? requiredConfirmations,
		history: false,
		...more,
		token: {
			contract,
			platform: ticker,
			decimals: entry.decimals || (await client.tokenDecimals(contract))
		}
	});
}
