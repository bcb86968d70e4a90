import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { classify, opReturn, scriptOfAddress } from '#lib/chain/script.ts';
import { unsignedInput, type TxIn, type TxOut } from '#lib/chain/transaction.ts';
import { RPC_INVALID_ADDRESS_OR_KEY, RPC_MISC_ERROR } from '#lib/rpc/errorCodes.ts';
import { JsonNumber, type JsonValue } from '#lib/rpc/json.ts';
import { isHexText } from './ctext.ts';
import { invalidParameter, RpcError } from './error.ts';
import { asArray, asInteger, asObject, asString, expectKind, member } from './params.ts';
import { draftTransaction } from '../wallet/draft.ts';
import type { Handler } from './context.ts';
import { hexOf, hexParameter, strictId } from './hex.ts';
import { strictAmount } from './strictAmount.ts';

const destinationScript = (text: string): Uint8Array => {
	try {
		return scriptOfAddress(text);
	} catch {
		if (isHexText(text)) {
			const script = hexToBytes(text);
			if (['pubkey', 'pubkeyhash', 'scripthash'].includes(classify(script).type)) return script;
			throw new RpcError(
				RPC_INVALID_ADDRESS_OR_KEY,
				`Invalid script: ${text} (only P2PKH, P2PK and P2SH scripts are allowed)`
			);
		}
		throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, `Invalid Komodo address or script: ${text}`);
	}
};

const rawInput = (item: JsonValue, defaultSequence: number): TxIn => {
	const object = asObject(item);
	const txid = member(object, 'txid');
	const id = strictId(typeof txid === 'string' ? txid : asString(txid), 'txid');
	const vout = member(object, 'vout');
	if (!(vout instanceof JsonNumber)) {
		throw invalidParameter('missing vout key');
	}
	const index = asInteger(vout);
	if (index < 0) throw invalidParameter('vout must be positive');
	const sequence = member(object, 'sequence');
	return unsignedInput(
		id,
		index,
		sequence instanceof JsonNumber ? Number(sequence.source) : defaultSequence
	);
};

/** Reads an optional 64-bit integer; null when it is omitted or null. */
const wholeOrNull = (value: JsonValue | undefined): number | null => {
	if (!(value instanceof JsonNumber)) return null;
	if (!/^-?\d+$/.test(value.source))
		throw new RpcError(RPC_MISC_ERROR, 'JSON integer out of range');
	return Number(value.source);
};

export const createrawtransaction: Handler = ({ ledger }, params) => {
	params.between(2, 4);
	for (const [index, kind] of ['array', 'object', 'number', 'number'].entries()) {
		if (params.has(index) && params.at(index) !== null) expectKind(params.at(index), kind);
	}
	if (params.at(0) === null || params.at(1) === null) {
		throw invalidParameter('arguments 1 and 2 must be non-null');
	}
	const inputs = asArray(params.at(0));
	const outputs = asObject(params.at(1));
	const locktime = wholeOrNull(params.at(2)) ?? 0;
	if (locktime < 0 || locktime > 0xffffffff) throw invalidParameter('locktime out of range');
	const expiry = wholeOrNull(params.at(3));
	if (expiry !== null && !ledger.isSaplingAt(ledger.height + 1)) {
		throw invalidParameter(
			'expiryheight can only be used if Overwinter is active when the transaction is mined'
		);
	}
	if (expiry !== null && (expiry < 0 || expiry >= 500_000_000)) {
		throw invalidParameter('expiryheight must be nonnegative and less than 500000000.');
	}
	const sequence = locktime === 0 ? 0xffffffff : 0xfffffffe;
	const vin = inputs.map((item) => rawInput(item, sequence));
	const seen = new Set<string>();
	const vout: TxOut[] = Object.entries(outputs).map(([name, value]) => {
		if (name === 'data') {
			return { value: 0n, script: opReturn(hexParameter(asString(value), 'Data')) };
		}
		const script = destinationScript(name);
		const key = bytesToHex(script);
		if (seen.has(key)) {
			throw invalidParameter(`duplicated destination: ${name}`);
		}
		seen.add(key);
		return { value: strictAmount(ledger, value), script };
	});
	const tx = { ...draftTransaction(ledger, vin, vout), locktime };
	if (expiry !== null) tx.expiryHeight = expiry;
	return hexOf(tx);
};
