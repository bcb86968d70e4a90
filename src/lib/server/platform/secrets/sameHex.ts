import { timingSafeEqual } from 'node:crypto';

/** Whether two hexadecimal texts are the same, in a time that does not say where they differ. */
export function sameHex(a: string | null, b: string): boolean {
	const left = Buffer.from(a ?? '', 'utf8');
	const right = Buffer.from(b, 'utf8');
	return left.length === right.length && timingSafeEqual(left, right);
}
