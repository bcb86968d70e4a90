/** Methods about the daemon itself, its peers, and mining. */
import { z } from 'zod';
import { isMainChain } from '#lib/chain/mainChain.ts';
import { answers } from '../answerLimit.ts';
import { method } from '../method.ts';
import {
	bool,
	coins,
	digitsByEra,
	hash,
	hex,
	hex4,
	int,
	list,
	object,
	oneOf,
	p,
	pubkey,
	real,
	seconds,
	text,
	together
} from '../types.ts';

const identity = {
	version: int,
	protocolversion: int,
	// Absent for a daemon that follows the interface document.
	KMDversion: text.optional(),
	synced: bool,
	notarized: int,
	prevMoMheight: int,
	notarizedhash: hash,
	notarizedtxid: hash,
	notarizedtxid_height: oneOf([z.literal('mempool'), int]),
	// Asset chains only.
	KMDnotarized_height: int.optional(),
	notarized_confirms: int,
	walletversion: int.optional(),
	// KMD only, the one chain that pays interest.
	interest: coins.optional(),
	balance: coins.optional(),
	blocks: int,
	longestchain: int,
	tiptime: seconds,
	difficulty: real,
	keypoololdest: int.optional(),
	keypoolsize: int.optional(),
	unlocked_until: int.optional(),
	paytxfee: coins.optional(),
	sapling: int,
	timeoffset: int,
	connections: int,
	proxy: text,
	testnet: bool,
	relayfee: coins,
	errors: text,
	notaryid: int.optional(),
	notaryname: text.optional(),
	lastmined: int.optional(),
	// Only with `-pubkey`.
	pubkey: pubkey.optional(),
	// Only on chains with `ac_cc`.
	CCid: int.optional(),
	name: text,
	p2pport: int,
	rpcport: int,
	magic: int.optional(),
	premine: int.optional(),
	StakedEra: int.optional(),
	eras: int.optional(),
	reward: digitsByEra.optional(),
	halving: digitsByEra.optional(),
	decay: digitsByEra.optional(),
	endsubsidy: digitsByEra.optional(),
	notarypay: digitsByEra.optional(),
	commission: int.optional(),
	staked: int.optional(),
	algo: text.optional()
};
/** The fields of `getinfo` depend on whether the daemon has a wallet and whether the chain is KMD. */
const daemonInfo = together(
	together(object(identity), ['walletversion', 'balance', 'keypoololdest', 'keypoolsize']),
	['reward', 'halving', 'decay', 'endsubsidy', 'notarypay']
).refine((info) => {
	const isKmd = isMainChain(info.name);
	const ofAssetChains = [info.KMDnotarized_height, info.magic, info.premine];
	return (
		ofAssetChains.every((fact) => (fact === undefined) === isKmd) &&
		// `paytxfee` is also reported without a wallet.
		(info.balance === undefined || info.paytxfee !== undefined) &&
		(info.interest !== undefined) === (isKmd && info.balance !== undefined)
	);
}, 'the facts do not fit the chain');

const blockTemplateTransaction = {
	data: hex,
	hash,
	depends: list(int),
	fee: int,
	sigops: int
};

/** A block template for miners. Source: `getblocktemplate`, rpc/mining.cpp. */
const blockTemplate = together(
	object({
		capabilities: list(text),
		version: int,
		previousblockhash: hash,
		finalsaplingroothash: hash.optional(),
		// With the mode "disablecb" they include the coinbase transaction.
		transactions: list(object(blockTemplateTransaction)),
		coinbasetxn: object({
			...blockTemplateTransaction,
			foundersreward: int.optional(),
			coinbasevalue: int,
			required: bool
		}).optional(),
		longpollid: text,
		target: hash,
		// Only on chains with ac_staked.
		PoSperc: int.optional(),
		ac_staked: int.optional(),
		origtarget: hash.optional(),
		mintime: int,
		mutable: list(text),
		noncerange: hex,
		sigoplimit: int,
		sizelimit: int,
		curtime: int,
		bits: hex4,
		height: int
	}),
	['PoSperc', 'ac_staked', 'origtarget']
);

export const peerFacts = {
	id: int,
	addr: text,
	addrlocal: text.optional(),
	mapped_as: int.optional(),
	services: hex,
	lastsend: int,
	lastrecv: int,
	bytessent: int,
	bytesrecv: int,
	conntime: int,
	timeoffset: int,
	pingtime: real,
	pingwait: real.optional(),
	version: int,
	subver: text,
	inbound: bool,
	startingheight: int,
	banscore: int.optional(),
	synced_headers: int.optional(),
	synced_blocks: int.optional(),
	inflight: list(int).optional(),
	addr_processed: int,
	addr_rate_limited: int,
	whitelisted: bool
};
/** What only a peer's state tells is missing while the peer is being added. */
const peer = together(object(peerFacts), [
	'banscore',
	'synced_headers',
	'synced_blocks',
	'inflight'
]);

