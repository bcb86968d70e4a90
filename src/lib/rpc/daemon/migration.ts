/**
 * Methods for migrating coins and tokens between chains. They fail with JSON-RPC errors, except `selfimport`.
 */
import { z } from 'zod';
import { answers } from '../answerLimit.ts';
import { method } from '../method.ts';
import {
	EMPTY_TRANSACTION,
	address,
	ccidText,
	coins,
	coinsOfSeed,
	hash,
	hex,
	hexOrEmpty,
	int,
	list,
	object,
	orNone,
	p,
	seconds,
	success,
	text
} from '../types.ts';

const burnTx = p.string('burntx', { hint: 'transaction in hex' });
const importHex = object({ ImportTxHex: hex });

/** Result of a notary's check of a burn, with our own field names. */
const burnCheck = z.object({
	sourceSymbol: z.string(),
	targetSymbol: z.string(),
	targetCcid: z.number(),
	tokenid: z.string().optional(),
	txOutProof: z.string()
});
const withToken = (tokenid: string | undefined) => (tokenid === undefined ? {} : { tokenid });

const burnCheckOfDaemon = z.codec(
	object({
		SourceSymbol: text,
		TargetSymbol: text,
		TargetCCid: ccidText,
		tokenid: hash.optional(),
		TxOutProof: hex,
		result: success
	}),
	burnCheck,
	{
		decode: (wire) => ({
			sourceSymbol: wire.SourceSymbol,
			targetSymbol: wire.TargetSymbol,
			targetCcid: wire.TargetCCid,
			...withToken(wire.tokenid),
			txOutProof: wire.TxOutProof
		}),
		encode: (native) => ({
			SourceSymbol: native.sourceSymbol,
			TargetSymbol: native.targetSymbol,
			TargetCCid: native.targetCcid,
			...withToken(native.tokenid),
			TxOutProof: native.txOutProof,
			result: 'success' as const
		})
	}
);
const burnCheckOfSeed = z.codec(
	object({
		sourceSymbol: text,
		targetSymbol: text,
		targetCCid: int,
		tokenid: hash.optional(),
		TxOutProof: hex,
		result: success
	}),
	burnCheck,
	{
		decode: (wire) => ({
			sourceSymbol: wire.sourceSymbol,
			targetSymbol: wire.targetSymbol,
			targetCcid: wire.targetCCid,
			...withToken(wire.tokenid),
			txOutProof: wire.TxOutProof
		}),
		encode: (native) => ({
			sourceSymbol: native.sourceSymbol,
			targetSymbol: native.targetSymbol,
			targetCCid: native.targetCcid,
			...withToken(native.tokenid),
			TxOutProof: native.txOutProof,
			result: 'success' as const
		})
	}
);

const blockImports = <A extends z.ZodType<bigint>>(amount: A) =>
	object({
		imports: list(
			object({
				txid: hash,
				amount,
				// Address of output 1; absent when its script has none.
				address: address.optional(),
				export: z.union([
					// `source` is absent for a self-import; `tokenid` is present for tokens only.
					object({ txid: hash, amount, source: text.optional(), tokenid: hash.optional() }),
					// A burn that the daemon cannot parse.
					object({})
				])
			})
		),
		TotalImported: orNone(amount),
		time: seconds
	});

/** For a token burn whose token creation is unknown, amount and tokenid are absent. */
const walletBurns = <C extends z.ZodType<number>, A extends z.ZodType<bigint>>(
	targetCCid: C,
	amount: A
) => {
	const target = { targetSymbol: text, targetCCid, inMempool: z.literal('yes').optional() };
	return list(
		z.union([
			object({ txid: hash, burnedAmount: amount, tokenid: hash.optional(), ...target }),
			object({ txid: hash, ...target })
		])
	);
};

export const migrationMethods = {
	migrate_createburntransaction: method({
		access: 'build',
		assumesWallet: true,
		answer: answers.transaction,
		params: [
			p.string('destChain'),
			p.string('destAddress', { hint: 'an address; for tokens a public key' }),
			p.numeric('amount', { coins: true, hint: 'coins; with a tokenid units' }),
			p.optional(p.txid('tokenid'))
		],
		result: object({ payouts: hex, BurnTxHex: hexOrEmpty }),
		examples: [['BETA', 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92', '7.77']]
	}),
	migrate_converttoexport: method({
		access: 'build',
		answer: answers.transaction,
		params: [burnTx, p.string('destChain')],
		result: object({ payouts: hex, exportTx: hex }),
		examples: [[EMPTY_TRANSACTION, 'BETA']]
	}),
	migrate_createimporttransaction: method({
		access: 'build',
		answer: answers.transaction,
		params: [burnTx, p.string('payouts'), p.rest(p.txid('notaryTxid'))],
		result: importHex,
		examples: [[EMPTY_TRANSACTION, '00']]
	}),
	migrate_completeimporttransaction: method({
		access: 'build',
		answer: answers.transaction,
		params: [p.string('importtx'), p.optional(p.integer('offset', { textInSeed: true }))],
		result: importHex,
		examples: [[EMPTY_TRANSACTION], [EMPTY_TRANSACTION, 3]]
	}),
	migrate_checkburntransactionsource: method({
		access: 'notary',
		signs: false,
		answer: answers.transaction,
		retry: true,
		params: [p.txid('burntxid')],
		result: burnCheckOfDaemon,
		seedResult: burnCheckOfSeed,
		examples: [['d19f1c3f7e630966e1d40838c56c8c63a6cbd828d34c3544be5a60b236cf1610']]
	}),
	migrate_createnotaryapprovaltransaction: method({
		access: 'notary',
		assumesWallet: true,
		answer: answers.transaction,
		params: [p.txid('burntxid'), p.string('txoutproof')],
		result: object({ NotaryTxHex: hexOrEmpty }),
		examples: [['d19f1c3f7e630966e1d40838c56c8c63a6cbd828d34c3544be5a60b236cf1610', '00']]
	}),
	selfimport: method({
		access: 'build',
		assumesWallet: true,
		answer: answers.transaction,
		params: [p.string('destAddress'), p.numeric('amount', { coins: true, hint: 'coins' })],
		result: object({ SourceTxHex: hexOrEmpty, ImportTxHex: hexOrEmpty }),
		fails: ['rpc', 'minus-one'],
		examples: [['RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92', '10']]
	}),
	getimports: method({
		access: 'read',
		answer: answers.list,
		params: [p.numeric('hashOrHeight')],
		result: blockImports(coins),
		seedResult: blockImports(coinsOfSeed),
		examples: [['12']]
	}),
	getwalletburntransactions: method({
		access: 'read',
		answer: answers.list,
		params: [p.optional(p.numeric('count'))],
		result: walletBurns(ccidText, coins),
		seedResult: walletBurns(int, coinsOfSeed),
		examples: [[], ['10']]
	})
};
