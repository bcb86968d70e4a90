/** Methods about the node and its wallet: version, active coins, balances, keys, history, signatures. */
import { z } from 'zod';
import { answers } from '../answerLimit.ts';
import { bool, list, object, oneOf, pubkey, text } from '../types.ts';
import { legacy, named, v2 } from './method.ts';
import {
	addressFormat,
	chainSide,
	coinBalanceMap,
	count,
	decimal,
	derivationPath,
	evmAddress,
	json,
	pathToAddress,
	ticker,
	walletAddress,
	type Spelling,
	spelled
} from './types.ts';

const nothing = object({});

/** `datetime` may be absent for older builds and for a node of the interface document. */
const release = (dialect: Spelling) =>
	object({
		result: text,
		datetime: (dialect === 'kdf' ? text : text.optional()) as z.ZodOptional<typeof text>
	});

/** Position in a list: a page number, or the entry after which to continue. */
const paging = <I extends z.ZodType>(id: I) =>
	oneOf([object({ PageNumber: count }), object({ FromId: id })]);

const historyTarget = oneOf([
	object({ type: z.literal('iguana') }),
	object({ type: z.literal('account_id'), account_id: count }),
	object({
		type: z.literal('address_id'),
		account_id: count,
		chain: chainSide,
		address_id: count
	})
]);

const transaction = object({
	tx_hex: text,
	tx_hash: text,
	from: list(text),
	to: list(text),
	total_amount: decimal,
	spent_by_me: decimal,
	received_by_me: decimal,
	my_balance_change: decimal,
	block_height: count,
	timestamp: count,
	fee_details: json,
	coin: ticker,
	internal_id: text,
	// A name, or an object for types with data (a token's ID). Source: `TransactionType`, lp_coins.rs.
	transaction_type: oneOf([text, z.record(z.string(), json)]),
	memo: z.nullable(text).optional(),
	confirmations: count.optional(),
	kmd_rewards: object({ amount: decimal, claimed_by_me: bool }).optional()
});

const syncStatus = oneOf([
	object({ state: z.enum(['NotEnabled', 'NotStarted', 'Finished']) }),
	object({ state: z.enum(['InProgress', 'Error']), additional_info: json })
]);

const history = object({
	coin: ticker,
	target: historyTarget,
	current_block: count,
	transactions: list(transaction),
	sync_status: syncStatus,
	limit: count,
	skipped: count,
	total: count,
	total_pages: count,
	paging_options: paging(text)
});

const legacyHistory = object({
	result: object({
		transactions: list(transaction),
		limit: count,
		skipped: count,
		from_id: z.nullable(text),
		total: count,
		current_block: count,
		sync_status: syncStatus,
		page_number: z.nullable(count),
		total_pages: z.nullable(count)
	})
});

const byPath = object({ derivation_path: derivationPath });

/** In the interface document omitted parts of a path default to 0 and External. */
const byPartialId = z.codec(
	object({
		account_id: count.optional(),
		chain: chainSide.optional(),
		address_id: count.optional()
	}).refine((parts) => Object.keys(parts).length > 0, 'expected a path'),
	z.object({ account_id: z.number(), chain: chainSide, address_id: z.number() }),
	{
		decode: ({ account_id = 0, chain = 'External', address_id = 0 }) => ({
			account_id,
			chain,
			address_id
		}),
		encode: (native) => native
	}
) as unknown as typeof pathToAddress;

/**
 * An address of the wallet: by its path, or by account, side and number. Both forms may select the same
 * address.
 */
const addressSelector = (dialect: Spelling) =>
	oneOf([byPath, dialect === 'kdf' ? pathToAddress : byPartialId]);

const signature = z
	.string()
	.regex(/^(?:0x[0-9a-f]{130}|[A-Za-z0-9+/]{87}=)$/, 'expected a signature');

