import { bytesEqual } from '#lib/chain/bytes.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { classify, nulldataOf, parseSteps } from '#lib/chain/script.ts';
import type { Transaction } from '#lib/chain/transaction.ts';

const OP_CHECKLOCKTIMEVERIFY = 0xb1;
const OP_DROP = 0x75;
const MOST_LOCK_BYTES = 5;
/** The first byte of data that announces a script with a time lock (Komodo daemon 0.9.0). */
const ANNOUNCEMENT = 1;

/** What a script asks for behind the time lock at its front; null where it has none. */
const behindTimeLock = (script: Uint8Array): Uint8Array | null => {
	const [time, check, drop] = parseSteps(script, 3).steps;
	const isLock =
		time?.data !== undefined &&
		time.data.length <= MOST_LOCK_BYTES &&
		check?.opcode === OP_CHECKLOCKTIMEVERIFY &&
		drop?.opcode === OP_DROP;
	return isLock ? script.slice(drop.end) : null;
};

/** A script with a time lock, the address that its hash has, and the one that is paid when its time has come. */
export interface TimeLock {
	address: string;
	script: Uint8Array;
	owner: string;
}

/**
 * The time locks of a transaction: an output to a script's hash, and the script in the data output behind it. A wallet
 * takes note of those of its keys, whoever sent them, and counts their coins as its own from then on. (Komodo daemon
 * 0.9.0: `CWallet::IsMine`.)
 */
export const timeLocksIn = ({ vout }: Transaction): TimeLock[] =>
	vout.flatMap((out, n) => {
		const next = vout[n + 1];
		// Few outputs are data, and the others take long to classify.
		const data = next && nulldataOf(next.script);
		if (data?.[0] !== ANNOUNCEMENT) return [];
		const { type, hash, address } = classify(out.script);
		if (type !== 'scripthash' || hash === undefined || address === undefined) return [];
		const script = data.slice(1);
		const behind = bytesEqual(hash160(script), hash) ? behindTimeLock(script) : null;
		const owner = behind && classify(behind).address;
		return owner ? [{ address, script, owner }] : [];
	});
