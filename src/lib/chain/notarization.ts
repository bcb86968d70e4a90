/**
 * Notarization payloads: output 1 of the transaction in which notaries record a chain's block on KMD, and
 * output 1 of its counterpart on the chain itself, the back-notarization.
 */
import { ByteReader, ByteWriter, displayHash, internalHash, NO_HASH } from './bytes.ts';
import { ChainError, readOrNull } from './chainError.ts';
import { nulldataOf } from './script.ts';

/** `kmd`: a notarization on KMD. `back`: a back-notarization on the chain itself, with the KMD txid. */
export type NotarizationForm = 'kmd' | 'back';

export interface Notarization {
	/** Hash of the notarized block; display order. */
	blockHash: string;
	height: number;
	/** Notarization on KMD to which a back-notarization refers; display order. */
	kmdTxid?: string;
	symbol: string;
	/** 32 bytes, internal order. */
	mom?: Uint8Array;
	/** Number of blocks that the MoM covers. */
	momDepth?: number;
	ccid?: number;
	/** 32 bytes, internal order. */
	momom?: Uint8Array;
	momomDepth?: number;
}

/** @throws {ChainError} `parse` also when bytes are left over */
export function readNotarizationPayload(payload: Uint8Array, form: NotarizationForm): Notarization {
	const reader = new ByteReader(payload);
	const nota: Notarization = {
		blockHash: displayHash(reader.take(32, 'notarized block hash')),
		height: reader.u32('notarized height'),
		symbol: ''
	};
	if (form === 'back') nota.kmdTxid = displayHash(reader.take(32, 'KMD txid'));
	nota.symbol = readSymbol(reader);
	if (reader.remaining > 0) {
		nota.mom = reader.take(32, 'MoM');
		nota.momDepth = reader.u16('MoM depth');
		nota.ccid = reader.u16('CCid');
	}
	if (form === 'back' && reader.remaining > 0) {
		nota.momom = reader.take(32, 'MoMoM');
		nota.momomDepth = reader.u32('MoMoM depth');
	}
	reader.end('notarization');
	return nota;
}

/** Reads a zero-terminated chain name of at most 64 characters. */
function readSymbol(reader: ByteReader): string {
	const start = reader.offset;
	let symbol = '';
	for (;;) {
		const byte = reader.u8('chain name');
		if (byte === 0) break;
		if (byte < 0x20 || byte > 0x7e || symbol.length >= 64) {
			throw new ChainError('parse.no-chain-name', { what: 'chain name', offset: start });
		}
		symbol += String.fromCharCode(byte);
	}
	if (symbol === '') {
		throw new ChainError('parse.empty-chain-name', { what: 'chain name', offset: start });
	}
	return symbol;
}

/** Parses the notarization in an output script; null when it has none of this form. */
export function parseNotarization(script: Uint8Array, form: NotarizationForm): Notarization | null {
	const data = nulldataOf(script);
	if (!data) return null;
	return readOrNull(() => readNotarizationPayload(data, form));
}

const ZERO_HASH = new Uint8Array(32);

/** Serializes the payload, without OP_RETURN. Unset fields after the last set one are omitted. */
export function serializeNotarization(nota: Notarization, form: NotarizationForm): Uint8Array {
	const writer = new ByteWriter().bytes(internalHash(nota.blockHash)).u32(nota.height);
	if (form === 'back') writer.bytes(internalHash(nota.kmdTxid ?? NO_HASH));
	writer.bytes(new TextEncoder().encode(nota.symbol)).u8(0);
	const withMoMoM = form === 'back' && nota.momom !== undefined;
	if (nota.mom !== undefined || withMoMoM) {
		writer.bytes(nota.mom ?? ZERO_HASH).u16(nota.momDepth ?? 0);
		writer.u16(nota.ccid ?? 0);
	}
	if (withMoMoM) writer.bytes(nota.momom ?? ZERO_HASH).u32(nota.momomDepth ?? 0);
	return writer.finish();
}
