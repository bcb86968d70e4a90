import type { LegacyMethod } from '../context.ts';
import { DAEMON_OPTIONS } from '../daemonClient.ts';
import { LegacyError } from '../error.ts';
import { enableEvm } from '../evmLegacy.ts';
import { electrumServers } from '../requests.ts';
import type { Mode } from '../utxo.ts';
import { TransportError } from '../utxoClient.ts';
import { activated, withBalance } from './activated.ts';
import { checked, tickerOf, optionalInteger, within } from './request.ts';
import { makeUtxo, notSupported, UTXO_LIKE } from './utxo.ts';

/** Activates a coin through Electrum servers. A slow or dead server delays only this call. */
export const electrum: LegacyMethod = async (context, body) => {
	tickerOf(body, 'legacy:143] ');
	const trace = 'legacy:144] ';
	const found = checked(context, body, trace);
	const { type } = found.protocol;
	if (type === 'ETH' || type === 'ERC20') return enableEvm(context, found, body, trace);
	if (type === 'SLPTOKEN') {
		throw new LegacyError(
			`${trace}Platform coin ${String(found.protocol.data['platform'])} is not activated`
		);
	}
	if (!UTXO_LIKE.has(type)) throw notSupported(type, trace);
	const servers = within(`${trace}lp_coins:5226] utxo_coin_builder:720] `, () =>
		electrumServers(body['servers'] ?? null)
	);
	const mode: Mode = {
		rpc: 'Electrum',
		servers,
		least: optionalInteger(body['min_connected']),
		most: optionalInteger(body['max_connected'])
	};
	const coin = makeUtxo(context, found, body, mode, trace);
	context.coins.add(coin);
	return withBalance(context, coin, 'legacy:152] ');
};

/** Activates a coin through its own daemon, or through the node URLs of an EVM chain. */
export const enable: LegacyMethod = async (context, body) => {
	const trace = 'legacy:172] ';
	const found = checked(context, body, trace);
	const { type } = found.protocol;
	if (type === 'ETH' || type === 'ERC20') return enableEvm(context, found, body, trace);
	if (!UTXO_LIKE.has(type)) throw notSupported(type, trace);
	const options = context.rules.seedForms ? DAEMON_OPTIONS : [];
	const coin = makeUtxo(context, found, body, { rpc: 'Native', options }, trace);
	context.coins.add(coin);
	if (coin.hd) {
		throw new LegacyError(
			"legacy:173] utxo_common:3098] lp_coins:4658] Expected 'SingleAddress' derivation method"
		);
	}
	try {
		return await activated(coin);
	} catch (cause) {
		if (!(cause instanceof TransportError)) throw cause;
		// When only the balance query fails, the release leaves the coin registered.
		throw new LegacyError(
			`legacy:173] utxo_common:3098] Transport(${JSON.stringify(cause.message)})`
		);
	}
};
