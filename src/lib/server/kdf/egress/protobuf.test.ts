import { expect, test } from 'vitest';
import { readMessage } from './protobuf.ts';

const read = (...bytes: number[]) => readMessage(Uint8Array.from(bytes));

test('whole numbers and bytes are read by the number of their field', () => {
	expect(read()).toEqual(new Map());
	// The example of the encoding's documentation: 150 in field 1.
	expect(read(0x08, 0x96, 0x01)).toEqual(new Map([[1, 150n]]));
	expect(read(0x12, 0x03, 0x6b, 0x6d, 0x64, 0x08, 0x01)).toEqual(
		new Map<number, bigint | Uint8Array>([
			[2, Uint8Array.of(0x6b, 0x6d, 0x64)],
			[1, 1n]
		])
	);
	expect(read(0x1d, 1, 2, 3, 4)).toEqual(new Map([[3, Uint8Array.of(1, 2, 3, 4)]]));
	expect(read(0x08, ...Array.from({ length: 9 }, () => 0xff), 0x01)?.get(1)).toBe(2n ** 64n - 1n);
});

test('what breaks off, runs on or has an unknown kind is no message', () => {
	for (const bytes of [
		[0x08],
		[0x08, 0x80],
		[0x12, 0x05, 0x01],
		[0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
		[0x1b, 0x00],
		[0x08, ...Array.from({ length: 11 }, () => 0x80)]
	]) {
		expect(read(...bytes), bytes.join()).toBeNull();
	}
});
