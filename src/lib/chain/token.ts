/** Token payloads: the contents of the last output of a token transaction. */
import { ByteReader, ByteWriter, bytesEqual, bytesToHex, hexToBytes } from './bytes.ts';
import { ChainError, readOrNull } from './chainError.ts';
import { EVAL } from './cryptocondition.ts';
import { nulldataOf, opReturn } from './script.ts';

const CREATE = 0x63;
const TRANSFER = 0x74;

/** Ids of the blobs that may follow a payload. */
export const BLOB = {
	nonFungible: 0x11,
	assets: 0x12,
	rogue: 0x16,
	burn: 0x80,
	import: 0x81
} as const;

/** Blobs with ids from here on belong to no module that validates. (Komodo daemon: `OPRETID_FIRSTNONCCDATA`.) */
const FIRST_WITHOUT_MODULE = 0x80;

export interface TokenBlob {
	/** See {@link BLOB}; other ids belong to other modules. */
	id: number;
	data: Uint8Array;
}

export interface TokenCreation {
	kind: 'create';
	/** Public key of the creator, 33 bytes. */
	owner: Uint8Array;
	name: string;
	description: string;
	/**
	 * The original bytes of name and description, set when they are not valid UTF-8: any bytes are allowed on
	 * the chain, and an import has to repeat them exactly.
	 */
	bytes?: { name: Uint8Array; description: Uint8Array };
	blobs: TokenBlob[];
}

export interface TokenTransfer {
	kind: 'transfer';
	/** Lower-case hex in display order, which is also how the payload stores it. */
	tokenid: string;
	/** 33 bytes each, at most two. */
	destPubkeys: Uint8Array[];
	blobs: TokenBlob[];
}

export type TokenPayload = TokenCreation | TokenTransfer;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** Tells whether decoding and encoding gives back the same bytes, so that they are valid UTF-8. */
const isText = (bytes: Uint8Array): boolean =>
	bytesEqual(encoder.encode(decoder.decode(bytes)), bytes);

function readBlobs(reader: ByteReader): TokenBlob[] {
	const blobs: TokenBlob[] = [];
	while (reader.remaining > 0) {
		blobs.push({ id: reader.u8('blob id'), data: reader.varSlice('blob') });
	}
	return blobs;
}

/** Functions in data of early releases of two modules, which has no id, by its eval code. */
const OLD_STYLE: readonly { code: number; functions: string; id: number }[] = [
	{ code: 0x11, functions: 'RHQKG', id: BLOB.rogue },
	{ code: EVAL.assets, functions: 'sbSBxo', id: BLOB.assets }
];

/** Reads data of early releases; null when there is none. (Komodo daemon 0.9.0: `DecodeTokenOpRet`.) */
function readOldStyle(rest: Uint8Array): TokenBlob | null {
	const reader = new ByteReader(rest);
	const data = readOrNull(() => reader.varSlice('data'));
	if (data === null || data.length < 2 || reader.remaining > 0) return null;
	const called = String.fromCharCode(data[1]!);
	const old = OLD_STYLE.find(
		({ code, functions }) => code === data[0] && functions.includes(called)
	);
	return old === undefined ? null : { id: old.id, data };
}

/** @throws {ChainError} `parse` */
export function readTokenPayload(payload: Uint8Array): TokenPayload {
	const reader = new ByteReader(payload);
	if (reader.u8('eval code') !== EVAL.tokens) {
		throw new ChainError('parse.no-token-payload', { what: 'eval code', offset: 0 });
	}
	const kind = reader.u8('token function');
	if (kind === CREATE) {
		const owner = reader.varSlice('owner');
		const bytes = {
			name: reader.varSlice('token name'),
			description: reader.varSlice('token description')
		};
		const name = decoder.decode(bytes.name);
		const description = decoder.decode(bytes.description);
		const texts = { kind: 'create', owner, name, description, blobs: readBlobs(reader) } as const;
		return isText(bytes.name) && isText(bytes.description) ? texts : { ...texts, bytes };
	}
	if (kind === TRANSFER) {
		const tokenid = bytesToHex(reader.take(32, 'tokenid'));
		const at = reader.offset;
		const count = reader.u8('number of keys');
		if (count > 2)
			throw new ChainError('parse.too-many-keys', { what: 'number of keys', offset: at });
		const destPubkeys = Array.from({ length: count }, () => reader.varSlice('key'));
		const old = readOldStyle(payload.subarray(reader.offset));
		const blobs = old === null ? readBlobs(reader) : [old];
		return { kind: 'transfer', tokenid, destPubkeys, blobs };
	}
	throw new ChainError('parse.token-function', { what: 'token function', offset: 1 });
}

/** Parses the token payload of an output script; null when it has none or it cannot be parsed. */
export function parseTokenPayload(script: Uint8Array): TokenPayload | null {
	const data = nulldataOf(script);
	if (data?.[0] !== EVAL.tokens) return null;
	return readOrNull(() => readTokenPayload(data));
}

/** Returns the eval code of the module that a transfer also belongs to; undefined when there is none. */
export const moduleOf = (blobs: readonly TokenBlob[]): number | undefined =>
	blobs.find(({ id }) => id < FIRST_WITHOUT_MODULE)?.data[0];

/** Returns the data of the first blob with this id. */
export function blobOf(blobs: readonly TokenBlob[], id: number): Uint8Array | undefined {
	return blobs.find((blob) => blob.id === id)?.data;
}

function writeBlobs(writer: ByteWriter, blobs: readonly TokenBlob[]): Uint8Array {
	for (const { id, data } of blobs) writer.u8(id).varSlice(data);
	return opReturn(writer.finish());
}

/** Returns the script of the last output of a token creation. */
export function tokenCreateScript(creation: Omit<TokenCreation, 'kind'>): Uint8Array {
	const writer = new ByteWriter().u8(EVAL.tokens).u8(CREATE).varSlice(creation.owner);
	writer.varSlice(creation.bytes?.name ?? encoder.encode(creation.name));
	writer.varSlice(creation.bytes?.description ?? encoder.encode(creation.description));
	return writeBlobs(writer, creation.blobs);
}

/** Returns the script of the last output of a token transfer. */
export function tokenTransferScript(transfer: Omit<TokenTransfer, 'kind'>): Uint8Array {
	const writer = new ByteWriter().u8(EVAL.tokens).u8(TRANSFER).bytes(hexToBytes(transfer.tokenid));
	writer.u8(transfer.destPubkeys.length);
	for (const key of transfer.destPubkeys) writer.varSlice(key);
	return writeBlobs(writer, transfer.blobs);
}
