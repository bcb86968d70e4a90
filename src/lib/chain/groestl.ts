/**
 * Grøstl-512 (a SHA-3 candidate, 2011), which some coins use for address checksums. Two AES-like permutations
 * over 128 bytes, read as a matrix of 8 rows and 16 columns, column by column.
 */
const BLOCK = 128;
const COLUMNS = 16;
const ROUNDS = 14;
/** Left rotation of each row. */
const SHIFTS = { p: [0, 1, 2, 3, 4, 5, 6, 11], q: [1, 3, 5, 11, 0, 2, 4, 6] } as const;
const MIX = [2, 2, 3, 4, 5, 3, 5, 7];

/** Doubles a byte in the finite field of AES, GF(256). */
const double = (byte: number): number => ((byte << 1) ^ (byte & 0x80 ? 0x11b : 0)) & 0xff;

function times(byte: number, factor: number): number {
	let product = 0;
	for (let power = byte, rest = factor; rest > 0; rest >>= 1, power = double(power)) {
		if (rest & 1) product ^= power;
	}
	return product;
}

/** The S-box of AES: the inverse in GF(256), then an affine map. */
const SUBSTITUTES = Uint8Array.from({ length: 256 }, (_, byte) => {
	// The inverse of a nonzero element is its 254th power.
	let inverse = byte;
	for (let bit = 0; bit < 6; bit++) inverse = times(times(inverse, inverse), byte);
	inverse = times(inverse, inverse);
	const turned = (by: number): number => ((inverse << by) | (inverse >> (8 - by))) & 0xff;
	return inverse ^ turned(1) ^ turned(2) ^ turned(3) ^ turned(4) ^ 0x63;
});
/** Multiplication tables: each byte times the factor of each row of the mixing matrix. */
const PRODUCTS = MIX.map((factor) =>
	Uint8Array.from({ length: 256 }, (_, byte) => times(byte, factor))
);

function permuted(input: Uint8Array, which: 'p' | 'q'): Uint8Array {
	let state = Uint8Array.from(input);
	const shifts = SHIFTS[which];
	for (let round = 0; round < ROUNDS; round++) {
		if (which === 'q') for (let at = 0; at < BLOCK; at++) state[at]! ^= 0xff;
		const row = which === 'p' ? 0 : 7;
		for (let column = 0; column < COLUMNS; column++) {
			state[8 * column + row]! ^= (column << 4) ^ round;
		}
		const mixed = new Uint8Array(BLOCK);
		for (let column = 0; column < COLUMNS; column++) {
			for (let from = 0; from < 8; from++) {
				const place = 8 * ((column + shifts[from]!) % COLUMNS) + from;
				const byte = SUBSTITUTES[state[place]!]!;
				for (let to = 0; to < 8; to++) {
					mixed[8 * column + to]! ^= PRODUCTS[(from - to + 8) % 8]![byte]!;
				}
			}
		}
		state = mixed;
	}
	return state;
}

const xor = (...parts: readonly Uint8Array[]): Uint8Array =>
	Uint8Array.from({ length: BLOCK }, (_, at) => parts.reduce((sum, part) => sum ^ part[at]!, 0));

/** Returns the Grøstl-512 hash: 64 bytes. */
export function groestl512(data: Uint8Array): Uint8Array {
	const blocks = Math.ceil((data.length + 9) / BLOCK);
	const padded = new Uint8Array(blocks * BLOCK);
	padded.set(data);
	padded[data.length] = 0x80;
	new DataView(padded.buffer).setUint32(padded.length - 4, blocks);
	let chained: Uint8Array = new Uint8Array(BLOCK);
	// Initial value: the output length in bits (512).
	chained[BLOCK - 2] = 2;
	for (let at = 0; at < padded.length; at += BLOCK) {
		const block = padded.subarray(at, at + BLOCK);
		chained = xor(permuted(xor(chained, block), 'p'), permuted(block, 'q'), chained);
	}
	return xor(permuted(chained, 'p'), chained).slice(BLOCK - 64);
}
