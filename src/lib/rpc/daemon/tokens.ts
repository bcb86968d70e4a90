/** Methods of the token module. They report failures with HTTP 200 and `{"result":"error","error":"…"}`. */
import { z } from 'zod';
import { COIN, formatCoins } from '#lib/chain/amount.ts';
import { JsonNumber } from '../json.ts';
import { answers } from '../answerLimit.ts';
import { method } from '../method.ts';
import {
	address,
	coins,
	coinsOfSeed,
	hash,
	hex,
	hexOrEmpty,
	list,
	object,
	oneOf,
	p,
	success,
	text,
	together,
	units
} from '../types.ts';

const built = object({ result: success, hex: hexOrEmpty });
const tokenid = p.txid('tokenid');

const tokenInfo = <S extends z.ZodType<bigint>>(supply: S) =>
	together(
		object({
			result: success,
			tokenid: hash,
			// Raw bytes from the token creation, not necessarily a public key: the creator may put anything
			// there.
			owner: hexOrEmpty,
			name: text,
			supply,
			description: text,
			// Non-fungible tokens only.
			data: hex.optional(),
			// Only tokens created by an import; the last two may be "can't decode".
			IsImported: z.literal('yes').optional(),
			sourceChain: text.optional(),
			sourceTokenId: text.optional()
		}),
		['IsImported', 'sourceChain', 'sourceTokenId']
	);

/**
 * A copy of `units`, so that tolerant reading does not apply to it: text without a decimal point may count
 * base units or coins, which differ by a factor of 10^8.
 */
const supplyInUnits = units.clone();

/**
 * The interface document gives the supply as text with a decimal point, in coins of 1e8 base units. The real
 * daemon gives an integer in base units.
 */
const supplyInCoins = z.codec(
	z.union([
		z.string().regex(/^\d{1,11}\.\d{1,8}$/, 'expected coins'),
		z.custom<JsonNumber>(
			(value) => value instanceof JsonNumber && /^\d{1,11}\.\d{1,8}$/.test(value.source),
			'expected coins'
		)
	]),
	z.bigint(),
	{
		decode: (wire) => {
			const [whole = '0', decimals = ''] = (wire instanceof JsonNumber ? wire.source : wire).split(
				'.'
			);
			return BigInt(whole) * COIN + BigInt(decimals.padEnd(8, '0'));
		},
		encode: (native) => formatCoins(native)
	}
);

const moduleAddresses = <A extends z.ZodType<bigint>>(amount: A) => {
	const ofModule = {
		result: success,
		TokensCCAddress: address,
		TokensCCBalance: amount,
		TokensNormalAddress: address,
		TokensNormalBalance: amount
	};
	const condition = { 'myCCAddress(Tokens)': address, 'myCCbalance(Tokens)': amount };
	const own = { myaddress: address, mybalance: amount };
	const asked = { 'PubkeyCCaddress(Tokens)': address, 'PubkeyCCbalance(Tokens)': amount };
	// Key-specific fields are present when a pubkey was passed, and on chains with such addresses (not on
	// KMD).
	return oneOf([
		object({ ...ofModule, ...asked, ...condition, ...own }),
		object({ ...ofModule, ...condition, ...own }),
		object({ ...ofModule, ...asked, ...own }),
		object({ ...ofModule, ...own }),
		object({ ...ofModule, ...asked }),
		object(ofModule)
	]);
};

export const tokenMethods = {
	tokenaddress: method({
		access: 'read',
		params: [p.optional(p.string('pubkey'))],
		result: moduleAddresses(coins),
		seedResult: moduleAddresses(coinsOfSeed),
		fails: ['rpc', 'soft'],
		examples: [[], ['02d3431950c2f0f9654217b6ce3d44468d3a9ca7255741767fdeee7c5ec6b47567']]
	}),
	tokenbalance: method({
		access: 'read',
		params: [tokenid, p.optional(p.string('pubkey'))],
		// `tokenid` repeats the parameter as typed. `CCaddress` is absent on KMD, which has no
		// crypto-conditions.
		result: object({
			result: success,
			CCaddress: address.optional(),
			tokenid: text,
			balance: units
		}),
		fails: ['rpc', 'soft'],
		examples: [['916a6907e39cec679a6c832255c71b74e4941895d2d8775a6d2a0e8a322401ed']]
	}),
	tokencreate: method({
		access: 'build',
		assumesWallet: true,
		answer: answers.transaction,
		params: [
			p.string('name', { hint: '1 to 32 bytes' }),
			p.numeric('supply', { coins: true, hint: 'coins' }),
			p.optional(p.string('description', { hint: 'up to 4096 bytes' })),
			p.optional(p.string('data', { hint: 'non-fungible data in hex, evaluation code first' }))
		],
		result: built,
		fails: ['rpc', 'soft'],
		examples: [['TOK', '0.000001', 'creating a TOK token']]
	}),
	tokeninfo: method({
		access: 'read',
		params: [tokenid],
		result: tokenInfo(supplyInUnits),
		seedResult: tokenInfo(oneOf([supplyInCoins, supplyInUnits])),
		fails: ['rpc', 'soft'],
		examples: [['916a6907e39cec679a6c832255c71b74e4941895d2d8775a6d2a0e8a322401ed']]
	}),
	tokenlist: method({
		access: 'read',
		answer: answers.list,
		params: [],
		result: list(hash),
		examples: [[]]
	}),
	tokentransfer: method({
		access: 'build',
		assumesWallet: true,
		answer: answers.transaction,
		params: [tokenid, p.string('destpubkey'), p.numeric('amount', { hint: 'units' })],
		result: built,
		fails: ['rpc', 'soft'],
		examples: [
			[
				'916a6907e39cec679a6c832255c71b74e4941895d2d8775a6d2a0e8a322401ed',
				'02d3431950c2f0f9654217b6ce3d44468d3a9ca7255741767fdeee7c5ec6b47567',
				'10'
			]
		]
	})
};
