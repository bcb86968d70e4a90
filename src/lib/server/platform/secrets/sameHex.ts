import { timingSafeEqual } from 'node:crypto';

/** Compares two hex texts in constant time. */
export function sameHex(a: string | null, b: string): boolean {
	const left = Buffer.from(a ?? '', 'utf8');
	const right = Buffer.from(b, 'utf8');
	return left.length === right.length && timingSafeEqual(left, right);
}
