/** Reads what a daemon reports about itself. The calls are independent: one that fails does not affect the others. */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { BURN_PUBKEY } from '#lib/chain/cryptocondition.ts';
import { looksLikeImport } from '#lib/chain/importProof.ts';
import { readableTransaction } from '#lib/chain/transaction.ts';
import type { Unanswered } from '#lib/messages/daemonIndexes.ts';
import type { DaemonMethod, DaemonParams, DaemonResult } from '#lib/rpc/daemon/index.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import { balanceOf } from '../daemon/balance.ts';
import { spenderOf } from '../daemon/spender.ts';
import type { DaemonInfo, Gateway } from '../daemon/types.ts';
import { isUnserved } from '../daemon/unserved.ts';
import { chainProblemOf, isRefusal } from '../explorer/problem.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { DaemonError } from '../daemon/daemonError.ts';

/** Outcome of a call: answered, refused, or without an answer. */
export type Told<T> =
	| { kind: 'told'; value: T }
	| { kind: 'refused'; why: Unanswered }
	| { kind: 'silent'; why: Unanswered };

/** The optional indexes of a daemon, and whether each is on. */
export interface Indexes {
	/** Whether it finds transactions by txid. */
	txindex: Told<boolean>;
	/** Whether it finds transactions by address. */
	addressindex: Told<boolean>;
	/** Whether it reports what spent an output. */
	spentindex: Told<boolean>;
	/** Whether it finds blocks by their time. */
	timestampindex: Told<boolean>;
}

/** Whether a daemon serves the methods of a family, probed by a harmless call. */
export interface Probes {
	tokens: Told<boolean>;
	migration: Told<boolean>;
	/** Only relevant for the main chain. */
	completion: Told<boolean>;
}

export interface DaemonAnswers extends Indexes {
	info: Told<DaemonResult<'getinfo'>>;
	chain: Told<DaemonResult<'getblockchaininfo'>>;
	network: Told<DaemonResult<'getnetworkinfo'>>;
	/** Satoshi; null without a wallet, undefined when the daemon did not report it. */
	balance: bigint | null | undefined;
	probes: Probes;
}

/** Milliseconds that a page waits for each answer. */
const TIMEOUT_MS = 700;

/** Calls to one daemon that never reject. */
function questions(gateway: Gateway, daemon: DaemonInfo, requestId: string, timeout: number) {
	const call = <M extends DaemonMethod>(method: M, ...params: DaemonParams<M>) =>
		gateway.call(daemon.id, method, params, { requestId, timeout });

	const failed = (error: unknown): { kind: 'silent'; why: Unanswered } => ({
		kind: 'silent',
		why: { code: 'failed', params: chainProblemOf(daemon.id, error, daemon.health) }
	});

	async function told<T>(ask: () => Promise<T>): Promise<Told<T>> {
		try {
			return { kind: 'told', value: await ask() };
		} catch (error) {
			// A daemon without the method says nothing about its index.
			if (isUnserved(error)) {
				const params = { daemon: daemon.id, method: error.params.method };
				return { kind: 'silent', why: { code: 'not-served', params } };
			}
			if (isRefusal(error)) {
				return { kind: 'refused', why: { code: 'refused', params: { error: error.coded } } };
			}
			return failed(error);
		}
	}
	/** Returns whether a call succeeds. A refusal is an answer too: the daemon lacks what the call needs. */
	async function able(ask: () => Promise<unknown>): Promise<Told<boolean>> {
		const answer = await told(async () => {
			try {
				return await ask();
			} catch (error) {
				if (isMismatch(error)) return null;
				throw error;
			}
		});
		if (answer.kind === 'silent') return answer;
		if (answer.kind === 'told' && answer.value === null) {
			return { kind: 'silent', why: { code: 'form-unknown', params: { daemon: daemon.id } } };
		}
		return { kind: 'told', value: answer.kind === 'told' };
	}
	/** Returns whether the daemon serves the method: any answer except "method not found" proves it. */
	async function served(ask: () => Promise<unknown>): Promise<Told<boolean>> {
		try {
			await ask();
			return { kind: 'told', value: true };
		} catch (error) {
			const isAnswer = isRefusal(error) || isMismatch(error);
			if (isAnswer) return { kind: 'told', value: !isUnserved(error) };
			return failed(error);
		}
	}
	return { call, told, able, served };
}

const isMismatch = (error: unknown): error is DaemonError =>
	isAppError(error, 'daemon.validation-mismatch');

/** A txid that no daemon has. */
const NO_TXID = 'f'.repeat(64);

/** Determines by calls which method families a daemon serves, since `help` lists them everywhere. Never fails. */
export async function readProbes(
	gateway: Gateway,
	daemon: DaemonInfo,
	requestId: string,
	timeout = TIMEOUT_MS
): Promise<Probes> {
	const { call, served } = questions(gateway, daemon, requestId, timeout);
	const [tokens, migration, completion] = await Promise.all([
		served(() => call('tokeninfo', NO_TXID)),
		served(() => call('getimports', '1')),
		served(() => call('getNotarisationsForBlock', 1))
	]);
	return { tokens, migration, completion };
}

/** Oldest blocks that are searched for a transaction without an unspent output. */
const FIRST_BLOCKS = 8;
/** Most outputs that are checked of each transaction. */
const MOST_OUTPUTS = 16;
/** Newest blocks that are searched for a transaction with an input. */
const SPENT_BLOCKS = 8;
/** Transactions checked in each block; shielded ones spend no output. */
const SPENT_TRIES = 6;
/** Newest entries of the wallet that are searched for a send. */
const SENDS = 50;