export const walletMethods = named({
	version: legacy({
		access: 'read',
		open: true,
		params: nothing,
		result: spelled(release),
		examples: [{}]
	}),
	get_enabled_coins: v2({
		access: 'read',
		paramsForm: 'none',
		params: nothing,
		result: object({ coins: list(object({ ticker })) }),
		examples: [{}]
	}),
	'legacy:get_enabled_coins': legacy({
		name: 'get_enabled_coins',
		access: 'read',
		params: nothing,
		result: object({ result: list(object({ ticker, address: text })) }),
		examples: [{}]
	}),
	my_balance: legacy({
		access: 'read',
		params: object({ coin: ticker }),
		result: object({
			coin: ticker,
			balance: decimal,
			unspendable_balance: decimal,
			address: text
		}),
		examples: [{ coin: 'KMD' }]
	}),
	validateaddress: legacy({
		access: 'read',
		params: object({ coin: ticker, address: text }),
		result: object({
			result: oneOf([
				object({ is_valid: z.literal(true) }),
				object({ is_valid: z.literal(false), reason: text })
			])
		}),
		examples: [{ coin: 'KMD', address: 'R9o9xTocqr6CeEDGDH6mEYpwLoMz6jNjMW' }]
	}),
	convertaddress: legacy({
		access: 'read',
		params: object({ coin: ticker, from: text, to_address_format: addressFormat }),
		result: object({ result: object({ address: text }) }),
		examples: [
			{
				coin: 'BCH',
				from: '1DmFp16U73RrVZtYUbo2Ectt8mAnYScpqM',
				to_address_format: { format: 'cashaddress', network: 'bitcoincash' }
			}
		]
	}),
	get_my_address: v2({
		access: 'read',
		params: object({ coin: ticker, path_to_address: pathToAddress.optional() }),
		result: object({ coin: ticker, wallet_address: evmAddress }),
		examples: [{ coin: 'ETH' }]
	}),
	get_wallet_names: v2({
		access: 'admin',
		signs: false,
		params: nothing,
		result: object({ wallet_names: list(text), activated_wallet: z.nullable(text) }),
		examples: [{}]
	}),
	account_balance: v2({
		access: 'read',
		answer: answers.transaction,
		params: object({
			coin: ticker,
			account_index: count,
			chain: chainSide,
			limit: count.optional(),
			paging_options: paging(count).optional()
		}),
		result: object({
			account_index: count,
			derivation_path: derivationPath,
			addresses: list(walletAddress),
			page_balance: coinBalanceMap,
			limit: count,
			skipped: count,
			total: count,
			total_pages: count,
			paging_options: paging(count)
		}),
		examples: [{ coin: 'KMD', account_index: 0, chain: 'External' }]
	}),
	get_new_address: v2({
		access: 'activate',
		signs: false,
		params: object({
			coin: ticker,
			account_id: count,
			chain: chainSide.optional(),
			gap_limit: count.optional()
		}),
		result: object({ new_address: walletAddress }),
		examples: [{ coin: 'KMD', account_id: 0, chain: 'External' }]
	}),
	get_public_key: v2({
		access: 'read',
		params: nothing,
		result: object({ public_key: pubkey }),
		examples: [{}]
	}),
	get_public_key_hash: v2({
		access: 'read',
		params: nothing,
		result: object({
			public_key_hash: z.string().regex(/^[0-9a-f]{40}$/, 'expected 40 hex digits')
		}),
		examples: [{}]
	}),
	my_tx_history: v2({
		access: 'read',
		answer: answers.transaction,
		params: object({
			coin: ticker,
			limit: count.optional(),
			paging_options: paging(text).optional(),
			target: historyTarget.optional()
		}),
		result: history,
		examples: [{ coin: 'KMD', limit: 10 }]
	}),
	'legacy:my_tx_history': legacy({
		name: 'my_tx_history',
		access: 'read',
		answer: answers.transaction,
		params: object({
			coin: ticker,
			limit: count.optional(),
			max: bool.optional(),
			from_id: text.optional(),
			page_number: count.optional()
		}),
		result: legacyHistory,
		examples: [{ coin: 'ETH', limit: 10 }]
	}),
	sign_message: v2({
		access: 'sign',
		params: spelled((dialect) =>
			object({ coin: ticker, message: text, address: addressSelector(dialect).optional() })
		),
		result: spelled((dialect) => object({ signature: dialect === 'kdf' ? signature : text })),
		examples: [{ coin: 'KMD', message: 'test', address: { derivation_path: "m/44'/141'/0'/0/1" } }]
	}),
	verify_message: v2({
		access: 'read',
		params: object({ coin: ticker, message: text, signature: text, address: text }),
		result: object({ is_valid: bool }),
		examples: [
			{
				coin: 'KMD',
				message: 'test',
				signature:
					'HzetbqVj9gnUOznon9bvE61qRlmjH5R+rNgkxu8uyce3UBbOu+2aGh7r/GGSVFGZjRnaYC60hdwtdirTKLb7bE4=',
				address: 'R9o9xTocqr6CeEDGDH6mEYpwLoMz6jNjMW'
			}
		]
	})
});