export const networkMethods = {
	getinfo: method({
		access: 'read',
		params: [],
		result: daemonInfo,
		examples: [[]]
	}),
	help: method({
		access: 'read',
		params: [p.optional(p.string('command'))],
		result: text,
		examples: [[], ['tokencreate']]
	}),
	ping: method({
		access: 'admin',
		signs: false,
		params: [],
		result: z.null()
	}),
	stop: method({
		access: 'never',
		params: [],
		result: text
	}),
	getconnectioncount: method({
		access: 'read',
		params: [],
		result: int,
		examples: [[]]
	}),
	getpeerinfo: method({
		access: 'read',
		answer: answers.transaction,
		params: [],
		result: list(peer),
		examples: [[]]
	}),
	getnetworkinfo: method({
		access: 'read',
		params: [],
		result: object({
			version: int,
			subversion: text,
			protocolversion: int,
			localservices: hex,
			timeoffset: int,
			connections: int,
			networks: list(
				object({
					name: text,
					limited: bool,
					reachable: bool,
					proxy: text,
					proxy_randomize_credentials: bool
				})
			),
			relayfee: coins,
			localaddresses: list(object({ address: text, port: int, score: int })),
			warnings: text
		}),
		examples: [[]]
	}),
	getnettotals: method({
		access: 'read',
		params: [],
		result: object({ totalbytesrecv: int, totalbytessent: int, timemillis: int })
	}),
	getaddednodeinfo: method({
		access: 'read',
		params: [p.bool('dns'), p.optional(p.string('node'))],
		result: list(
			oneOf([
				object({
					addednode: text,
					connected: bool,
					addresses: list(object({ address: text, connected: text }))
				}),
				object({ addednode: text })
			])
		)
	}),
	listbanned: method({
		access: 'read',
		params: [],
		result: list(object({ address: text, banned_until: int }))
	}),
	getdeprecationinfo: method({
		access: 'read',
		params: [],
		result: object({ version: int, subversion: text, deprecationheight: int })
	}),
	getmininginfo: method({
		access: 'read',
		params: [],
		result: object({
			blocks: int,
			currentblocksize: int,
			currentblocktx: int,
			difficulty: real,
			errors: text,
			genproclimit: int,
			// Chains that do not use Equihash report hashes instead of solutions.
			localsolps: real.optional(),
			networksolps: int.optional(),
			localhashps: real.optional(),
			networkhashps: int,
			pooledtx: int,
			testnet: bool,
			chain: text,
			staking: bool,
			generate: bool,
			numthreads: int
		}).refine(
			({ localsolps, networksolps, localhashps }) =>
				(localsolps === undefined) === (networksolps === undefined) &&
				(localsolps === undefined) !== (localhashps === undefined),
			'expected either solutions or hashes'
		)
	}),
	getgenerate: method({
		access: 'read',
		params: [],
		result: object({ staking: bool, generate: bool, numthreads: int })
	}),
	setgenerate: method({
		access: 'admin',
		signs: false,
		params: [p.bool('generate'), p.optional(p.integer('genproclimit'))],
		result: z.null()
	}),
	generate: method({
		access: 'admin',
		signs: false,
		params: [p.integer('numblocks')],
		result: list(hash)
	}),
	setstakingsplit: method({
		access: 'admin',
		signs: false,
		params: [p.optional(p.numeric('split_percentage'))],
		result: object({ split_percentage: int })
	}),
	getblocksubsidy: method({
		access: 'read',
		params: [p.optional(p.integer('height'))],
		result: object({ miner: coins, ac_pubkey: coins.optional() })
	}),
	getblocktemplate: method({
		access: 'read',
		answer: answers.transaction,
		params: [p.optional(p.json('request'))],
		// For a proposed block: the reason why it would be rejected, or null when it would be accepted.
		result: oneOf([blockTemplate, z.null(), text])
	}),
	getlocalsolps: method({
		access: 'read',
		params: [],
		result: real
	}),
	getnetworksolps: method({
		access: 'read',
		params: [p.optional(p.integer('blocks')), p.optional(p.integer('height'))],
		result: int
	}),
	getnetworkhashps: method({
		access: 'read',
		params: [p.optional(p.integer('blocks')), p.optional(p.integer('height'))],
		result: int
	}),
	getnotarypayinfo: method({
		access: 'read',
		params: [],
		// Only chains with ac_notarypay answer.
		result: object({
			height: int,
			balance: coins,
			spent: bool,
			Total_NotaryPay: coins,
			Estimated_Notarizations_Left: int,
			Estimated_Days_Left: int,
			Estimated_Height: int
		})
	})
};
