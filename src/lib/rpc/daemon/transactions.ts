/** Methods that decode, build, sign and send raw transactions, and those of the mempool. */
import { z, type ZodType } from 'zod';
import { answers } from '../answerLimit.ts';
import { JsonNumber } from '../json.ts';
import { method } from '../method.ts';
import {
	EMPTY_TRANSACTION,
	address,
	bool,
	coins,
	hash,
	hex,
	hex4,
	hexOrEmpty,
	int,
	list,
	object,
	oneOf,
	p,
	real,
	seconds,
	text,
	units
} from '../types.ts';

const rawTransaction = p.string('hexstring', { hint: 'transaction in hex' });
const txid = p.string('txid');

const scriptType = z.enum([
	'pubkey',
	'pubkeyhash',
	'scripthash',
	'multisig',
	'nulldata',
	'cryptocondition',
	'nonstandard'
]);
const scriptSig = object({ asm: text, hex: hexOrEmpty });

/** An output script with addresses, and one without. */
export const scriptPubKey = oneOf([
	object({ asm: text, hex: hexOrEmpty, reqSigs: int, type: scriptType, addresses: list(address) }),
	object({ asm: text, hex: hexOrEmpty, type: scriptType })
]);

const coinbaseInput = object({ coinbase: hex, sequence: int });
export const spendingInput = object({ txid: hash, vout: int, scriptSig, sequence: int });

/** Joinsplits and shielded parts are passed through without validation. */
const shieldedPart = z.record(z.string(), z.unknown());

const saplingParts = {
	vjoinsplit: list(shieldedPart),
	valueBalance: coins,
	vShieldedSpend: list(shieldedPart),
	vShieldedOutput: list(shieldedPart),
	bindingSig: hex.optional()
};

/**
 * Builds the layout of each transaction version from schemas of inputs and outputs, with extra fields in two
 * places.
 */
function layouts<
	I extends ZodType,
	O extends ZodType,
	First extends z.core.$ZodShape,
	AfterVersion extends z.core.$ZodShape
>(input: I, output: O, first: First, afterVersion: AfterVersion) {
	const early = { overwintered: z.literal(false), version: int, ...afterVersion };
	const late = {
		overwintered: z.literal(true),
		version: int,
		...afterVersion,
		versiongroupid: hex4,
		locktime: int,
		expiryheight: int
	};
	const coinsMoved = { vin: list(input), vout: list(output) };
	return [
		{ ...first, txid: hash, ...late, ...coinsMoved, ...saplingParts },
		{ ...first, txid: hash, ...late, ...coinsMoved, vjoinsplit: list(shieldedPart) },
		{
			...first,
			txid: hash,
			...early,
			locktime: int,
			...coinsMoved,
			vjoinsplit: list(shieldedPart)
		}
	] as const;
}

const decodedOutput = object({
	value: coins,
	interest: coins.optional(),
	valueZat: units,
	n: int,
	scriptPubKey
});

const decoded = layouts(oneOf([spendingInput, coinbaseInput]), decodedOutput, {}, {});
/** A transaction as `decoderawtransaction` and `getblock` with verbosity 2 return it. */
export const decodedTransaction = oneOf([
	object(decoded[0]),
	object(decoded[1]),
	object(decoded[2])
]);

const sized = layouts(oneOf([spendingInput, coinbaseInput]), decodedOutput, { size: int }, {});
/** The same with its size in bytes, as in the interface document. */
const sizedTransaction = oneOf([object(sized[0]), object(sized[1]), object(sized[2])]);

/** Input with the value of the spent output; requires the spent index. */
const knownInput = object({
	txid: hash,
	vout: int,
	address: address.optional(),
	scriptSig,
	value: coins,
	valueSat: units,
	sequence: int
});
/**
 * Input without the spent index (the default), or in a transaction that is no longer in a block: the address
 * is read from the spent transaction, the value is not available. Source: `TxToJSONExpanded`,
 * rpc/rawtransaction.cpp.
 */
const addressedInput = object({ txid: hash, vout: int, address, scriptSig, sequence: int });
const importInput = object({
	is_import: z.literal('1'),
	txid: hash,
	value: coins,
	valueSat: units,
	// "IMP-", then the source chain's name and the burn; absent for a self-import.
	address: z.string().startsWith('IMP-').optional(),
	sequence: int
});
/** Input of an import whose proof the daemon cannot parse. */
const unreadImportInput = object({ is_import: z.literal('1'), sequence: int });

