/**
 * Building blocks of the trading node's schemas. Native values use neutral words (`HardwarePin`,
 * `RemoteSigner`), which each dialect maps to its own.
 */
import { z } from 'zod';
import { JsonNumber, type JsonValue } from '../json.ts';
import { bool, int, list, object, oneOf, text, WANTS_NUMBER } from '../types.ts';

/** `kdf`: the format of the released trading node (KDF). `seed`: that of the interface document. */
export type KdfDialect = 'kdf' | 'seed';
/** A dialect to write, or `any` to read what a caller wrote in either or in a mixture. */
export type Spelling = KdfDialect | 'any';

/** A schema per dialect, all with the same native value. */
export interface Spelled<S extends z.ZodType = z.ZodType> {
	kdf: S;
	seed: S;
	/** Accepts both dialects; never used for encoding. */
	any: S;
}

/** Uses the same schema for both dialects. */
export const same = <S extends z.ZodType>(schema: S): Spelled<S> => ({
	kdf: schema,
	seed: schema,
	any: schema
});

/** Builds a schema for each dialect. */
export const spelled = <S extends z.ZodType>(build: (dialect: Spelling) => S): Spelled<S> => ({
	kdf: build('kdf'),
	seed: build('seed'),
	any: build('any')
});

/** An amount of any coin: text in plain notation, which is never converted to a float. */
export const decimal = z
	.string()
	.regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/, 'expected an amount in text');
/** A height, count or task id: an integer of at least 0. */
export const count = int.refine((value) => value >= 0, 'expected 0 or more');
/** A number of seconds or a limit, possibly with decimals. */
export const num = z.codec(
	z
		.custom<JsonNumber>((value) => value instanceof JsonNumber, {
			error: 'expected a number',
			params: WANTS_NUMBER
		})
		.meta({ type: 'number' }),
	z.number(),
	{ decode: (wire) => wire.toNumber(), encode: (native) => new JsonNumber(String(native)) }
);
/** Any JSON value; numbers keep their digits. */
export const json = z.custom<JsonValue>((value) => value !== undefined, 'expected a value');
export const ticker = z.string().min(1, 'expected a ticker');
/** Contract or wallet address of an EVM chain. */
export const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'expected an address like 0x…');
/** Uncompressed public key of an EVM address. */
export const evmPubkey = z
	.string()
	.regex(/^04[0-9a-f]{128}$/, 'expected an uncompressed public key');
