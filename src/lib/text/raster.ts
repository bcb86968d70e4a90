/** Raster images, recognized by their first bytes only; declared types are ignored. */

export interface Raster {
	type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
	/** Width in pixels, from the image header. */
	width: number;
	height: number;
}

/** Largest width and height shown: a few bytes of compressed image can expand to gigabytes of pixels. */
const MOST_PIXELS = 2048;

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
	String.fromCharCode(...bytes.subarray(from, to));

function png(bytes: Uint8Array, view: DataView): Raster | null {
	if (bytes.length < 24 || ascii(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n') return null;
	if (ascii(bytes, 12, 16) !== 'IHDR') return null;
	return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

function gif(bytes: Uint8Array, view: DataView): Raster | null {
	if (bytes.length < 10 || !/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return null;
	return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function jpeg(bytes: Uint8Array, view: DataView): Raster | null {
	if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return null;
	let at = 2;
	while (at + 9 <= bytes.length && bytes[at] === 0xff) {
		const marker = bytes[at + 1]!;
		// Frame headers of all encodings; C4, C8 and CC mark tables.
		const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
		if (isFrame) {
			return { type: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
		}
		at += 2 + Math.max(2, view.getUint16(at + 2));
	}
	return null;
}

function webp(bytes: Uint8Array, view: DataView): Raster | null {
	if (bytes.length < 30 || ascii(bytes, 0, 4) !== 'RIFF' || ascii(bytes, 8, 12) !== 'WEBP')
		return null;
	const uint24 = (at: number): number => view.getUint16(at, true) + bytes[at + 2]! * 65_536;
	const of = (width: number, height: number): Raster => ({ type: 'image/webp', width, height });
	const form = ascii(bytes, 12, 16);
	if (form === 'VP8X') return of(uint24(24) + 1, uint24(27) + 1);
	if (form === 'VP8 ') {
		return of(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
	}
	if (form !== 'VP8L') return null;
	const size = view.getUint32(21, true);
	return of((size & 0x3fff) + 1, ((size >>> 14) & 0x3fff) + 1);
}

/** Returns the type and size of an image; null for anything else, and for an image that is too large. */
export function rasterOf(bytes: Uint8Array): Raster | null {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const found = png(bytes, view) ?? gif(bytes, view) ?? jpeg(bytes, view) ?? webp(bytes, view);
	if (found === null) return null;
	const { width, height } = found;
	return [width, height].every((side) => side >= 1 && side <= MOST_PIXELS) ? found : null;
}
