/** The unspent outputs of a wallet, also of one with more of them than an answer may hold. */
import { hexToBytes } from '#lib/chain/bytes.ts';
import { classify } from '#lib/chain/classified.ts';
import type { ScriptType } from '#lib/chain/script.ts';
import type { DaemonMethod, DaemonParams, DaemonResult } from '#lib/rpc/daemon/index.ts';
import { isAppError } from '../../platform/errors/appError.ts';

type Unspent = DaemonResult<'listunspent'>;

/** Calls the daemon of the wallet. */
type Ask = <M extends DaemonMethod>(
	method: M,
	...params: DaemonParams<M>
) => Promise<DaemonResult<M>>;

/** Scripts that signatures open at any time. */
const OPEN: ReadonlySet<ScriptType> = new Set(['pubkey', 'pubkeyhash', 'multisig']);

/** Of a script's hash it is the script that counts, which a daemon names where it knows it. */
function opensBySignatures({ scriptPubKey, redeemScript }: Unspent[number]): boolean {
	const { type } = classify(hexToBytes(scriptPubKey));
	if (type !== 'scripthash') return OPEN.has(type);
	return redeemScript === undefined || OPEN.has(classify(hexToBytes(redeemScript)).type);
}

/**
 * Outputs as a daemon lists them, spendable only where signatures are enough. What has a time lock a daemon calls
 * spendable, whoever paid it to a key of the wallet, and then takes nothing that spends it too early. (Komodo daemon
 * 0.9.0: `IsMine` looks behind the lock.)
 */
export const withoutTimeLocks = (outputs: Unspent): Unspent =>
	outputs.map((one) =>
		one.spendable && !opensBySignatures(one) ? { ...one, spendable: false } : one
	);

/** Into how many parts blocks are divided whose outputs are too many for one answer. */
const PARTS = 8;
/** No transaction needs more old outputs, and no more parts are read. */
const ENOUGH = 10_000;
const MOST_READS = 16;
/** Somebody waits: after so many milliseconds what was read has to do. */
const LONGEST_MS = 15_000;
/** More confirmations than any output has. */
const ALL_BLOCKS = 9_999_999;

/**
 * All outputs with so many confirmations at least. Of a wallet that has too many, as one that mines has after some
 * weeks: those of the newest blocks, and thousands of the oldest, so that it can pay and its outputs can be made
 * fewer. (Komodo daemon 0.9.0: `listunspent` takes bounds, and no number of outputs.)
 * @returns `isPart`: whether there may be others
 * @throws {AppError} `daemon`
 */
export async function unspentOf(
	ask: Ask,
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
	// A block that came meanwhile moved outputs from one part into the next.
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
