/**
 * Converts the form that activates a coin, token or NFTs of an EVM chain to native parameters. As for other
 * coins every parameter is sent, because versions differ in their defaults. Pure.
 */
import type { Plain } from '../client/plain.ts';
import type { EvmTyped, EvmErrors, EvmOffer } from './evmForm.ts';
import { EvmReader } from './evmReader.ts';

type EvmRead = { ok: true; params: { [name: string]: Plain } } | { ok: false; errors: EvmErrors };

function paramsOf(reader: EvmReader, { coin, method }: EvmOffer): { [name: string]: Plain } {
	const { ticker } = coin;
	switch (method) {
		case 'enable_erc20':
		case 'task::enable_erc20': {
			const { required_confirmations } = reader.confirmations();
			return { ticker, activation_params: { required_confirmations } };
		}
		case 'enable_nft':
			return { ticker, activation_params: reader.nftProvider(true) ?? {} };
		case 'enable':
			return {
				coin: ticker,
				urls: reader.nodes().map(({ url }) => url),
				...reader.contracts(),
				...reader.gasStation(),
				mm2: reader.mm2(),
				...reader.confirmations(),
				tx_history: reader.flag('tx_history')
			};
		default: {
			const nfts = reader.nftProvider(false);
			return {
				ticker,
				nodes: reader.nodes() as unknown as Plain,
				...reader.contracts(),
				...reader.secondContracts(),
				erc20_tokens_requests: reader.tokens(),
				...reader.gasStation(),
				get_balances: reader.flag('get_balances'),
				mm2: reader.mm2(),
				...(nfts === null ? {} : { nft_req: nfts }),
				...reader.key(),
				...reader.path(),
				...reader.confirmations(),
				rpc_mode: reader.rpcMode(),
				tx_history: reader.flag('tx_history')
			};
		}
	}
}

/** Reads only the nodes of a form, for a connection test; other fields may still be invalid. */
export function chosenNodes(
	typed: EvmTyped,
	offer: EvmOffer
): { urls: string[]; errors: EvmErrors } {
	const reader = new EvmReader(typed, offer);
	const urls = reader.nodes().map(({ url }) => url);
	return { urls, errors: reader.errors };
}

/** Reads a form. All errors are returned together, each at its field. */
export function readEvmForm(typed: EvmTyped, offer: EvmOffer): EvmRead {
	const reader = new EvmReader(typed, offer);
	const params = paramsOf(reader, offer);
	return Object.keys(reader.errors).length === 0
		? { ok: true, params }
		: { ok: false, errors: reader.errors };
}
