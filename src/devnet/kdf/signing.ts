import { isChainError } from '#lib/chain/chainError.ts';
import { isChecksummed, isEvmAddress } from '#lib/chain/evmAddress.ts';

import { evmSigner, signEvmMessage, signMessage, verifyMessage } from '#lib/chain/message.ts';
import { isJsonObject, type JsonValue } from '#lib/rpc/json.ts';
import type { ActiveCoin } from './coins.ts';
import type { KdfContext, V2Method } from './context.ts';
import { KdfError } from './error.ts';
import { utxoAddressHash } from './keys.ts';
import { pathToAddress, side } from './requests.ts';
import { fallback, optional, required, SerdeError, string, struct, u32 } from './serde.ts';
import type { Read } from './serde.ts';

/** Protocols that sign messages as on EVM chains. */
const EVM = new Set(['ETH', 'ERC20', 'NFT']);

type Selector =
	{ path: string } | { account: number; side: 'External' | 'Internal'; index: number };

const byPath = struct('DerivationPath', { derivation_path: required(string) });
const byPart = struct('HDPathAccountToAddressId', {
	account_id: fallback(u32, 0),
	chain: fallback(side, 'External' as const),
	address_id: fallback(u32, 0)
});

const selector =
	(seedForms: boolean): Read<Selector> =>
	(value) => {
		try {
			// In the interface document each number defaults to 0; the release requires all three.
			if (!seedForms || !isJsonObject(value) || !Object.hasOwn(value, 'derivation_path')) {
				const { account_id, chain, address_id } = (seedForms ? byPart : pathToAddress)(value);
				return { account: account_id, side: chain, index: address_id };
			}
		} catch (cause) {
			if (!(cause instanceof SerdeError)) throw cause;
		}
		try {
			return { path: byPath(value).derivation_path };
		} catch {
			throw new SerdeError('data did not match any variant of untagged enum HDAddressSelector');
		}
	};

const signRequest = (seedForms: boolean) =>
	struct('SignatureRequest', {
		coin: required(string),
		message: required(string),
		address: optional(selector(seedForms))
	});

const verifyRequest = struct('VerificationRequest', {
	coin: required(string),
	message: required(string),
	signature: required(string),
	address: required(string)
});

const refused = (data: string, trace = 'lp_coins:5492]'): KdfError =>
	new KdfError(400, 'InvalidRequest', `Invalid request: ${data}`, data, {
		path: 'lp_coins',
		trace
	});

const internal = (data: string, trace = 'lp_coins:5496] lp_coins:5408]'): KdfError =>
	new KdfError(500, 'InternalError', `Internal error: ${data}`, data, { path: 'lp_coins', trace });

const noPrefix = (): KdfError =>
	new KdfError(500, 'PrefixNotFound', 'sign_message_prefix is not set in coin config', undefined, {
		path: 'utxo_common',
		trace: 'utxo_common:3069]'
	});

