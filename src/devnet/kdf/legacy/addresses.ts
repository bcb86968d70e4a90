import { bytesToHex } from '#lib/chain/bytes.ts';
import { isChecksummed, isEvmAddress } from '#lib/chain/evmAddress.ts';
import { encodeWif } from '#lib/chain/key.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import type { LegacyMethod } from '../context.ts';
import { LegacyError } from '../error.ts';
import { utxoAddressHash, utxoAddressOf } from '../keys.ts';
import { addressFormat } from '../requests.ts';
import { active } from './active.ts';
import { within } from './request.ts';

export const validateAddress: LegacyMethod = (context, body) => {
	const coin = active(context, body, 330);
	const { address } = body;
	if (typeof address !== 'string') throw new LegacyError("legacy:331] No 'address' field");
	const isEvm = coin.protocol === 'ETH' || coin.protocol === 'ERC20';
	const reason = isEvm
		? !address.startsWith('0x')
			? 'Address must be prefixed with 0x'
			: !isEvmAddress(address)
				? 'Invalid input length'
				: !isChecksummed(address)
					? 'Invalid address checksum'
					: null
		: utxoAddressHash(coin.entry, address)
			? null
			: `Invalid address: ${address}`;
	const result: JsonValue = reason === null ? { is_valid: true } : { is_valid: false, reason };
	return { result };
};

export const convertAddress: LegacyMethod = (context, body) => {
	const coin = active(context, body, 340);
	const { from } = body;
	if (typeof from !== 'string') throw new LegacyError("legacy:341] No 'from' field");
	const format = within('legacy:342] ', () => addressFormat(body['to_address_format'] ?? null));
	const hash = coin.protocol === 'ETH' ? null : utxoAddressHash(coin.entry, from);
	if (!hash) throw new LegacyError(`legacy:343] Invalid address: ${from}`);
	return { result: { address: utxoAddressOf(coin.entry, hash, format) } };
};

/** Returns the private key, as the real node does: a proxy in front of it must not allow this call. */
export const showPrivKey: LegacyMethod = (context, body) => {
	const coin = active(context, body, 400);
	const key = coin.key();
	if (!key) throw new LegacyError('legacy:402] The private key is not here');
	const isEvm = coin.protocol === 'ETH' || coin.protocol === 'ERC20';
	return {
		result: { coin: coin.ticker, priv_key: isEvm ? `0x${bytesToHex(key)}` : encodeWif(key) }
	};
};