const outputFacts = {
	value: coins,
	interest: coins.optional(),
	valueSat: units,
	n: int,
	// "EXPORT->" and the destination chain; burns only.
	target: z.string().startsWith('EXPORT->').optional(),
	scriptPubKey
};
const verboseOutput = oneOf([
	object({ ...outputFacts, spentTxId: hash, spentIndex: int, spentHeight: int }),
	object(outputFacts)
]);

const minedFacts = {
	blockhash: hash,
	height: int,
	confirmations: int,
	rawconfirmations: int,
	time: seconds,
	blocktime: seconds
};
/**
 * Fields of a transaction whose block was disconnected and that is not in the mempool. Source:
 * `TxToJSONExpanded`.
 */
const outlivedFacts = {
	blockhash: hash,
	// -1, with 0 confirmations.
	height: int,
	confirmations: int,
	rawconfirmations: int
};
const verbose = layouts(
	oneOf([knownInput, addressedInput, spendingInput, importInput, unreadImportInput, coinbaseInput]),
	verboseOutput,
	{ hex },
	{ last_notarized_height: int }
);

/** Result of `getrawtransaction` with verbosity 1: confirmed, disconnected, or pending. */
const verboseTransaction = oneOf([
	object({ ...verbose[0], ...minedFacts }),
	object({ ...verbose[0], ...outlivedFacts }),
	object(verbose[0]),
	object({ ...verbose[1], ...minedFacts }),
	object({ ...verbose[1], ...outlivedFacts }),
	object(verbose[1]),
	object({ ...verbose[2], ...minedFacts }),
	object({ ...verbose[2], ...outlivedFacts }),
	object(verbose[2])
]);

const mempoolEntry = object({
	size: int,
	fee: coins,
	time: seconds,
	height: int,
	startingpriority: real,
	currentpriority: real,
	depends: list(hash)
});

const signFailure = object({
	txid: hash,
	vout: int,
	scriptSig: hexOrEmpty,
	sequence: int,
	error: text
});

