/** Methods of a daemon's wallet. */
import { z } from 'zod';
import { answers } from '../answerLimit.ts';
import { method } from '../method.ts';
import {
	address,
	anyPubkey,
	bool,
	coins,
	hash,
	hex,
	hexOrEmpty,
	int,
	list,
	object,
	oneOf,
	p,
	pubkey,
	seconds,
	text,
	together
} from '../types.ts';

const category = z.enum(['send', 'receive', 'generate', 'immature', 'orphan']);

/** Exactly the entries of category `send` have a fee. */
const sentHasFee = (entry: { category: string; fee?: bigint | undefined }): boolean =>
	(entry.category === 'send') === (entry.fee !== undefined);
const FEE = 'only what is sent has a fee';
const COINBASE: ReadonlySet<string> = new Set(['generate', 'immature', 'orphan']);
/** Exactly the entries of coinbase categories are marked as generated. */
export const isGenerated = (entry: { category: string; generated?: true | undefined }): boolean =>
	COINBASE.has(entry.category) === (entry.generated !== undefined);
const GENERATED = 'the category does not fit';
/** `blockstomaturity` is present for immature coinbase entries only. */
const isMaturing = (entry: { category: string; blockstomaturity?: number | undefined }): boolean =>
	entry.blockstomaturity === undefined || entry.category === 'immature';

/** Fields of a wallet transaction that is in a block. */
const blockFacts = { blockhash: hash, blockindex: int, blocktime: seconds, expiryheight: int };
const walletFacts = {
	txid: hash,
	walletconflicts: list(hash),
	time: seconds,
	timereceived: seconds,
	vjoinsplit: list(z.record(z.string(), z.unknown())),
	comment: text.optional(),
	to: text.optional()
};
const confirmationFacts = {
	rawconfirmations: int,
	generated: z.literal(true).optional(),
	confirmations: int
};

const detail = object({
	involvesWatchonly: z.literal(true).optional(),
	account: text,
	address: address.optional(),
	category,
	blockstomaturity: int.optional(),
	amount: coins,
	vout: int,
	fee: coins.optional(),
	size: int
})
	.refine(sentHasFee, FEE)
	.refine(isMaturing, GENERATED);

const listed = {
	involvesWatchonly: z.literal(true).optional(),
	account: text,
	address: address.optional(),
	category,
	blockstomaturity: int.optional(),
	amount: coins,
	vout: int,
	fee: coins.optional(),
	...confirmationFacts
};
const minedTransaction = object({ ...listed, ...blockFacts, ...walletFacts, size: int })
	.refine(sentHasFee, FEE)
	.refine(isGenerated, GENERATED)
	.refine(isMaturing, GENERATED);
const unminedTransaction = object({ ...listed, ...walletFacts, size: int })
	.refine(sentHasFee, FEE)
	.refine(isGenerated, GENERATED);
const listedTransaction = oneOf([minedTransaction, unminedTransaction]);
/** An amount moved between accounts of the wallet with `move`, without a transaction. */
const accountMove = object({
	account: text,
	category: z.literal('move'),
	time: seconds,
	amount: coins,
	otheraccount: text,
	comment: text
});

const amounts = {
	involvesWatchonly: z.literal(true).optional(),
	amount: coins,
	// Only when the wallet spent outputs of its own.
	fee: coins.optional(),
	...confirmationFacts
};
const content = { ...walletFacts, details: list(detail), hex };
const spendHasFee = (entry: {
	fee?: bigint | undefined;
	details: readonly { category: string }[];
}): boolean =>
	entry.fee !== undefined || !entry.details.some(({ category }) => category === 'send');

const validAddress = {
	isvalid: z.literal(true),
	address,
	scriptPubKey: hex,
	segid: int,
	ismine: bool,
	iswatchonly: bool,
	isscript: bool
};
/** Present only for addresses in the wallet's address book. */
const account = text.optional();

