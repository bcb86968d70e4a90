/**
 * Presents the data of a non-fungible token. Its creator may store anything there: it is shown as an image
 * only if its own first bytes say so, otherwise as text or hex. It is never interpreted as a document or
 * script.
 */
import { jsonOrNull } from './jsonOrNull.ts';
import { rasterOf, type Raster } from './raster.ts';

interface TokenPicture extends Raster {
	/** A `data:` URL built from the bytes. */
	url: string;
}

interface TokenMedia {
	/** Eval code of the module that validates the token: the first byte, in hex. */
	code: string;
	/** Number of bytes after the code. */
	size: number;
	picture: TokenPicture | null;
	/** The data as text, JSON indented; null when the bytes are not text. */
	text: { form: 'json' | 'text'; text: string } | null;
	/** Hex dump with offsets and characters, sixteen bytes per line. */
	dump: string;
	/** Number of bytes that the dump omits. */
	left: number;
}

/** More than chains relay; longer data is shown as hex only. */
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
		// Data with control characters is not text, even if it decodes.
		// eslint-disable-next-line no-control-regex
		return /[\0-\x08\x0e-\x1f\x7f]/.test(text) ? null : text;
	} catch {
		return null;
	}
}

/** Indents JSON and keeps all digits; null for text that is not JSON or is nested too deeply. */
export function indentedJson(source: string): string | null {
	if (!/^\s*[[{]/.test(source)) return null;
	if (jsonOrNull(source) === null) return null;
	let depth = 0;
	let isOpened = false;
	const parts: string[] = [];
	const line = (): string => `\n${'  '.repeat(depth)}`;
	for (const [token] of source.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s[\]{},:"]+/g)) {
		if (token === '}' || token === ']') {
			depth--;
			// Empty brackets stay on one line.
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

/**
 * Finds the first image embedded in a text as a `data:` URL; JSON may escape its slashes with backslashes.
 */
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

/**
 * Prepares token data for display. @param data hex beginning with the eval code, as daemons and the index
 * store it
 */
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
