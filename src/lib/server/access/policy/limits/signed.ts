/** Signed transactions in a daemon's answer: whoever has their bytes can send them from anywhere. */
import type { Transaction } from '#lib/chain/transaction.ts';
import { isShielded } from '#lib/chain/transaction.ts';
import { readHex } from './measure.ts';

/** The smallest transaction with one input and one output has more hex digits. */
const SHORTEST = 120;
const MOST_DEPTH = 8;

const isSigned = (tx: Transaction): boolean =>
	isShielded(tx) || tx.vin.some(({ scriptSig }) => scriptSig.length > 0);

/** All hex texts in a JSON text that are signed transactions, in part or in whole. */
export function signedIn(json: string): string[] {
	let answer: unknown;
	try {
		answer = JSON.parse(json);
	} catch {
		return [];
	}
	const found: string[] = [];
	const look = (value: unknown, depth: number): void => {
		if (typeof value === 'string') {
			if (value.length < SHORTEST || !/^(?:[0-9a-f]{2})+$/i.test(value)) return;
			const tx = readHex(value);
			if (tx !== null && isSigned(tx)) found.push(value);
		} else if (typeof value === 'object' && value !== null && depth < MOST_DEPTH) {
			for (const inner of Object.values(value)) look(inner, depth + 1);
		}
	};
	look(answer, 0);
	return found;
}
