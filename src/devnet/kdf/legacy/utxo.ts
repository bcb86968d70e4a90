import type { CoinEntry } from '../coinsFile.ts';
import type { KdfContext } from '../context.ts';
import { LegacyError } from '../error.ts';
import type { Protocol } from '../protocol.ts';
import { addressFormat, hdFields } from '../requests.ts';
import { fallback, list, optional, string, struct } from '../serde.ts';
import { CoinProblem, DEFAULT_GAP, UtxoCoin, type Mode } from '../utxo.ts';
import { optionalInteger, within, type Body } from './request.ts';

export const UTXO_LIKE = new Set(['UTXO', 'QTUM', 'QRC20', 'BCH']);

const utxoFields = struct('request', {
	address_format: optional(addressFormat),
	bchd_urls: fallback(list(string), []),
	...hdFields
});

export function makeUtxo(
	context: KdfContext,
	found: { entry: CoinEntry; protocol: Protocol },
	body: Body,
	mode: Mode,
	trace: string
): UtxoCoin {
	const { entry, protocol } = found;
	const { keys } = context;
	if (protocol.type === 'QRC20' && body['swap_contract_address'] === undefined) {
		throw new LegacyError(`${trace}qrc20:300] swap_contract_address is required`);
	}
	return within(`${trace}lp_coins:5226] `, () => {
		const given = utxoFields(body);
		const notarized = body['requires_notarization'];
		try {
			return new UtxoCoin(
				entry,
				protocol,
				{
					mode,
					...(protocol.type === 'BCH'
						? {
								bch: {
									urls: given.bchd_urls,
									allowUnsafe: body['allow_slp_unsafe_conf'] === true
								}
							}
						: {}),
					requiredConfirmations:
						optionalInteger(body['required_confirmations']) ??
						(context.rules.seedForms && entry.required_confirmations === undefined ? 3 : undefined),
					requiresNotarization: typeof notarized === 'boolean' ? notarized : undefined,
					history: body['tx_history'] === true,
					format: given.address_format,
					path: given.path_to_address,
					scan: given.scan_policy,
					leastAddresses: given.min_addresses_number,
					gap: DEFAULT_GAP
				},
				{ isHd: keys.isHd, isForeign: false, key: (path) => keys.key(path) }
			);
		} catch (cause) {
			if (!(cause instanceof CoinProblem)) throw cause;
			const prefix = cause.kind === 'internal' ? 'Internal error: ' : '';
			throw new LegacyError(`${trace}lp_coins:5226] ${cause.trace}${prefix}${cause.message}`);
		}
	});
}

export const notSupported = (type: string, trace: string): LegacyError =>
	new LegacyError(`${trace}lp_coins:5300] ${type} protocol is not supported by lp_coininit`);
