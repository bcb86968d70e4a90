/** Reads the unspent outputs of a wallet, even if they are too many for one answer. */
import { hexToBytes } from '#lib/chain/bytes.ts';
import { classify } from '#lib/chain/classified.ts';
import type { ScriptType } from '#lib/chain/script.ts';
import type { DaemonParams, DaemonResult } from '#lib/rpc/daemon/index.ts';
import { leftOutOf, withValue } from '#lib/rpc/tolerant.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { DaemonClient } from './types.ts';

type Unspent = DaemonResult<'listunspent'>;

/** Script types that signatures alone can spend at any time. */
const OPEN: ReadonlySet<ScriptType> = new Set(['pubkey', 'pubkeyhash', 'multisig']);

/** For a script hash, the redeem script decides; the daemon lists it where it knows it. */
function opensBySignatures({ scriptPubKey, redeemScript }: Unspent[number]): boolean {
	const { type } = classify(hexToBytes(scriptPubKey));
	if (type !== 'scripthash') return OPEN.has(type);
	return redeemScript === undefined || OPEN.has(classify(hexToBytes(redeemScript)).type);
}

/** Members without which an output can be neither listed nor counted. */
const NEEDED: ReadonlySet<string> = new Set<keyof Unspent[number]>([
	...(['txid', 'vout', 'amount', 'generated'] as const),
	...(['scriptPubKey', 'rawconfirmations', 'spendable'] as const)
]);

/** Whether the daemon reports all of an output that lists and sums need. */
export const isComplete = (output: Unspent[number]): boolean =>
	!leftOutOf(output).some(
		({ path, name, fault }) => path.length === 0 && fault !== null && NEEDED.has(name)
	);

/**
 * Returns the outputs, with those that need more than signatures marked as not spendable. A daemon lists an output
 * with a time lock to a key of the wallet as spendable, whoever paid it, but rejects a transaction that spends it
 * too early. (Komodo daemon 0.9.0: `IsMine` looks behind the lock.)
 */
export const withoutTimeLocks = (outputs: Unspent): Unspent =>
	outputs.map((one) =>
		one.spendable && !opensBySignatures(one) ? withValue(one, 'spendable', false) : one
	);

/** Number of parts into which a range of blocks is divided when its outputs are too many for one answer. */
const PARTS = 8;
/** No transaction needs more old outputs, so reading stops there; likewise after `MOST_READS` parts. */
const ENOUGH = 10_000;
const MOST_READS = 16;
/** Milliseconds after which reading stops, because a caller is waiting. */
const LONGEST_MS = 15_000;
/** More confirmations than any output has. */
const ALL_BLOCKS = 9_999_999;

/**
 * Returns all outputs with at least `least` confirmations. For a wallet with too many, such as one that has mined
 * for weeks, returns those of the newest blocks and thousands of the oldest, so that it can pay and consolidate.
 * (Komodo daemon 0.9.0: `listunspent` takes bounds on confirmations, but no limit on the number of outputs.)
 * @returns `isPart`: whether there may be others
 * @throws {AppError} `daemon`
 */
export async function unspentOf(
	ask: DaemonClient['call'],
	least: 0 | 1
): Promise<{ outputs: Unspent; isPart: boolean }> {
	const within = async (...bounds: DaemonParams<'listunspent'>): Promise<Unspent | null> => {
		try {
			return withoutTimeLocks(await ask('listunspent', ...bounds));
		} catch (error) {
			if (isAppError(error, 'daemon.too-large')) return null;
			throw error;
		}
	};
	const end = performance.now() + LONGEST_MS;
	const all = await within(least);
	if (all !== null) return { outputs: all, isPart: false };

	const { blocks } = await ask('getinfo');
	let newest = Math.ceil(blocks / PARTS);
	let some = await within(least, newest);
	while (some === null && newest > 1) {
		newest = Math.ceil(newest / PARTS);
		some = await within(least, newest);
	}
	// A block that arrived meanwhile moved outputs from one part into the next, so outputs are kept by outpoint.
	const found = new Map((some ?? []).map((one) => [`${one.txid}:${one.vout}`, one]));
	let size = Math.ceil(blocks / PARTS);
	let to = blocks;
	let older = 0;
	const isWanting = (): boolean => to > newest && older < ENOUGH && performance.now() < end;
	for (let reads = 0; reads < MOST_READS && isWanting(); reads++) {
		const from = Math.max(newest + 1, to - size + 1);
		const old = await within(from, to === blocks ? ALL_BLOCKS : to);
		if (old === null) {
			if (size === 1) break;
			size = Math.ceil(size / PARTS);
			continue;
		}
		for (const one of old) found.set(`${one.txid}:${one.vout}`, one);
		older += old.length;
		to = from - 1;
	}
	return { outputs: [...found.values()], isPart: true };
}
