/**
 * Forms of results that only the public documentation shows: those of earlier releases, and amounts without
 * eight decimals. Only the contract check accepts them; responses of a daemon must not have them.
 */
import { z } from 'zod';
import {
	address,
	bool,
	digits,
	documentedCoins as amount,
	hash,
	hex,
	hex4,
	hexOrEmpty,
	int,
	list,
	object,
	real,
	success,
	text,
	units
} from '../types.ts';
import { headerFacts, softFork } from './blocks.ts';
import { networkMethods, peerFacts } from './network.ts';
import { scriptPubKey, spendingInput } from './transactions.ts';
import { isGenerated } from './wallet.ts';

const header = object(headerFacts).omit({ last_notarized_height: true }).required();
const pool = { id: text, monitored: bool, chainValue: amount, chainValueZat: units };
const peer = object(peerFacts)
	.omit({ mapped_as: true, pingwait: true, addr_processed: true, addr_rate_limited: true })
	.required();

const outputWithSat = object({ value: amount, valueSat: units, n: int, scriptPubKey });
const decodedWithSize = {
	txid: hash,
	size: int,
	version: int,
	locktime: int,
	vin: list(spendingInput),
	vout: list(outputWithSat)
};

const walletFacts = {
	rawconfirmations: int,
	confirmations: int,
	generated: z.literal(true).optional(),
	blockhash: hash,
	blockindex: int,
	blocktime: int,
	expiryheight: int,
	txid: hash,
	walletconflicts: list(hash),
	time: int,
	timereceived: int,
	vjoinsplit: list(z.never())
};
const category = z.enum(['send', 'receive', 'generate', 'immature']);
const payment = { account: text, address, category, amount, vout: int };
const listed = list(object({ ...payment, ...walletFacts, size: int }).refine(isGenerated));

export const documentedForms: Readonly<Record<string, readonly z.ZodType[]>> = {
	coinsupply: [
		object({
			result: success,
			coin: text,
			height: int,
			supply: amount,
			zfunds: amount,
			sprout: amount,
			total: amount
		})
	],
	decoderawtransaction: [
		object(decodedWithSize),
		object({ ...decodedWithSize, vjoinsplit: list(z.never()) }),
		object({
			txid: hash,
			overwintered: bool,
			version: int,
			locktime: int,
			vin: list(spendingInput),
			vout: list(object({ value: amount, valueZat: units, n: int, scriptPubKey })),
			vjoinsplit: list(z.never())
		})
	],
	fundrawtransaction: [object({ hex, changepos: int, fee: amount })],
	getblock: [
		header.extend({
			size: int,
			tx: list(hash),
			anchor: hash,
			blocktype: z.literal('mined'),
			valuePools: list(object({ ...pool, valueDelta: amount, valueDeltaZat: units }))
		})
	],
	getblockchaininfo: [
		object({
			chain: text,
			blocks: int,
			headers: int,
			bestblockhash: hash,
			difficulty: real,
			verificationprogress: real,
			chainwork: hash,
			pruned: bool,
			size_on_disk: int,
			commitments: int,
			valuePools: list(object(pool)),
			softforks: list(object({ id: text, version: int, enforce: softFork, reject: softFork })),
			upgrades: object({}),
			consensus: object({ chaintip: hex4, nextblock: hex4 })
		})
	],
	getblockheader: [header],
	getblocksubsidy: [object({ miner: amount })],
	getgenerate: [bool],
	getimports: [
		object({
			imports: list(
				object({
					txid: hash,
					amount,
					export: object({ txid: hash, amount, source: text })
				})
			),
			TotalImported: amount,
			time: int
		})
	],
	getinfo: [
		object({
			version: int,
			protocolversion: int,
			KMDversion: text,
			notarized: int,
			prevMoMheight: int,
			notarizedhash: hash,
			notarizedtxid: hash,
			notarizedtxid_height: z.literal('mempool'),
			KMDnotarized_height: int,
			notarized_confirms: int,
			walletversion: int,
			balance: amount,
			blocks: int,
			longestchain: int,
			timeoffset: int,
			tiptime: int,
			connections: int,
			proxy: text,
			difficulty: real,
			testnet: bool,
			keypoololdest: int,
			keypoolsize: int,
			paytxfee: amount,
			relayfee: amount,
			errors: text,
			name: text,
			p2pport: int,
			rpcport: int,
			magic: int,
			premine: int
		})
	],
	getmininginfo: [
		object({
			blocks: int,
			currentblocksize: int,
			currentblocktx: int,
			difficulty: real,
			errors: text,
			genproclimit: int,
			localsolps: real,
			networksolps: int,
			networkhashps: int,
			pooledtx: int,
			testnet: bool,
			chain: text,
			generate: bool,
			numthreads: int
		})
	],
	getnetworkinfo: [
		networkMethods.getnetworkinfo.result.extend({
			relayfee: amount,
			localaddresses: list(z.never())
		})
	],
	getpeerinfo: [list(peer)],
	getrawtransaction: [
		object({
			hex,
			txid: hash,
			overwintered: bool,
			version: int,
			versiongroupid: hex4,
			locktime: int,
			expiryheight: int,
			vin: list(
				object({
					txid: hash,
					vout: int,
					address,
					scriptSig: object({ asm: text, hex: hexOrEmpty }),
					value: amount,
					valueSat: units,
					sequence: int
				})
			),
			vout: list(
				object({ value: amount, interest: amount, valueSat: units, n: int, scriptPubKey })
			),
			vjoinsplit: list(z.never()),
			valueBalance: amount,
			vShieldedSpend: list(z.never()),
			vShieldedOutput: list(z.never()),
			blockhash: hash,
			height: int,
			confirmations: int,
			rawconfirmations: int,
			time: int,
			blocktime: int
		})
	],
	getreceivedbyaddress: [amount],
	gettransaction: [
		object({
			amount,
			...walletFacts,
			details: list(object({ ...payment, size: int })),
			hex
		})
	],
	getunconfirmedbalance: [amount],
	getwalletburntransactions: [
		list(object({ txid: hash, burnedAmount: amount, targetSymbol: text, targetCCid: digits }))
	],
	getwalletinfo: [
		object({
			walletversion: int,
			balance: amount,
			unconfirmed_balance: amount,
			immature_balance: amount,
			txcount: int,
			keypoololdest: int,
			keypoolsize: int,
			paytxfee: amount
		})
	],
	listsinceblock: [object({ transactions: listed, lastblock: hash })],
	listtransactions: [listed],
	listunspent: [
		list(
			object({
				txid: hash,
				vout: int,
				generated: bool,
				address,
				scriptPubKey: hex,
				amount,
				interest: amount,
				rawconfirmations: int,
				confirmations: int,
				spendable: bool
			})
		)
	],
	tokenaddress: [
		object({
			result: success,
			TokensCCAddress: address,
			TokensCCBalance: amount,
			TokensNormalAddress: address,
			TokensNormalBalance: amount,
			'PubkeyCCaddress(Tokens)': address,
			'PubkeyCCbalance(Tokens)': amount,
			'myCCAddress(Tokens)': address,
			'myCCbalance(Tokens)': amount,
			myaddress: address,
			mybalance: amount
		})
	]
};