/** Returns the derivation path of the signing key, which must be below the coin's path. @throws {KdfError} */
function pathOf(coin: ActiveCoin, wanted: Selector): string {
	const own = coin.entry.derivation_path ?? '';
	if ('account' in wanted) {
		return `${own}/${wanted.account}'/${wanted.side === 'External' ? 0 : 1}/${wanted.index}`;
	}
	const { path } = wanted;
	if (!/^m(\/\d+'?){5}$/.test(path)) {
		throw refused(`Unknown BIP32 error: invalid derivation path ${path}`);
	}
	if (!path.startsWith(`${own}/`)) {
		// The release swaps the two paths in this message.
		throw refused(`Invalid path to coin '${own}', expected '${path}'`);
	}
	return path;
}

/** The interface document has a separate error type for keys that cannot sign; the release does not. */
const cannotSign = (seedForms: boolean): KdfError => {
	const text = 'Unsupported method: `sign_message` for the current private key policy';
	return seedForms
		? new KdfError(500, 'SigningError', `Signing error: ${text}`, text)
		: internal(text);
};

function keyOf(coin: ActiveCoin, wanted: Selector | undefined, seedForms: boolean): Uint8Array {
	const path = wanted && pathOf(coin, wanted);
	let key: Uint8Array | null;
	try {
		key = coin.key(path);
	} catch (cause) {
		if (!isChainError(cause, 'passphrase.bad-path')) throw cause;
		throw refused(`Unknown BIP32 error: ${cause.params.path} is no path of a key.`);
	}
	if (!key) throw cannotSign(seedForms);
	return key;
}

/** Returns the message prefix of a coin; a token may use its platform's. */
function prefixOf(context: KdfContext, coin: ActiveCoin): string {
	const platform = coin.platform === undefined ? undefined : context.coins.get(coin.platform);
	const prefix = coin.entry.sign_message_prefix ?? platform?.entry.sign_message_prefix;
	if (prefix === undefined) throw noPrefix();
	return prefix;
}

const noSigning = (): KdfError =>
	refused('Message signing is not supported by the given coin type');

const sign: V2Method = (context, params) => {
	const { seedForms } = context.rules;
	const { coin: ticker, message, address } = signRequest(seedForms)(params);
	if (address && !context.keys.isHd) {
		throw refused(
			'You need to enable kdf with enable_hd to sign messages with a specific account/address'
		);
	}
	const coin = context.coins.get(ticker);
	if (!coin) {
		// Whether a protocol can sign does not depend on the coin being active.
		if (seedForms && context.entry(ticker)?.protocol?.type === 'ZHTLC') throw noSigning();
		if (seedForms && !context.entry(ticker)) {
			const text = `No such coin: ${ticker}`;
			throw new KdfError(400, 'CoinIsNotFound', text, text);
		}
		throw internal(`No such coin: ${ticker}`);
	}
	if (coin.protocol === 'ZHTLC') {
		throw noSigning();
	}
	const prefix = prefixOf(context, coin);
	const key = keyOf(coin, address, seedForms);
	const signed = EVM.has(coin.protocol) ? signEvmMessage : signMessage;
	return { signature: signed(prefix, message, key) };
};

const decoding = (type: string, data: string): KdfError =>
	new KdfError(
		400,
		type,
		`${type === 'SignatureDecodingError' ? 'Signature' : 'Address'} decoding error: ${data}`,
		data,
		{
			path: 'utxo_common',
			trace: 'utxo_common:2803]'
		}
	);

/** Returns the message of the node's base64 library for common mistakes. */
function base64Problem(text: string): string {
	const bad = /[^A-Za-z0-9+/=]/.exec(text);
	if (bad) return `Invalid byte ${text.charCodeAt(bad.index)}, offset ${bad.index}.`;
	return 'Encoded text cannot have a 6-bit remainder.';
}

function verifyUtxo(
	coin: ActiveCoin,
	prefix: string,
	message: string,
	signature: string,
	address: string
): boolean {
	const hash = utxoAddressHash(coin.entry, address);
	try {
		if (hash) return verifyMessage(prefix, message, signature, hash);
		verifyMessage(prefix, message, signature, new Uint8Array(20));
	} catch (cause) {
		if (!isChainError(cause, 'message')) throw cause;
		if (cause.code === 'message.not-base64') {
			throw decoding('SignatureDecodingError', base64Problem(signature));
		}
		if (cause.code === 'message.wrong-length') {
			throw decoding('SignatureDecodingError', 'Invalid input length');
		}
		throw internal('Invalid Signature', 'utxo_common:2810]');
	}
	throw decoding('AddressDecodingError', `Invalid address: ${address}`);
}

function verifyEvm(prefix: string, message: string, signature: string, address: string): boolean {
	if (!address.startsWith('0x')) throw refused('Address must be prefixed with 0x');
	if (!isEvmAddress(address)) throw refused('Invalid input length');
	if (!isChecksummed(address)) throw refused('Invalid address checksum');
	try {
		return evmSigner(prefix, message, signature) === address;
	} catch (cause) {
		if (!isChainError(cause, 'message')) throw cause;
		throw internal('Invalid Signature', 'eth:2500]');
	}
}

const verify: V2Method = (context, params) => {
	const { coin: ticker, message, signature, address } = verifyRequest(params);
	const coin = context.coins.get(ticker);
	if (!coin) {
		const text = `No such coin: ${ticker}`;
		throw new KdfError(400, 'CoinIsNotFound', text, text, {
			path: 'lp_coins',
			trace: 'lp_coins:5520] lp_coins:5408]'
		});
	}
	const prefix = prefixOf(context, coin);
	const valid = EVM.has(coin.protocol)
		? verifyEvm(prefix, message, signature, address)
		: verifyUtxo(coin, prefix, message, signature, address);
	return { is_valid: valid } satisfies JsonValue;
};

export const signingMethods: ReadonlyMap<string, V2Method> = new Map([
	['sign_message', sign],
	['verify_message', verify]
]);
