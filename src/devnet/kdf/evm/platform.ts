import { isEvmAddress } from '#lib/chain/evmAddress.ts';
import type { CoinEntry } from '../coinsFile.ts';
import type { KdfContext } from '../context.ts';
import { KdfError } from '../error.ts';
import type { EvmClient } from '../evmClient.ts';
import { protocolOf, type Protocol } from '../protocol.ts';
import type { KeyPolicy } from '../requests.ts';
import { SerdeError } from '../serde.ts';
import type { KeySource } from '../utxo.ts';
import { TransportError } from '../utxoClient.ts';
import { at, FROM_PLATFORM, internalOf, payload, PLATFORM } from './errors.ts';
import type { EvmRequest } from './request.ts';

/** Finds the coins file entry of a platform. @throws {KdfError} */
export function platformOf(
	context: KdfContext,
	ticker: string
): { entry: CoinEntry; protocol: Protocol } {
	const entry = context.entry(ticker);
	if (!entry) {
		throw new KdfError(
			400,
			'PlatformConfigIsNotFound',
			`Platform ${ticker} config is not found`,
			ticker,
			at(`${PLATFORM}.prelude`, `${PLATFORM}:471] prelude:106]`)
		);
	}
	let protocol: Protocol;
	try {
		protocol = protocolOf(entry, context.rules);
	} catch (cause) {
		if (!(cause instanceof SerdeError)) throw cause;
		throw new KdfError(
			500,
			'CoinProtocolParseError',
			`Platform coin ${ticker} protocol parsing failed: ${cause.message}`,
			{ ticker, error: cause.message },
			at(`${PLATFORM}.prelude`, `${PLATFORM}:471] prelude:114]`)
		);
	}
	if (protocol.type !== 'ETH') {
		throw new KdfError(
			400,
			'UnexpectedPlatformProtocol',
			`Unexpected platform protocol ${JSON.stringify(protocol.json)} for ${ticker}`,
			{ ticker, protocol: protocol.json },
			at(`${PLATFORM}.prelude.lib`, `${PLATFORM}:471] prelude:122] lib:13]`)
		);
	}
	return { entry, protocol };
}

const isZero = (address: string): boolean => /^0x0{40}$/.test(address);

/** Checks that the contract addresses are present and none is zero. @throws {KdfError} */
export function checkContracts(request: EvmRequest): void {
	const { swap_contract_address: swap, fallback_swap_contract: spare } = request;
	if (swap === undefined) {
		throw payload('swap_contract_address is required for trading-capable coins');
	}
	for (const [name, address] of [
		['swap_contract_address', swap],
		['fallback_swap_contract', spare],
		...Object.entries(request.swap_v2_contracts ?? {})
	] as const) {
		if (address === undefined) continue;
		if (!isEvmAddress(address))
			throw new SerdeError(`invalid value: string ${JSON.stringify(address)}, expected an address`);
		if (isZero(address)) throw payload(`${name} can't be zero address`);
	}
}

/** Checks that node URLs have a usable scheme. @throws {KdfError} */
export function nodeUrls(nodes: readonly { url: string }[]): string[] {
	if (nodes.length === 0) {
		const text = 'Enable request for ETH coin must have at least 1 node';
		throw new KdfError(400, 'AtLeastOneNodeRequired', text, text, FROM_PLATFORM);
	}
	return nodes.map(({ url }) => {
		let parsed: URL;
		try {
			parsed = new URL(url);
		} catch {
			throw payload(`Invalid node address '${url}'`);
		}
		if (!/^(https?|wss?):$/.test(parsed.protocol)) {
			throw payload(
				`Invalid node address '${parsed.href}'. Only http(s) and ws(s) nodes are supported`
			);
		}
		return url;
	});
}

/** Returns the source of keys for a key policy. @throws {KdfError} */
export function keysOf(context: KdfContext, policy: KeyPolicy): KeySource {
	const { keys, device, sessions } = context;
	if (policy === 'context') {
		return { isHd: keys.isHd, isForeign: false, key: (path) => keys.key(path) };
	}
	if (policy === 'device') {
		return { isHd: true, isForeign: true, key: (path) => device.keys.keyAt(path ?? 'm') };
	}
	const session = sessions.get(policy.session);
	if (!session) {
		const text = `Session not found: ${policy.session}`;
		throw new KdfError(400, 'WalletConnectError', text, text, FROM_PLATFORM);
	}
	return { isHd: false, isForeign: true, key: () => session.keys.keyAt("m/44'/60'/0'/0/0") };
}

/** Checks that at least one node returns its version. @throws {KdfError} */
export async function reach(context: KdfContext, client: EvmClient): Promise<void> {
	try {
		await client.call('web3_clientVersion');
	} catch (cause) {
		if (!(cause instanceof TransportError)) throw cause;
		if (context.rules.build === '3.0.0' && !context.rules.seedForms) {
			throw internalOf(context.rules, `eth:3001] ${cause.message}`);
		}
		const text = 'Failed to get client version for all nodes';
		throw new KdfError(502, 'Transport', text, text, FROM_PLATFORM);
	}
}

/** Refuses a platform that is active already. @throws {KdfError} */
export function refuseActive({ coins }: KdfContext, ticker: string): void {
	if (!coins.has(ticker) || coins.isPassive(ticker)) return;
	throw new KdfError(
		400,
		'PlatformIsAlreadyActivated',
		ticker,
		ticker,
		at(PLATFORM, `${PLATFORM}:466]`)
	);
}
