/**
 * Legacy methods that activate a coin in one call: through Electrum servers, a native daemon or node URLs.
 */
import { z } from 'zod';
import { bool, list, object, text } from '../types.ts';
import { gasStation } from './evm.ts';
import { legacy, named } from './method.ts';
import {
	addressFormat,
	count,
	decimal,
	electrumServer,
	evmAddress,
	hdOptions,
	mergeParams,
	spelled,
	ticker,
	utxoPolicy,
	type Spelling
} from './types.ts';

const success = z.literal('success');
const zeroOrOne = count.refine((value) => value <= 1, 'expected 0 or 1');

const facts = {
	result: success,
	address: text,
	balance: decimal,
	required_confirmations: count,
	requires_notarization: bool
};

/** `mature_confirmations` is present for UTXO coins only: other coins have no coinbase outputs. */
const matures = (result: { address: string; mature_confirmations?: number | undefined }): boolean =>
	result.address.startsWith('0x') === (result.mature_confirmations === undefined);

const activated = object({
	...facts,
	unspendable_balance: decimal,
	coin: ticker,
	mature_confirmations: count.optional()
}).refine(matures, 'mature_confirmations belongs to UTXO coins');

/** As in the interface document: some of its examples omit the ticker, or add the amount locked by swaps. */
const activatedOfSeed = object({
	...facts,
	unspendable_balance: decimal.optional(),
	coin: ticker.optional(),
	mature_confirmations: count.optional(),
	locked_by_swaps: decimal.optional()
});

/**
 * Results of older builds: with the amount locked by swaps, and without ticker or without unspendable
 * balance.
 */
export const activatedOlder = [
	object({
		...facts,
		unspendable_balance: decimal.optional(),
		locked_by_swaps: decimal,
		mature_confirmations: count
	}),
	object({ ...facts, coin: ticker, locked_by_swaps: decimal })
];

/** Result fields common to all builds. */
interface Activated {
	result: 'success';
	address: string;
	balance: string;
	required_confirmations: number;
	requires_notarization: boolean;
	coin?: string | undefined;
	unspendable_balance?: string | undefined;
	/** UTXO coins only. */
	mature_confirmations?: number | undefined;
	/** Older builds only. */
	locked_by_swaps?: string | undefined;
}

/** Result of `electrum` and `enable`. */
const activationResult = spelled(
	(dialect) => (dialect === 'kdf' ? activated : activatedOfSeed) as unknown as z.ZodType<Activated>
);

const electrumParams = (dialect: Spelling) =>
	object({
		coin: ticker,
		servers: list(electrumServer),
		min_connected: count.optional(),
		max_connected: count.optional(),
		mm2: zeroOrOne.optional(),
		required_confirmations: count.optional(),
		requires_notarization: bool.optional(),
		tx_history: bool.optional(),
		swap_contract_address: evmAddress.optional(),
		fallback_swap_contract: evmAddress.optional(),
		utxo_merge_params: mergeParams(dialect).optional(),
		address_format: addressFormat.optional(),
		check_utxo_maturity: bool.optional(),
		priv_key_policy: utxoPolicy(dialect).optional(),
		bchd_urls: list(text).optional(),
		allow_slp_unsafe_conf: bool.optional(),
		...hdOptions
	});

const enableParams = object({
	coin: ticker,
	urls: list(text).optional(),
	swap_contract_address: evmAddress.optional(),
	fallback_swap_contract: evmAddress.optional(),
	...gasStation,
	mm2: zeroOrOne.optional(),
	required_confirmations: count.optional(),
	requires_notarization: bool.optional(),
	tx_history: bool.optional(),
	contract_supports_watchers: bool.optional(),
	path_to_address: hdOptions.path_to_address
});

/**
 * `passivized` is true when a platform coin only became passive because tokens depend on it; older builds
 * omit it.
 */
const disabled = (dialect: Spelling) =>
	object({
		coin: ticker,
		cancelled_orders: list(text),
		passivized: (dialect === 'kdf' ? bool : bool.optional()) as z.ZodOptional<typeof bool>
	});

export const legacyActivationMethods = named({
	electrum: legacy({
		access: 'activate',
		signs: false,
		params: spelled(electrumParams),
		result: activationResult,
		examples: [
			{
				coin: 'KMD',
				servers: [{ url: 'kmd.electrum1.cipig.net:10001', protocol: 'TCP' as const }],
				min_connected: 1,
				max_connected: 1,
				mm2: 1
			}
		]
	}),
	enable: legacy({
		access: 'activate',
		signs: false,
		params: enableParams,
		result: activationResult,
		examples: [{ coin: 'KMD', mm2: 1 }]
	}),
	disable_coin: legacy({
		access: 'admin',
		signs: false,
		params: object({ coin: ticker, force_disable: bool.optional() }),
		result: spelled((dialect) => object({ result: disabled(dialect) })),
		examples: [{ coin: 'KMD' }]
	}),
	set_required_confirmations: legacy({
		access: 'admin',
		signs: false,
		params: object({ coin: ticker, confirmations: count }),
		result: object({ result: object({ coin: ticker, confirmations: count }) }),
		examples: [{ coin: 'KMD', confirmations: 3 }]
	}),
	set_requires_notarization: legacy({
		access: 'admin',
		signs: false,
		params: object({ coin: ticker, requires_notarization: bool }),
		result: object({ result: object({ coin: ticker, requires_notarization: bool }) }),
		examples: [{ coin: 'KMD', requires_notarization: true }]
	})
});
