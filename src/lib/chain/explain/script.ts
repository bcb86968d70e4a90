/** Explains scripts step by step, and what an output or input script does. */
import { encodeAddress } from '../address.ts';
import { bytesToHex } from '../bytes.ts';
import { type ParseError, isChainError } from '../chainError.ts';
import { parseFulfillment } from '../cryptocondition/fulfillment.ts';
import { isValidPubkey } from '../key.ts';
import {
	classify,
	opcodeName,
	parseSteps,
	type ClassifiedScript,
	type ScriptStep
} from '../script.ts';
import { derNodes } from './condition.ts';
import type { PayloadLabel } from './label.ts';
import type { Meaning } from './meaning.ts';
import { Annotator, COST, type Effort, type ExplainNode, type Note } from './node.ts';
import { payloadReadings } from './payload.ts';
import { hex, pubkeyNote } from './note.ts';

/** Explanation of an OP_RETURN payload. */
interface PayloadNote extends Note {
	/** Null when the payload is of no known kind. */
	kind: PayloadLabel | null;
}

/** Tries all readings of a payload and returns the first that parses it completely. */
function payloadNote(payload: Uint8Array, base: number, effort: Effort): PayloadNote {
	if (!effort.spend(COST.payload)) return { kind: null, ...hex(payload) };
	let failure: ParseError | undefined;
	const readings = payloadReadings(payload);
	for (const { label, annotate } of readings) {
		const annotator = new Annotator(payload, base, effort);
		try {
			const note = annotate(annotator);
			annotator.reader.end(label);
			return { kind: label, ...note, children: annotator.nodes };
		} catch (error) {
			if (!isChainError(error, 'parse')) throw error;
			failure ??= error;
		}
	}
	const value = bytesToHex(payload);
	// With a single reading the first byte named the module, so its parse error is worth showing.
	const [reading] = readings;
	return reading && readings.length === 1 && failure
		? {
				kind: null,
				value,
				fault: { code: 'payload', params: { label: reading.label, error: failure.fault } }
			}
		: { kind: null, value };
}

type PushNote = (data: Uint8Array, start: number, index: number) => Note;

/** Explains the steps of a script. Each push is one part: length prefix and bytes together. */
function stepNodes(
	script: Uint8Array,
	base: number,
	effort: Effort,
	pushNote: PushNote
): ExplainNode[] {
	const { steps, count, end: read, broken } = parseSteps(script, effort.left);
	let pushes = 0;
	const nodes: ExplainNode[] = [];
	for (const { start, end, opcode, data } of steps) {
		if (!effort.spend()) break;
		const place = { start: base + start, end: base + end };
		if (data) {
			const note = pushNote(data, place.end - data.length, pushes++);
			nodes.push({ label: { code: 'push', bytes: data.length }, ...note, ...place });
		} else nodes.push({ label: { code: 'opcode', name: opcodeName(opcode) }, ...place });
	}
	if (count > nodes.length) {
		nodes.push({
			label: { code: 'more-steps', steps: count - nodes.length },
			start: nodes.at(-1)?.end ?? base,
			end: base + read
		});
	}
	if (broken) {
		nodes.push({
			label: { code: 'cut-off' },
			value: bytesToHex(script.slice(read)),
			start: base + read,
			end: base + script.length,
			meaning: { code: 'cut-off' }
		});
	}
	return nodes;
}

/** Explains an output script: its type, the address or data, and its steps. */
export function outputScriptNote(script: Uint8Array, base: number, effort: Effort): Note {
	const kind = classify(script);
	const { address } = kind;
	const value = address ?? (script.length > 0 ? bytesToHex(script) : '');
	if (kind.type === 'nulldata') {
		return nulldataNote(script, base, effort);
	}
	if (kind.type === 'cryptocondition') {
		return {
			value,
			meaning: { code: 'crypto-condition' },
			children: stepNodes(script, base, effort, (data, start) => ({
				...hex(data),
				children: derNodes(data, start, effort)
			}))
		};
	}
	return {
		value,
		meaning: paymentMeaning(kind, script),
		children: stepNodes(script, base, effort, (data) => {
			if (isKey(data, effort)) return pubkeyNote(data);
			return data.length === 20
				? { ...hex(data), meaning: { code: 'hash-address', address: encodeAddress(data) } }
				: hex(data);
		})
	};
}

