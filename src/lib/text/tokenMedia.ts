/**
 * What the data of a non-fungible token is, for people. Anybody may put anything there: a picture is one only by
 * its own first bytes, and everything else is text or hex. Nothing is ever taken for a document or a script.
 */
import { rasterOf, type Raster } from './raster.ts';

interface TokenPicture extends Raster {
	/** A `data:` address made here of the bytes. */
	url: string;
}

interface TokenMedia {
	/** The contract module that validates the token: the first byte. */
	code: string;
	/** Bytes behind the code. */
	size: number;
	picture: TokenPicture | null;
	/** The data as text, JSON on lines of its own; null where the bytes are no text. */
	text: { form: 'json' | 'text'; text: string } | null;
	/** Sixteen bytes to a line, with their places and letters. */
	dump: string;
	/** Bytes that the dump leaves out. */
	left: number;
}

/** More than chains relay; what is longer is shown as hex only. */
const MOST_BYTES = 16_384;
const DUMPED = 4_096;
const DEEPEST = 32;
const LINE = 16;

const PICTURE_URL = /data:image\/[a-z+.-]{1,20};base64,([A-Za-z0-9+/]+={0,2})/i;

const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> =>
	Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hexOf = (bytes: Uint8Array): string[] =>
	Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));

function textOf(bytes: Uint8Array): string | null {
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		// Control characters are no text, whatever they decode to.
		// eslint-disable-next-line no-control-regex
		return /[\0-\x08\x0e-\x1f\x7f]/.test(text) ? null : text;
	} catch {
		return null;
	}
}

/** JSON on lines of its own, digit for digit as it was; null for what is no JSON, or nested too deep to read. */
export function indentedJson(source: string): string | null {
	if (!/^\s*[[{]/.test(source)) return null;
	try {
		JSON.parse(source);
	} catch {
		return null;
	}
	let depth = 0;
	let isOpened = false;
	const parts: string[] = [];
	const line = (): string => `\n${'  '.repeat(depth)}`;
	for (const [token] of source.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s[\]{},:"]+/g)) {
		if (token === '}' || token === ']') {
			depth--;
			// Nothing stands between the brackets: they stay on their line.
			if (isOpened) parts.pop();
			else parts.push(line());
		}
		isOpened = token === '{' || token === '[';
		if (isOpened && ++depth > DEEPEST) return null;
		parts.push(token);
		if (isOpened || token === ',') parts.push(line());
		else if (token === ':') parts.push(' ');
	}
	return parts.join('');
}

function pictureOf(bytes: Uint8Array): TokenPicture | null {
	const raster = rasterOf(bytes);
	if (raster === null) return null;
	const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
	return { ...raster, url: `data:${raster.type};base64,${btoa(binary)}` };
}

/** The first picture that a text names with its bytes; JSON may write its slashes with a backslash. */
function pictureIn(text: string): TokenPicture | null {
	const found = PICTURE_URL.exec(text.replaceAll('\\/', '/'))?.[1];
	if (found === undefined) return null;
	try {
		return pictureOf(Uint8Array.from(atob(found), (sign) => sign.charCodeAt(0)));
	} catch {
		return null;
	}
}

function dumpOf(bytes: Uint8Array): string {
	const lines: string[] = [];
	for (let at = 0; at < Math.min(bytes.length, DUMPED); at += LINE) {
		const part = bytes.subarray(at, at + LINE);
		const letters = Array.from(part, (byte) =>
			byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.'
		).join('');
		const place = at.toString(16).padStart(4, '0');
		lines.push(
			`${place}  ${hexOf(part)
				.join(' ')
				.padEnd(LINE * 3 - 1)}  ${letters}`
		);
	}
	return lines.join('\n');
}

/** @param data hex, the code first, as daemons and the index hold it */
export function tokenMedia(data: string): TokenMedia {
	const bytes = bytesOfHex(data.slice(2));
	const shown = bytes.length <= MOST_BYTES && bytes.length > 0;
	const text = shown ? textOf(bytes) : null;
	const json = text === null ? null : indentedJson(text);
	return {
		code: data.slice(0, 2),
		size: bytes.length,
		picture: !shown ? null : (pictureOf(bytes) ?? (text === null ? null : pictureIn(text))),
		text:
			json !== null ? { form: 'json', text: json } : text === null ? null : { form: 'text', text },
		dump: dumpOf(bytes),
		left: Math.max(0, bytes.length - DUMPED)
	};
}