export const walletMethods = {
	getbalance: method({
		access: 'read',
		params: [
			p.optional(p.string('account')),
			p.optional(p.integer('minconf')),
			p.optional(p.bool('includeWatchonly'))
		],
		result: coins,
		examples: [[]]
	}),
	getunconfirmedbalance: method({
		access: 'read',
		params: [],
		result: coins
	}),
	getreceivedbyaddress: method({
		access: 'wallet-query',
		params: [p.string('address'), p.optional(p.integer('minconf'))],
		result: coins
	}),
	getwalletinfo: method({
		access: 'read',
		params: [],
		result: object({
			walletversion: int,
			balance: coins,
			unconfirmed_balance: coins,
			immature_balance: coins,
			txcount: int,
			keypoololdest: int,
			keypoolsize: int,
			unlocked_until: int.optional(),
			paytxfee: coins,
			seedfp: hash.optional()
		}),
		examples: [[]]
	}),
	listunspent: method({
		access: 'wallet-query',
		answer: answers.list,
		params: [
			p.optional(p.integer('minconf')),
			p.optional(p.integer('maxconf')),
			p.optional(p.json('addresses'))
		],
		result: list(
			together(
				object({
					txid: hash,
					vout: int,
					generated: bool,
					// `address` and `segid` are absent for multisig scripts.
					address: address.optional(),
					segid: int.optional(),
					account: text.optional(),
					redeemScript: hex.optional(),
					amount: coins,
					interest: coins.optional(),
					scriptPubKey: hexOrEmpty,
					rawconfirmations: int,
					confirmations: int,
					spendable: bool
				}),
				['address', 'segid']
			)
		),
		examples: [[]]
	}),
	listtransactions: method({
		access: 'wallet-query',
		answer: answers.list,
		params: [
			p.optional(p.string('account')),
			p.optional(p.integer('count')),
			p.optional(p.integer('from')),
			p.optional(p.bool('includeWatchonly'))
		],
		result: list(oneOf([minedTransaction, unminedTransaction, accountMove])),
		examples: [[], ['*', 10]]
	}),
	listsinceblock: method({
		access: 'wallet-query',
		answer: answers.list,
		params: [
			p.optional(p.string('blockhash')),
			p.optional(p.integer('target-confirmations')),
			p.optional(p.bool('includeWatchonly'))
		],
		result: object({ transactions: list(listedTransaction), lastblock: hash })
	}),
	gettransaction: method({
		access: 'wallet-query',
		answer: answers.transaction,
		params: [p.string('txid'), p.optional(p.bool('includeWatchonly'))],
		result: oneOf([
			object({ ...amounts, ...blockFacts, ...content }).refine(spendHasFee, FEE),
			object({ ...amounts, ...content }).refine(spendHasFee, FEE)
		]),
		examples: [['d19f1c3f7e630966e1d40838c56c8c63a6cbd828d34c3544be5a60b236cf1610']]
	}),
	validateaddress: method({
		access: 'read',
		params: [p.string('address')],
		result: oneOf([
			object({ isvalid: z.literal(false) }),
			// Keys of old wallets and imported keys may be uncompressed.
			object({ ...validAddress, pubkey: anyPubkey, iscompressed: bool, account }),
			object({
				...validAddress,
				script: text,
				hex,
				addresses: list(address),
				sigsrequired: int.optional(),
				account
			}),
			object({ ...validAddress, account })
		]),
		examples: [['RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92']]
	}),
	getnewaddress: method({
		access: 'build',
		signs: false,
		params: [p.optional(p.string('account'))],
		result: address,
		examples: [[]]
	}),
	getrawchangeaddress: method({
		access: 'build',
		signs: false,
		// The daemon takes one and does nothing with it.
		params: [p.optional(p.json('account'))],
		result: address
	}),
	sendtoaddress: method({
		access: 'broadcast',
		params: [
			p.string('address'),
			p.json('amount', { hint: 'coins' }),
			p.optional(p.string('comment', { orNull: true })),
			p.optional(p.string('comment-to', { orNull: true })),
			p.optional(p.bool('subtractfeefromamount'))
		],
		result: hash
	}),
	lockunspent: method({
		access: 'build',
		signs: false,
		params: [p.bool('unlock'), p.optional(p.json('transactions'))],
		result: bool
	}),
	keypoolrefill: method({
		access: 'admin',
		signs: false,
		params: [p.optional(p.integer('newsize'))],
		result: z.null()
	}),
	importaddress: method({
		access: 'admin',
		signs: false,
		deadline: 'slow',
		params: [p.string('address'), p.optional(p.string('label')), p.optional(p.bool('rescan'))],
		result: z.null()
	}),
	setpubkey: method({
		access: 'admin',
		signs: false,
		params: [p.optional(p.string('pubkey'))],
		result: oneOf([
			// The pubkey can be set once; further calls return it with an error. `WARNING`: the wallet lacks
			// the key.
			object({ WARNING: text, address, pubkey }),
			object({ ismine: z.literal('true'), IsNotary: text.optional(), address, pubkey })
		]),
		fails: ['rpc', 'member'],
		examples: [[]]
	}),
	resendwallettransactions: method({
		access: 'admin',
		params: [],
		result: list(hash)
	}),
	dumpprivkey: method({
		access: 'never',
		params: [p.string('address')],
		result: text
	}),
	importprivkey: method({
		access: 'never',
		params: [
			p.string('key'),
			p.optional(p.string('label')),
			p.optional(p.bool('rescan')),
			p.optional(p.integer('height')),
			p.optional(p.json('secret_key'))
		],
		result: text
	}),
	dumpwallet: method({
		access: 'never',
		params: [p.string('filename')],
		result: text
	}),
	walletpassphrase: method({
		access: 'never',
		params: [p.string('passphrase'), p.integer('timeout')],
		result: z.null()
	}),
	encryptwallet: method({
		access: 'never',
		params: [p.string('passphrase')],
		result: text
	})
};