function paymentMeaning(kind: ClassifiedScript, script: Uint8Array): Meaning {
	switch (kind.type) {
		case 'pubkeyhash':
			return { code: 'pays-address' };
		case 'pubkey':
			return { code: 'pays-key' };
		case 'scripthash':
			return { code: 'pays-script' };
		case 'multisig':
			return {
				code: 'pays-multisig',
				required: kind.required ?? 0,
				keys: kind.pubkeys?.length ?? 0
			};
		default:
			return { code: script.length === 0 ? 'empty-script' : 'unusual-script' };
	}
}

function nulldataNote(script: Uint8Array, base: number, effort: Effort): Note {
	let first: PayloadNote | undefined;
	const children = stepNodes(script, base, effort, (data, start, index) => {
		const note = payloadNote(data, start, effort);
		if (index === 0) first = note;
		return withoutKind(note);
	});
	return {
		value: first?.kind ? { code: 'payload', of: first.kind } : bytesToHex(script),
		meaning: first?.meaning ?? { code: 'data-output' },
		...(first?.fault === undefined ? {} : { fault: first.fault }),
		children
	};
}

function withoutKind({ value, meaning, fault, children }: PayloadNote): Note {
	return {
		...(value === undefined ? {} : { value }),
		...(meaning === undefined ? {} : { meaning }),
		...(fault === undefined ? {} : { fault }),
		...(children === undefined ? {} : { children })
	};
}

/** Explains the script of an ordinary input (not of a coinbase or import). */
export function inputScriptNote(script: Uint8Array, base: number, effort: Effort): Note {
	if (script.length === 0) return { meaning: { code: 'unsigned' } };
	const opened = parseFulfillment(script);
	if (opened) {
		const { evals, pubkeys, hashType } = opened;
		return {
			meaning: { code: 'opens-condition', evals, keys: pubkeys.map(bytesToHex), hashType },
			children: stepNodes(script, base, effort, (data, start) => ({
				...hex(data),
				children: [
					...derNodes(data.slice(0, -1), start, effort),
					{
						label: { code: 'hash-type' },
						value: String(hashType),
						start: start + data.length - 1,
						end: start + data.length
					}
				]
			}))
		};
	}
	return { children: stepNodes(script, base, effort, (data) => inputPushNote(data, effort)) };
}

/** Tells whether data is a valid public key; false when the budget does not allow the check. */
const isKey = (data: Uint8Array, effort: Effort): boolean =>
	data.length === 33 && effort.spend(COST.key) && isValidPubkey(data);

function inputPushNote(data: Uint8Array, effort: Effort): Note {
	if (isKey(data, effort)) return pubkeyNote(data);
	const isSignature = data.length >= 9 && data[0] === 0x30 && data[1] === data.length - 3;
	return isSignature
		? {
				...hex(data),
				meaning: { code: 'signature', hashType: data[data.length - 1]! }
			}
		: hex(data);
}

/** Explains the steps of a script whose meaning the caller knows. */
export function plainSteps(script: Uint8Array, base: number, effort: Effort): ExplainNode[] {
	return stepNodes(script, base, effort, hex);
}

const OP_INVALIDOPCODE = 0xff;

/** True when every byte belongs to a push or to an opcode that is valid in a script. */
export function isPlausibleScript(script: Uint8Array): boolean {
	const { steps, broken } = parseSteps(script);
	const usable = ({ data, opcode }: ScriptStep): boolean =>
		data !== undefined || (opcode !== OP_INVALIDOPCODE && opcodeName(opcode) !== 'OP_UNKNOWN');
	return !broken && steps.length > 0 && steps.every(usable);
}
