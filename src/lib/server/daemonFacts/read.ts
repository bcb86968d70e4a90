/** What a daemon tells of itself, each answer by itself: one that is missing takes none of the others away. */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { BURN_PUBKEY } from '#lib/chain/cryptocondition.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import type { DaemonMethod, DaemonParams, DaemonResult } from '#lib/rpc/daemon/index.ts';
import { isRefusal, problemOf } from '../explorer/problem.ts';
import type { DaemonInfo, Gateway } from '../gateway/types.ts';

/** A question that was answered, refused, or not answered. */
export type Told<T> =
	| { kind: 'told'; value: T }
	| { kind: 'refused'; words: string }
	| { kind: 'silent'; words: string };

/** A heading of `help` with the methods under it. */
export interface HelpGroup {
	heading: string;
	methods: string[];
}

export interface DaemonAnswers {
	info: Told<DaemonResult<'getinfo'>>;
	chain: Told<DaemonResult<'getblockchaininfo'>>;
	network: Told<DaemonResult<'getnetworkinfo'>>;
	help: Told<HelpGroup[]>;
	/** Whether it finds transactions by their txid: asked for that of block 1. */
	txindex: Told<boolean>;
	/** Whether it finds transactions by address. */
	addressindex: Told<boolean>;
}

/** A page waits so long for each answer. */
const PATIENCE_MS = 700;

/** Reads the daemon's list of its methods: headings between `==`, and a method's name first in each line. */
export function parseHelp(text: string): HelpGroup[] {
	const groups: HelpGroup[] = [];
	for (const line of text.split('\n')) {
		const heading = /^==\s*(.+?)\s*==$/.exec(line.trim())?.[1];
		if (heading !== undefined) {
			groups.push({ heading, methods: [] });
			continue;
		}
		const name = /^[A-Za-z][A-Za-z0-9_]*/.exec(line.trim())?.[0];
		if (name === undefined) continue;
		if (groups.length === 0) groups.push({ heading: 'Methods', methods: [] });
		groups.at(-1)!.methods.push(name);
	}
	return groups.filter(({ methods }) => methods.length > 0);
}

/** Asks one daemon everything that its page shows. Never fails. */
export async function readDaemon(
	gateway: Gateway,
	daemon: DaemonInfo,
	requestId: string
): Promise<DaemonAnswers> {
	const call = <M extends DaemonMethod>(method: M, ...params: DaemonParams<M>) =>
		gateway.call(daemon.id, method, params, { requestId, patience: PATIENCE_MS });

	async function told<T>(ask: () => Promise<T>): Promise<Told<T>> {
		try {
			return { kind: 'told', value: await ask() };
		} catch (error) {
			if (isRefusal(error)) return { kind: 'refused', words: error.message };
			return { kind: 'silent', words: problemOf(daemon.id, error, daemon.health, false).words };
		}
	}
	/** A refusal is an answer, too: the daemon lacks what it takes. */
	async function able(ask: () => Promise<unknown>): Promise<Told<boolean>> {
		const answer = await told(ask);
		if (answer.kind === 'silent') return answer;
		return { kind: 'told', value: answer.kind === 'told' };
	}

	async function txindexOf(): Promise<Told<boolean>> {
		const block = await told(() => call('getblock', '1', 1));
		if (block.kind !== 'told') return block;
		const first = typeof block.value === 'string' ? undefined : block.value.tx[0];
		if (typeof first !== 'string')
			return { kind: 'silent', words: 'Block 1 lists no transaction.' };
		return able(() => call('getrawtransaction', first));
	}

	const address = addressOfPubkey(daemon.pubkey ?? bytesToHex(BURN_PUBKEY));
	const [info, chain, network, help, txindex, addressindex] = await Promise.all([
		told(() => call('getinfo')),
		told(() => call('getblockchaininfo')),
		told(() => call('getnetworkinfo')),
		told(async () => parseHelp(await call('help'))),
		txindexOf(),
		able(() => call('getaddressbalance', { addresses: [address] }))
	]);
	return { info, chain, network, help, txindex, addressindex };
}
