/** Queries of the address index. A second parameter of any value selects crypto-condition outputs. */
import { answers } from '../answerLimit.ts';
import { method } from '../method.ts';
import { address, hash, hexOrEmpty, int, list, object, oneOf, p, units } from '../types.ts';

const addresses = p.json('addresses', { hint: 'an address or {"addresses":[…]}' });
const conditions = p.optional(
	p.integer('ccvout', { hint: 'any number: crypto-condition outputs', anything: true })
);

const utxo = object({
	address,
	txid: hash,
	outputIndex: int,
	script: hexOrEmpty,
	satoshis: units,
	height: int
});
const delta = object({
	satoshis: units,
	txid: hash,
	index: int,
	blockindex: int,
	height: int,
	address
});
const mempoolFacts = { address, txid: hash, index: int, satoshis: units, timestamp: int };

export const addressMethods = {
	getaddressbalance: method({
		access: 'read',
		params: [addresses, conditions],
		result: object({ balance: units, received: units }),
		examples: [[{ addresses: ['RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92'] }]]
	}),
	getaddressutxos: method({
		access: 'read',
		answer: answers.list,
		params: [addresses, conditions],
		result: oneOf([list(utxo), object({ utxos: list(utxo), hash, height: int })]),
		examples: [[{ addresses: ['RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92'] }]]
	}),
	getaddresstxids: method({
		access: 'read',
		answer: answers.list,
		params: [addresses, conditions],
		result: list(hash),
		examples: [[{ addresses: ['RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92'] }]]
	}),
	getaddressdeltas: method({
		access: 'read',
		answer: answers.list,
		params: [addresses, conditions],
		result: oneOf([
			list(delta),
			object({
				deltas: list(delta),
				start: object({ hash, height: int }),
				end: object({ hash, height: int })
			})
		])
	}),
	getaddressmempool: method({
		access: 'read',
		answer: answers.transaction,
		params: [addresses, conditions],
		result: list(
			oneOf([object({ ...mempoolFacts, prevtxid: hash, prevout: int }), object(mempoolFacts)])
		)
	})
};
