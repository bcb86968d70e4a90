import { timingSafeEqual } from 'node:crypto';

/** Compares two texts in constant time, by their UTF-8: texts of equal length may differ in bytes. */
export function sameText(a: string | null, b: string): boolean {
	const left = Buffer.from(a ?? '', 'utf8');
	const right = Buffer.from(b, 'utf8');
	return left.length === right.length && timingSafeEqual(left, right);
}
