/** The few lightwalletd messages that the devnet uses, in gRPC frames. */

/** Path of the service, as the trading node requests it. */
export const SERVICE = '/pirate.wallet.sdk.rpc.CompactTxStreamer/';

/** Builds a frame: an uncompressed flag, the length, and the message. */
export function frameOf(message: Uint8Array): Buffer {
	const head = Buffer.alloc(5);
	head.writeUInt32BE(message.length, 1);
	return Buffer.concat([head, message]);
}

function varint(value: number): number[] {
	const bytes: number[] = [];
	for (let rest = value; ; rest = Math.floor(rest / 128)) {
		if (rest < 128) return [...bytes, rest];
		bytes.push((rest % 128) | 128);
	}
}

const numberField = (field: number, value: number): number[] => [field << 3, ...varint(value)];
const textField = (field: number, text: string): number[] => {
	const bytes = [...Buffer.from(text, 'utf8')];
	return [(field << 3) | 2, ...varint(bytes.length), ...bytes];
};

/** A `BlockID` with its height only. */
export const blockId = (height: number): Uint8Array => Uint8Array.from(numberField(1, height));

/** A `LightdInfo`: version, vendor, chain and height. */
export const lightdInfo = (chain: string, height: number): Uint8Array =>
	Uint8Array.from([
		...textField(1, '0.4.17'),
		...textField(2, 'Komodeck devnet'),
		...textField(4, chain),
		...numberField(7, height)
	]);

/** Reads the height from a frame with a `BlockID` that has only a height; null for anything else. */
export function heightIn(frame: Uint8Array): number | null {
	const [first, ...digits] = frame.subarray(5);
	if (first === undefined) return frame.length === 5 ? 0 : null;
	return first === 1 << 3
		? digits.reduce((sum, digit, n) => sum + (digit & 127) * 128 ** n, 0)
		: null;
}
