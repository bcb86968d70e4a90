import { NO_HASH } from '#lib/chain/bytes.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { coins, int, real } from './coins.ts';
import { HELP_TEXTS, helpList, helpText } from './help.ts';
import { notaryIndex } from '../ledger/notarizationRule.ts';
import { knownSapling } from './blocks.ts';
import type { DaemonContext, Handler } from './context.ts';
import { interestOf } from '../ledger/interest.ts';

type JsonObject = { [key: string]: JsonValue };

const VERSION = 90_000;
const PROTOCOL_VERSION = 170_013;
const RELAY_FEE = 100n;
const SERVICES = '0000000030000005';

/** Fields about the last notarization of the chain and where it is on the main chain. */
const notarizationMembers = ({ ledger, parent }: DaemonContext): JsonObject => {
	const last = ledger.lastNotarized();
	const txid = last?.data.kmdTxid ?? last?.txid ?? NO_HASH;
	const at = last && parent ? parent.mined(txid)?.height : undefined;
	return {
		notarized: int(ledger.lastNotarizedHeight()),
		prevMoMheight: int(ledger.prevMoMHeight()),
		notarizedhash: last?.data.blockHash ?? NO_HASH,
		notarizedtxid: txid,
		notarizedtxid_height: at === undefined ? 'mempool' : int(at),
		...(parent ? { KMDnotarized_height: int(parent.height) } : {}),
		notarized_confirms: int(at === undefined || !parent ? 0 : parent.rawConfirmations(at))
	};
};

const getinfo: Handler = (context, params) => {
	params.between(0, 0);
	const { ledger, wallet, issue, hasWallet } = context;
	const { params: chain } = ledger;
	const own = wallet.pubkey;
	const notary = own ? notaryIndex(chain.notaries, own.pubkeyHex) : -1;
	return {
		version: int(VERSION),
		protocolversion: int(PROTOCOL_VERSION),
		KMDversion: '0.9.0',
		synced: true,
		...notarizationMembers(context),
		...(hasWallet ? { walletversion: int(60_000) } : {}),
		...(hasWallet && ledger.isMain
			? {
					interest: coins(wallet.coins().reduce((sum, coin) => sum + interestOf(ledger, coin), 0n))
				}
			: {}),
		// KMD computes this balance once per block (`komodo_interestsum`).
		...(hasWallet
			? { balance: coins(ledger.isMain ? wallet.balanceOfTip() : wallet.balance()) }
			: {}),
		blocks: int(ledger.height),
		longestchain: int(Math.max(ledger.height, context.claimed)),
		tiptime: int(ledger.tip.header.time),
		difficulty: int(1),
		...(hasWallet ? { keypoololdest: int(context.startedAt), keypoolsize: int(101) } : {}),
		...(hasWallet && wallet.locked ? { unlocked_until: int(0) } : {}),
		paytxfee: coins(0n),
		sapling: int(knownSapling(ledger)),
		timeoffset: int(0),
		connections: int(context.peers().length),
		proxy: '',
		testnet: false,
		relayfee: coins(RELAY_FEE),
		errors: '',
		...(notary >= 0 ? { notaryid: int(notary) } : {}),
		...(own ? { pubkey: own.pubkeyHex } : {}),
		...(chain.ccid !== 0 ? { CCid: int(chain.ccid) } : {}),
		name: ledger.symbol,
		...(chain.algo === undefined ? {} : { algo: chain.algo }),
		p2pport: int(context.p2pPort),
		rpcport: int(context.rpcPort),
		...(issue
			? {
					magic: int(issue.magic),
					premine: int(issue.premine),
					reward: String(chain.reward),
					halving: '0',
					decay: '0',
					endsubsidy: '0',
					notarypay: '0',
					...(context.commission === 0 ? {} : { commission: int(context.commission) })
				}
			: {})
	};
};

const getconnectioncount: Handler = (context, params) => {
	params.between(0, 0);
	return int(context.peers().length);
};

const getpeerinfo: Handler = (context, params) => {
	params.between(0, 0);
	const now = context.clock();
	const { height } = context.ledger;
	return context.peers().map((peer, index) => ({
		id: int(index + 1),
		addr: `127.0.0.1:${peer.port}`,
		services: SERVICES,
		lastsend: int(now),
		lastrecv: int(now),
		bytessent: int(4985 + 320 * height),
		bytesrecv: int(236_131 + 320 * height),
		conntime: int(peer.since),
		timeoffset: int(0),
		pingtime: real(0.001),
		version: int(PROTOCOL_VERSION),
		subver: '/MagicBean:0.9.0beta1/',
		inbound: false,
		startingheight: int(index === 0 ? context.claimed : 0),
		banscore: int(0),
		synced_headers: int(height),
		synced_blocks: int(height),
		inflight: [],
		addr_processed: int(0),
		addr_rate_limited: int(0),
		whitelisted: false
	}));
};

const network = (name: string, reachable: boolean): JsonObject => ({
	name,
	limited: !reachable,
	reachable,
	proxy: '',
	proxy_randomize_credentials: false
});

const getnetworkinfo: Handler = (context, params) => {
	params.between(0, 0);
	return {
		version: int(VERSION),
		subversion: '/MagicBean:0.9.0-beta1/',
		protocolversion: int(PROTOCOL_VERSION),
		localservices: SERVICES,
		timeoffset: int(0),
		connections: int(context.peers().length),
		networks: [
			network('ipv4', true),
			network('ipv6', true),
			network('onion', false),
			network('', true)
		],
		relayfee: coins(RELAY_FEE),
		localaddresses: [],
		warnings: ''
	};
};

const help: Handler = (context, params) => {
	params.between(0, 1);
	if (!params.has(0)) return helpList(context.served, context.ledger.symbol);
	const method = params.string(0);
	if (!context.served.includes(method) && !HELP_TEXTS.has(method)) {
		return `help: unknown command: ${method}`;
	}
	return helpText(method, context.ledger.symbol, context.rpcPort);
};

export const generalHandlers = { getinfo, getconnectioncount, getpeerinfo, getnetworkinfo, help };
