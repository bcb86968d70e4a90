import { bytesEqual } from '#lib/chain/bytes.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { classify, nulldataOf, parseSteps } from '#lib/chain/script.ts';
import type { Transaction } from '#lib/chain/transaction.ts';

const OP_CHECKLOCKTIMEVERIFY = 0xb1;
const OP_DROP = 0x75;
const MOST_LOCK_BYTES = 5;
/** First byte of data that announces a script with a time lock (Komodo daemon 0.9.0). */
const ANNOUNCEMENT = 1;

/** Returns the part of a script after a leading time lock; null when there is none. */
const behindTimeLock = (script: Uint8Array): Uint8Array | null => {
	const [time, check, drop] = parseSteps(script, 3).steps;
	const isLock =
		time?.data !== undefined &&
		time.data.length <= MOST_LOCK_BYTES &&
		check?.opcode === OP_CHECKLOCKTIMEVERIFY &&
		drop?.opcode === OP_DROP;
	return isLock ? script.slice(drop.end) : null;
};

/**
 * A script with a time lock, the address of its hash, and the address that can spend it after the lock time.
 */
export interface TimeLock {
	address: string;
	script: Uint8Array;
	owner: string;
}

/**
 * Finds the time locks in a transaction: an output to a script hash, followed by a data output with the
 * script. A wallet remembers those for its keys, whoever sent them, and then counts their coins as its own.
 * (Komodo daemon 0.9.0: `CWallet::IsMine`.)
 */
export const timeLocksIn = ({ vout }: Transaction): TimeLock[] =>
	vout.flatMap((out, n) => {
		const next = vout[n + 1];
		// Checked first: few outputs are data, and classifying the others is slow.
		const data = next && nulldataOf(next.script);
		if (data?.[0] !== ANNOUNCEMENT) return [];
		const { type, hash, address } = classify(out.script);
		if (type !== 'scripthash' || hash === undefined || address === undefined) return [];
		const script = data.slice(1);
		const behind = bytesEqual(hash160(script), hash) ? behindTimeLock(script) : null;
		const owner = behind && classify(behind).address;
		return owner ? [{ address, script, owner }] : [];
	});