export const derivationPath = z
	.string()
	.regex(/^m(?:\/\d+'?)+$/, "expected a path like m/44'/141'/0'/0/0");
export const chainSide = z.enum(['External', 'Internal']);

const WORD = /^[A-Z][A-Za-z0-9]*$/;

/**
 * A word from a closed list. `kdf` maps each neutral word to that of the released node; the interface
 * document uses the neutral words.
 */
export function word<N extends string>(dialect: Spelling, kdf: Readonly<Record<N, string>>) {
	const natives = Object.keys(kdf) as N[];
	const wireOf = (native: N): string => (dialect === 'kdf' ? kdf[native] : native);
	const byWire = new Map<string, N>(natives.map((native) => [wireOf(native), native]));
	if (dialect === 'any') for (const native of natives) byWire.set(kdf[native], native);
	return z.codec(
		z.string().refine((wire) => byWire.has(wire), `expected ${[...byWire.keys()].join(' or ')}`),
		z.enum(natives as [N, ...N[]]),
		{ decode: (wire) => byWire.get(wire)!, encode: (native) => wireOf(native as N) }
	);
}

/** A word from a list that later builds may extend: unknown words pass unchanged. */
export function openWord(dialect: Spelling, kdf: Readonly<Record<string, string>>) {
	const wireOf = new Map(dialect === 'seed' ? [] : Object.entries(kdf));
	const native = new Map([...wireOf].map(([neutral, wire]) => [wire, neutral]));
	const shape = z.string().regex(WORD, 'expected a word like ActivatingCoin');
	return z.codec(shape, shape, {
		decode: (wire) => native.get(wire) ?? wire,
		encode: (neutral) => wireOf.get(neutral) ?? neutral
	});
}

/** Balance of a coin: the amount spendable now, and the rest. */
export const coinBalance = object({ spendable: decimal, unspendable: decimal });
/** Balances by ticker. */
export const coinBalanceMap = z.record(ticker, coinBalance);

/** An Electrum server; the node ignores `ws_url` and `contact`. */
export const electrumServer = object({
	url: text,
	protocol: z.enum(['TCP', 'SSL', 'WS', 'WSS']).optional(),
	disable_cert_verification: bool.optional(),
	timeout_sec: num.optional(),
	ws_url: text.optional(),
	contact: json.optional()
});

export const mergeParams = (dialect: Spelling) => {
	const rest = dialect === 'seed' ? num : num.optional();
	return object({ merge_at: count, check_every: rest, max_merge_at_once: rest });
};

export const addressFormat = object({ format: text, network: text.optional() });

/** HD path of the address that a coin is activated with. */
export const pathToAddress = object({ account_id: count, chain: chainSide, address_id: count });

/** Options of an HD wallet, at the same level as the other activation fields. */
export const hdOptions = {
	path_to_address: pathToAddress.optional(),
	scan_policy: z.enum(['do_not_scan', 'scan_if_new_wallet', 'scan']).optional(),
	min_addresses_number: count.optional(),
	gap_limit: count.optional()
};

export const tokensRequest = object({
	ticker,
	required_confirmations: count.optional(),
	protocol: json.optional()
});

const contextKey = z.literal('ContextPrivKey');
const hardware = z.literal('HardwareWallet');
const keyPolicy = oneOf([
	object({ type: contextKey }),
	object({ type: hardware }),
	object({ type: z.literal('BrowserWallet') }),
	object({ type: z.literal('RemoteSigner'), session: text })
]);
/** The key that signs: the node's own, a hardware wallet's, or that of a connected remote signer. */
type KeyPolicy = z.output<typeof keyPolicy>;

const tagged = (type: string) => object({ type: z.literal(type) });

function policyCodec<W extends z.ZodType>(
	wire: W,
	decode: (wire: z.output<W>) => KeyPolicy,
	encode: (native: KeyPolicy) => unknown
) {
	return z.codec(wire as unknown as z.ZodType<unknown>, keyPolicy, {
		decode: (value) => decode(value as z.output<W>),
		encode: (native) => encode(native)
	});
}

const fromType = (type: string): KeyPolicy =>
	type === 'Trezor'
		? { type: 'HardwareWallet' }
		: type === 'Metamask'
			? { type: 'BrowserWallet' }
			: ({ type } as KeyPolicy);

/** As in the interface document: an object; `data` is the session of a remote signer. */
const seedPolicy = policyCodec(
	oneOf([
		tagged('ContextPrivKey'),
		tagged('HardwareWallet'),
		tagged('BrowserWallet'),
		object({ type: z.literal('RemoteSigner'), data: text })
	]),
	(wire) =>
		'data' in wire ? { type: 'RemoteSigner', session: wire.data } : ({ ...wire } as KeyPolicy),
	(native) =>
		native.type === 'RemoteSigner' ? { type: native.type, data: native.session } : native
);

/** Policy of EVM coins: a tagged object. The form with `data` occurs only in the public documentation. */
const kdfEvmPolicy = policyCodec(
	oneOf([
		tagged('ContextPrivKey'),
		tagged('Trezor'),
		tagged('Metamask'),
		object({
			type: z.literal('WalletConnect'),
			params: object({ session_topic: text })
		}),
		object({ type: z.literal('WalletConnect'), data: text })
	]),
	(wire) => {
		if ('params' in wire) return { type: 'RemoteSigner', session: wire.params.session_topic };
		if ('data' in wire) return { type: 'RemoteSigner', session: wire.data };
		return fromType(wire.type);
	},
	(native) => {
		switch (native.type) {
			case 'RemoteSigner':
				return { type: 'WalletConnect', params: { session_topic: native.session } };
			case 'HardwareWallet':
				return { type: 'Trezor' };
			case 'BrowserWallet':
				return { type: 'Metamask' };
			default:
				return native;
		}
	}
);

/**
 * Policy of UTXO coins (KDF 2.6): a plain string, or an object keyed by the type for a remote signer; a
 * tagged object is accepted too.
 */
const kdfUtxoPolicy = policyCodec(
	oneOf([
		z.enum(['ContextPrivKey', 'Trezor']),
		object({ WalletConnect: object({ session_topic: text }) }),
		tagged('ContextPrivKey'),
		tagged('Trezor')
	]),
	(wire) => {
		if (typeof wire === 'string') return fromType(wire);
		if ('WalletConnect' in wire) {
			return { type: 'RemoteSigner', session: wire.WalletConnect.session_topic };
		}
		return fromType(wire.type);
	},
	(native) => {
		switch (native.type) {
			case 'RemoteSigner':
				return { WalletConnect: { session_topic: native.session } };
			case 'HardwareWallet':
				return 'Trezor';
			default:
				return native.type;
		}
	}
);

const policies = {
	evm: { kdf: kdfEvmPolicy, seed: seedPolicy, any: oneOf([kdfEvmPolicy, seedPolicy]) },
	utxo: { kdf: kdfUtxoPolicy, seed: seedPolicy, any: oneOf([kdfUtxoPolicy, seedPolicy]) }
} as unknown as Readonly<Record<'evm' | 'utxo', Spelled<typeof seedPolicy>>>;
export const evmPolicy = (dialect: Spelling) => policies.evm[dialect];
export const utxoPolicy = (dialect: Spelling) => policies.utxo[dialect];

/** Provider of the NFTs of an address. */
export function nftProvider(dialect: Spelling) {
	const provider = object({
		type: word(dialect, { NftIndexer: 'Moralis' }),
		info: object({ url: text, komodo_proxy: bool.optional() })
	});
	const wrapped = object({ provider });
	// One page of the public documentation omits the outer object.
	const bare = z.codec(provider, z.object({ provider: z.custom<z.output<typeof provider>>() }), {
		decode: (wire) => ({ provider: wire }),
		encode: (native) => native.provider
	});
	return oneOf([wrapped, bare as unknown as typeof wrapped]);
}

const hdAddress = <B extends z.ZodType>(balance: B) =>
	object({ address: text, derivation_path: derivationPath, chain: chainSide, balance });

/** One address of an HD wallet. */
export const walletAddress = hdAddress(coinBalanceMap);

const keysOf = (map: object): string => Object.keys(map).sort().join();

/** Checks that the total has the same tickers as the addresses together. */
function sumsAddresses(account: {
	total_balance: Record<string, unknown>;
	addresses: readonly { balance: Record<string, unknown> }[];
}): boolean {
	const tickers = new Set(account.addresses.flatMap(({ balance }) => Object.keys(balance)));
	return keysOf(account.total_balance) === [...tickers].sort().join();
}

/** One account of an HD wallet. */
export const hdAccount = object({
	account_index: count,
	derivation_path: derivationPath,
	total_balance: coinBalanceMap,
	addresses: list(walletAddress)
}).refine(sumsAddresses, 'expected the tickers of the addresses in the total');

/** As in the interface document, where the fields depend on `get_balances`. */
const hdAccountOfSeed = object({
	account_index: count,
	derivation_path: text,
	total_balance: coinBalanceMap.optional(),
	addresses: list(
		object({
			address: text,
			derivation_path: text,
			chain: chainSide,
			balance: coinBalanceMap.optional()
		})
	)
});

const iguanaWallet = <B extends z.ZodType>(balance: B) =>
	object({ wallet_type: z.literal('Iguana'), address: text, balance });
const hdWallet = object({ wallet_type: z.literal('HD'), accounts: list(hdAccount) });

/** Balance of a wallet: a single address, or accounts with addresses. */
export const walletBalance = oneOf([iguanaWallet(coinBalanceMap), hdWallet]);
/** Balance of a shielded coin: a single address, without ticker. */
export const shieldedBalance = iguanaWallet(coinBalance);
/** As in the interface document, which has its own value formats. */
export const seedWalletBalance = oneOf([
	iguanaWallet(coinBalanceMap),
	object({ wallet_type: z.literal('HD'), accounts: list(hdAccountOfSeed) })
]) as unknown as typeof walletBalance;

/** True when every balance of the wallet names this coin. */
export function holds(coin: string, wallet: z.output<typeof walletBalance>): boolean {
	if (wallet.wallet_type === 'Iguana') return Object.hasOwn(wallet.balance, coin);
	return wallet.accounts.every(({ addresses }) =>
		addresses.every(({ balance }) => Object.hasOwn(balance, coin))
	);
}
