import { serializeHeader } from '#lib/chain/block.ts';
import { bytesToHex, displayHash, internalHash } from '#lib/chain/bytes.ts';
import { merkleBranch } from '#lib/chain/merkle.ts';
import { parseTransaction, serializeTransaction } from '#lib/chain/transaction.ts';
import { JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import { Reject, type LedgerApi } from '../ledger/api.ts';
import { int } from '../rpc/coins.ts';
import { verboseTransaction } from '../rpc/render.ts';
import type { HistoryEntry, ScriptHashes } from './scriptHash.ts';

/** An error response; the code is JSON-RPC's, or 1 or 2 as in ElectrumX. */
export class ElectrumError extends Error {
	readonly code: number;

	constructor(code: number, message: string) {
		super(message);
		this.name = 'ElectrumError';
		this.code = code;
	}
}

const UNKNOWN_METHOD = -32601;
const INVALID_PARAMS = -32602;
const BAD_REQUEST = 1;
const DAEMON_ERROR = 2;

const SERVER_SOFTWARE = 'ElectrumX 1.16.0';
const PROTOCOL = '1.4';
const PROTOCOL_MAX = '1.4.2';
/** Maximum number of headers in one response, as in ElectrumX. */
const MOST_HEADERS = 2016;

/** The context of the calls on one connection. */
export interface ElectrumContext {
	readonly ledger: LedgerApi;
	readonly scripts: ScriptHashes;
	readonly ports: { tcp: number; ssl: number };
	/** Subscribes the client to new tips, or to changes of a script. */
	watchTip(): void;
	watchScript(scripthash: string): void;
	unwatchScript(scripthash: string): boolean;
	/** Called after a transaction was accepted. */
	sent(): void;
}

type Params = readonly JsonValue[];
type Method = (context: ElectrumContext, params: Params) => JsonValue;

const numberAt = (params: Params, index: number, what: string): number => {
	const given = params[index];
	const value = given instanceof JsonNumber ? given.toNumber() : Number.NaN;
	if (Number.isSafeInteger(value) && value >= 0) return value;
	throw new ElectrumError(BAD_REQUEST, `${what} should be a non-negative integer`);
};

const hashAt = (params: Params, index: number, what: string): string => {
	const given = params[index];
	if (typeof given === 'string' && /^[0-9a-f]{64}$/i.test(given)) return given.toLowerCase();
	throw new ElectrumError(
		BAD_REQUEST,
		`${JSON.stringify(given) ?? 'nothing'} is not a valid ${what}`
	);
};

const headerHex = (ledger: LedgerApi, height: number): string => {
	const block = ledger.blockAt(height);
	if (!block) throw new ElectrumError(BAD_REQUEST, `height ${height} out of range`);
	return bytesToHex(serializeHeader(block.header));
};

/** Formats the tip as in notifications to subscribers. */
export const tipOf = (ledger: LedgerApi): JsonValue => ({
	hex: headerHex(ledger, ledger.height),
	height: int(ledger.height)
});

const historyJson = (entries: readonly HistoryEntry[]): JsonValue =>
	entries.map(({ txid, height, fee }) => ({
		tx_hash: txid,
		height: int(height),
		...(fee === undefined ? {} : { fee: int(fee) })
	}));

const broadcast: Method = ({ ledger, sent }, params) => {
	const [hex] = params;
	if (typeof hex !== 'string') throw new ElectrumError(BAD_REQUEST, 'the transaction must be hex');
	try {
		const txid = ledger.submit(parseTransaction(hex));
		sent();
		return txid;
	} catch (cause) {
		const reason =
			cause instanceof Reject || cause instanceof Error ? cause.message : String(cause);
		throw new ElectrumError(
			BAD_REQUEST,
			`the transaction was rejected by network rules.\n\n${reason}\n[${hex}]`
		);
	}
};

const transaction: Method = ({ ledger }, params) => {
	const txid = hashAt(params, 0, 'transaction hash');
	const tx = ledger.transaction(txid);
	if (!tx) {
		throw new ElectrumError(
			DAEMON_ERROR,
			"daemon error: DaemonError({'code': -5, 'message': 'No information available about transaction'})"
		);
	}
	return params[1] === true
		? verboseTransaction(ledger, tx, true)
		: bytesToHex(serializeTransaction(tx));
};

const merkle: Method = ({ ledger }, params) => {
	const txid = hashAt(params, 0, 'transaction hash');
	const height = numberAt(params, 1, 'height');
	const txids = ledger.blockAt(height)?.txids ?? [];
	const pos = txids.indexOf(txid);
	if (pos === -1) {
		throw new ElectrumError(BAD_REQUEST, `tx ${txid} not in block at height ${height}`);
	}
	const branch = merkleBranch(txids.map(internalHash), pos).map(displayHash);
	return { block_height: int(height), merkle: branch, pos: int(pos) };
};

const headers: Method = ({ ledger }, params) => {
	const start = numberAt(params, 0, 'start height');
	const asked = numberAt(params, 1, 'count');
	const count = Math.max(0, Math.min(asked, MOST_HEADERS, ledger.height - start + 1));
	const hex = Array.from({ length: count }, (_, n) => headerHex(ledger, start + n)).join('');
	return { hex, count: int(count), max: int(MOST_HEADERS) };
};

const features: Method = ({ ledger, ports }) => ({
	hosts: { '127.0.0.1': { tcp_port: int(ports.tcp), ssl_port: int(ports.ssl) } },
	pruning: null,
	server_version: SERVER_SOFTWARE,
	protocol_min: PROTOCOL,
	protocol_max: PROTOCOL_MAX,
	genesis_hash: ledger.blockAt(0)!.hash,
	hash_function: 'sha256',
	services: [`tcp://127.0.0.1:${ports.tcp}`, `ssl://127.0.0.1:${ports.ssl}`]
});

const version: Method = (_context, params) => {
	const asked = params[1] ?? PROTOCOL;
	const [least, most] = Array.isArray(asked) ? (asked as JsonValue[]) : [asked, asked];
	const number = (text: JsonValue | undefined): number =>
		typeof text === 'string' ? Number.parseFloat(text) : Number.NaN;
	if (!(number(least) <= 1.4 && number(most) >= 1.4)) {
		throw new ElectrumError(BAD_REQUEST, `unsupported protocol version: ${JSON.stringify(asked)}`);
	}
	return [SERVER_SOFTWARE, PROTOCOL];
};

const methods: Record<string, Method> = {
	'server.version': version,
	'server.features': features,
	'server.banner': () => 'A server of the development network',
	'server.donation_address': () => '',
	'server.peers.subscribe': () => [],
	'server.add_peer': () => false,
	'server.ping': () => null,
	'blockchain.block.header': ({ ledger }, params) =>
		headerHex(ledger, numberAt(params, 0, 'height')),
	'blockchain.block.headers': headers,
	'blockchain.headers.subscribe': ({ ledger, watchTip }) => {
		watchTip();
		return tipOf(ledger);
	},
	'blockchain.estimatefee': () => new JsonNumber('0.00001'),
	'blockchain.relayfee': () => new JsonNumber('0.00001'),
	'blockchain.scripthash.get_balance': ({ scripts }, params) => {
		const { confirmed, unconfirmed } = scripts.balance(hashAt(params, 0, 'script hash'));
		return { confirmed: int(confirmed), unconfirmed: int(unconfirmed) };
	},
	'blockchain.scripthash.get_history': ({ scripts }, params) =>
		historyJson(scripts.history(hashAt(params, 0, 'script hash'))),
	'blockchain.scripthash.get_mempool': ({ scripts }, params) =>
		historyJson(scripts.waiting(hashAt(params, 0, 'script hash'))),
	'blockchain.scripthash.listunspent': ({ scripts }, params) =>
		scripts.unspent(hashAt(params, 0, 'script hash')).map(({ txid, vout, value, height }) => ({
			tx_hash: txid,
			tx_pos: int(vout),
			height: int(height),
			value: int(value)
		})),
	'blockchain.scripthash.subscribe': ({ scripts, watchScript }, params) => {
		const scripthash = hashAt(params, 0, 'script hash');
		watchScript(scripthash);
		return scripts.status(scripthash);
	},
	'blockchain.scripthash.unsubscribe': ({ unwatchScript }, params) =>
		unwatchScript(hashAt(params, 0, 'script hash')),
	'blockchain.transaction.broadcast': broadcast,
	'blockchain.transaction.get': transaction,
	'blockchain.transaction.get_merkle': merkle,
	'blockchain.transaction.id_from_pos': ({ ledger }, params) => {
		const txid = ledger.blockAt(numberAt(params, 0, 'height'))?.txids[
			numberAt(params, 1, 'position')
		];
		if (txid === undefined) throw new ElectrumError(BAD_REQUEST, 'no such transaction');
		return txid;
	},
	'mempool.get_fee_histogram': () => []
};

const byName = new Map(Object.entries(methods));

/** Runs a method. @throws {ElectrumError} */
export function callElectrum(
	context: ElectrumContext,
	method: string,
	params: JsonValue | undefined
): JsonValue {
	const found = byName.get(method);
	if (!found) throw new ElectrumError(UNKNOWN_METHOD, `unknown method "${method}"`);
	if (params !== undefined && !Array.isArray(params)) {
		throw new ElectrumError(INVALID_PARAMS, 'params must be a list');
	}
	return found(context, (params as Params | undefined) ?? []);
}