export const transactionMethods = {
	getrawtransaction: method({
		access: 'read',
		answer: answers.transaction,
		params: [txid, p.optional(p.integer('verbose', { hint: '0 or 1' }))],
		result: oneOf([hex, verboseTransaction]),
		examples: [['d19f1c3f7e630966e1d40838c56c8c63a6cbd828d34c3544be5a60b236cf1610', 1]]
	}),
	decoderawtransaction: method({
		access: 'read',
		answer: answers.transaction,
		params: [rawTransaction],
		result: decodedTransaction,
		seedResult: sizedTransaction,
		examples: [[EMPTY_TRANSACTION]]
	}),
	sendrawtransaction: method({
		access: 'broadcast',
		params: [rawTransaction, p.optional(p.bool('allowhighfees'))],
		result: hash,
		examples: [[EMPTY_TRANSACTION], [EMPTY_TRANSACTION, true]]
	}),
	createrawtransaction: method({
		access: 'build',
		signs: false,
		answer: answers.transaction,
		params: [
			p.json('inputs', { hint: '[{"txid","vout"}]' }),
			p.json('outputs', { hint: '{address: amount}' }),
			p.optional(p.integer('locktime', { orNull: true })),
			p.optional(p.integer('expiryheight', { orNull: true }))
		],
		result: hex,
		examples: [[[], { RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92: '1.15000000' }]]
	}),
	fundrawtransaction: method({
		access: 'build',
		answer: answers.transaction,
		params: [rawTransaction],
		result: object({ hex, changepos: int, fee: coins }),
		examples: [[EMPTY_TRANSACTION]]
	}),
	signrawtransaction: method({
		access: 'build',
		answer: answers.transaction,
		params: [
			rawTransaction,
			p.optional(p.json('prevtxs')),
			p.optional(p.json('privatekeys')),
			p.optional(p.string('sighashtype', { orNull: true })),
			p.optional(p.string('branchid', { orNull: true }))
		],
		result: oneOf([
			object({ hex, complete: z.literal(false), errors: list(signFailure) }),
			object({ hex, complete: z.literal(true) })
		]),
		examples: [[EMPTY_TRANSACTION]]
	}),
	decodescript: method({
		access: 'read',
		params: [p.string('hex')],
		result: oneOf([
			object({ asm: text, type: scriptType, p2sh: address }),
			object({ asm: text, reqSigs: int, type: scriptType, addresses: list(address), p2sh: address })
		])
	}),
	decodeccopret: method({
		access: 'read',
		params: [p.string('hex')],
		// A bare 0 is returned for a token payload whose inner payload cannot be parsed.
		result: oneOf([
			object({
				result: text,
				OpRets: list(oneOf([object({ eval_code: text, function: text }), object({ error: text })]))
			}),
			z.custom<JsonNumber>(
				(value) => value instanceof JsonNumber && value.source === '0',
				'expected 0'
			)
		]),
		fails: ['rpc', 'soft']
	}),
	gettxout: method({
		access: 'read',
		params: [txid, p.integer('n'), p.optional(p.bool('includemempool'))],
		result: oneOf([
			z.null(),
			object({
				bestblock: hash,
				confirmations: int,
				rawconfirmations: int,
				value: coins,
				// KMD only.
				interest: coins.optional(),
				scriptPubKey,
				version: int,
				coinbase: bool
			})
		]),
		examples: [['d19f1c3f7e630966e1d40838c56c8c63a6cbd828d34c3544be5a60b236cf1610', 0]]
	}),
	gettxoutproof: method({
		access: 'read',
		answer: answers.transaction,
		params: [p.json('txids'), p.optional(p.string('blockhash'))],
		result: hex,
		examples: [[['d19f1c3f7e630966e1d40838c56c8c63a6cbd828d34c3544be5a60b236cf1610']]]
	}),
	verifytxoutproof: method({
		access: 'read',
		params: [p.string('proof')],
		result: list(hash)
	}),
	getrawmempool: method({
		access: 'read',
		answer: answers.list,
		params: [p.optional(p.bool('verbose'))],
		result: oneOf([list(hash), z.record(hash, mempoolEntry)]),
		examples: [[], [true]]
	}),
	getmempoolinfo: method({
		access: 'read',
		params: [],
		// `fullyNotified` (regtest only): whether all listeners were notified of the mempool's transactions.
		result: oneOf([
			object({ size: int, bytes: int, usage: int }),
			object({ size: int, bytes: int, usage: int, fullyNotified: bool })
		]),
		examples: [[]]
	}),
	getspentinfo: method({
		access: 'read',
		params: [p.json('output', { hint: '{"txid","index"}' })],
		result: object({ txid: hash, index: int, height: int })
	}),
	txnotarizedconfirmed: method({
		access: 'read',
		params: [txid],
		result: object({ result: bool }),
		examples: [['d19f1c3f7e630966e1d40838c56c8c63a6cbd828d34c3544be5a60b236cf1610']]
	}),
	createmultisig: method({
		access: 'read',
		params: [p.integer('nrequired'), p.json('keys')],
		result: object({ address, redeemScript: hex })
	}),
	verifymessage: method({
		access: 'read',
		params: [p.string('address'), p.string('signature'), p.string('message')],
		result: bool
	}),
	signmessage: method({
		access: 'sign',
		params: [p.string('address'), p.string('message')],
		result: z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/, 'expected base64')
	}),
	prioritisetransaction: method({
		access: 'admin',
		signs: false,
		params: [txid, p.json('prioritydelta'), p.integer('feedelta')],
		result: bool
	}),
	estimatefee: method({
		access: 'read',
		params: [p.integer('nblocks')],
		result: oneOf([coins, int])
	}),
	estimatepriority: method({
		access: 'read',
		params: [p.integer('nblocks')],
		result: real
	}),
	kvsearch: method({
		access: 'read',
		params: [p.string('key')],
		result: object({
			coin: text,
			currentheight: int,
			key: text,
			keylen: int,
			// Present when the key is protected by a passphrase.
			owner: hash.optional(),
			height: int,
			expiration: int,
			flags: int,
			value: text,
			valuesize: int
		}),
		fails: ['rpc', 'member']
	}),
	kvupdate: method({
		access: 'broadcast',
		params: [
			p.string('key'),
			p.string('value'),
			p.numeric('days'),
			p.optional(p.string('passphrase'))
		],
		result: object({
			coin: text,
			height: int,
			expiration: int,
			flags: int,
			key: text,
			keylen: int,
			owner: hash.optional(),
			value: text,
			valuesize: int,
			// Written with the digits of a double. Source: `kvupdate`, wallet/rpcwallet.cpp.
			fee: real,
			txid: hash
		}),
		fails: ['rpc', 'member']
	})
};