/** Determines which indexes a daemon has by trying each, since no method reports them. Never fails. */
export async function readIndexes(
	gateway: Gateway,
	daemon: DaemonInfo,
	requestId: string,
	timeout = TIMEOUT_MS
): Promise<Indexes> {
	const { call, told, able } = questions(gateway, daemon, requestId, timeout);

	/** Returns whether one of a transaction's outputs is unspent. */
	async function isUnspent(txid: string, hex: unknown): Promise<Told<boolean>> {
		const tx = typeof hex === 'string' ? readableTransaction(hex) : null;
		for (const n of (tx?.vout ?? []).slice(0, MOST_OUTPUTS).keys()) {
			const output = await told(() => call('gettxout', txid, n, false));
			if (output.kind !== 'told') return output;
			if (output.value !== null) return { kind: 'told', value: true };
		}
		return { kind: 'told', value: false };
	}

	/** Returns the ids of a block's transactions. */
	const txidsAt = (height: number): Promise<Told<readonly unknown[]>> =>
		told(async () => {
			const block = await call('getblock', String(height), 1);
			return typeof block === 'string' ? [] : block.tx;
		});

	/**
	 * Without the index a daemon still finds transactions with an unspent output (Komodo daemon 0.9.0:
	 * `GetTransaction`), so only one without any is conclusive.
	 */
	async function txindexOf(): Promise<Told<boolean>> {
		for (let height = 1; height <= FIRST_BLOCKS; height += 1) {
			const txids = await txidsAt(height);
			if (txids.kind !== 'told') return txids;
			const [first] = txids.value;
			if (typeof first !== 'string')
				return { kind: 'silent', why: { code: 'no-transaction', params: {} } };
			const raw = await told(() => call('getrawtransaction', first));
			if (raw.kind === 'silent') return raw;
			if (raw.kind === 'refused') return { kind: 'told', value: false };
			const unspent = await isUnspent(first, raw.value);
			if (unspent.kind !== 'told') return unspent;
			if (!unspent.value) return { kind: 'told', value: true };
		}
		return { kind: 'silent', why: { code: 'all-unspent', params: {} } };
	}

	/** Returns an output that a transaction spends; null for an import, which names a burn without spending it. */
	async function spentOutput(txid: string): Promise<{ txid: string; vout: number } | null> {
		const raw = await told(() => call('getrawtransaction', txid));
		const tx = raw.kind === 'told' ? readableTransaction(String(raw.value)) : null;
		return tx === null || looksLikeImport(tx) ? null : (tx.vin[0] ?? null);
	}

	/** Returns an output that the wallet spent last, because the newest blocks of a quiet chain spend nothing. */
	async function lastSent(): Promise<{ txid: string; vout: number } | null> {
		const last = await told(async () => {
			const list = await call('listtransactions', '*', SENDS);
			const sends = list.filter((one) => one.category !== 'move');
			return sends.findLast((one) => one.category === 'send' && one.confirmations > 0)?.txid;
		});
		return last.kind !== 'told' || last.value === undefined ? null : spentOutput(last.value);
	}

	const isFound = (output: { txid: string; vout: number }): Promise<Told<boolean>> =>
		able(() => spenderOf({ call }, output));

	/** Asks for an output that is known to be spent: only with the index does the daemon say by what. */
	async function spentindexOf(): Promise<Told<boolean>> {
		const tip = await told(() => call('getblockcount'));
		if (tip.kind !== 'told') return tip;
		for (let height = tip.value; height > Math.max(0, tip.value - SPENT_BLOCKS); height -= 1) {
			const txids = await txidsAt(height);
			if (txids.kind !== 'told') return txids;
			for (const txid of txids.value.slice(1, SPENT_TRIES)) {
				const spent = typeof txid === 'string' ? await spentOutput(txid) : null;
				if (spent !== null) return isFound(spent);
			}
		}
		const sent = await lastSent();
		return sent === null
			? { kind: 'silent', why: { code: 'no-spend', params: {} } }
			: isFound(sent);
	}

	async function timestampindexOf(): Promise<Told<boolean>> {
		const hash = await told(() => call('getbestblockhash'));
		if (hash.kind !== 'told') return hash;
		const block = await told(() => call('getblock', hash.value, 1));
		if (block.kind !== 'told' || typeof block.value === 'string')
			return { kind: 'silent', why: { code: 'no-time', params: {} } };
		const time = reported(block.value, 'time');
		if (time === null) return { kind: 'silent', why: { code: 'no-time', params: {} } };
		return able(() => call('getblockhashes', time + 1, time - 1));
	}

	const address = addressOfPubkey(daemon.pubkey ?? bytesToHex(BURN_PUBKEY));
	const [txindex, addressindex, spentindex, timestampindex] = await Promise.all([
		txindexOf(),
		able(() => call('getaddressbalance', { addresses: [address] })),
		spentindexOf(),
		timestampindexOf()
	]);
	return { txindex, addressindex, spentindex, timestampindex };
}

/** Reads everything that the page of a daemon shows. Never fails. */
export async function readDaemon(
	gateway: Gateway,
	daemon: DaemonInfo,
	requestId: string
): Promise<DaemonAnswers> {
	const { call, told } = questions(gateway, daemon, requestId, TIMEOUT_MS);
	const [info, chain, network, probes, indexes] = await Promise.all([
		told(() =>
			gateway.call(daemon.id, 'getinfo', [], { requestId, timeout: TIMEOUT_MS, anyChain: true })
		),
		told(() => call('getblockchaininfo')),
		told(() => call('getnetworkinfo')),
		readProbes(gateway, daemon, requestId),
		readIndexes(gateway, daemon, requestId)
	]);
	const balance =
		info.kind === 'told' ? await balanceOf(info.value, () => call('getwalletinfo')) : undefined;
	return { info, chain, network, balance, probes, ...indexes };
}
