/** Scripts, step by step, and what an output or an input does with them. */
import { encodeAddress } from '../address.ts';
import { bytesToHex } from '../bytes.ts';
import { type ParseError, isChainError } from '../chainError.ts';
import { parseFulfillment } from '../cryptocondition.ts';
import { isValidPubkey } from '../key.ts';
import { classify, opcodeName, parseSteps, type ScriptStep } from '../script.ts';
import { derNodes } from './condition.ts';
import { Annotator, type Effort, type ExplainNode, type Note } from './node.ts';
import { payloadReadings } from './payload.ts';
import { countOf, moduleName, pubkeyNote } from './words.ts';

/** What an OP_RETURN payload is. */
interface PayloadNote extends Note {
	/** `token payload`, `burn`, … or `data` when it is of no known kind. */
	label: string;
}

/** Reads a payload in every known way and keeps the first that fits all of it. */
function payloadNote(payload: Uint8Array, base: number, effort: Effort): PayloadNote {
	let failure: ParseError | undefined;
	const readings = payloadReadings(payload);
	for (const { label, annotate } of readings) {
		const annotator = new Annotator(payload, base, effort);
		try {
			const note = annotate(annotator);
			annotator.reader.end(label);
			return { label, ...note, children: annotator.nodes };
		} catch (error) {
			if (!isChainError(error, 'parse')) throw error;
			failure ??= error;
		}
	}
	const value = bytesToHex(payload);
	// One reading: the first byte named the module, so its complaint is worth showing.
	const [reading] = readings;
	return reading && readings.length === 1 && failure
		? {
				label: 'data',
				value,
				fault: { code: 'payload', params: { label: reading.label, error: failure.fault } }
			}
		: { label: 'data', value };
}

/** Steps of one script that are listed; no script that is used has more. */
const LISTED_STEPS = 1000;

type PushNote = (data: Uint8Array, start: number, index: number) => Note;

/** The steps of a script. Every push has its length prefix and its bytes as one part. */
function stepNodes(script: Uint8Array, base: number, pushNote: PushNote): ExplainNode[] {
	const { steps, broken } = parseSteps(script);
	let pushes = 0;
	const nodes = steps.slice(0, LISTED_STEPS).map((step): ExplainNode => {
		const place = { start: base + step.start, end: base + step.end };
		const { data } = step;
		if (!data) return { label: opcodeName(step.opcode), ...place };
		const dataStart = place.end - data.length;
		const note = pushNote(data, dataStart, pushes++);
		return { label: `push of ${countOf(data.length, 'byte')}`, ...note, ...place };
	});
	const read = steps.at(-1)?.end ?? 0;
	const firstUnlisted = steps[LISTED_STEPS];
	if (firstUnlisted) {
		nodes.push({
			label: countOf(steps.length - LISTED_STEPS, 'more step'),
			start: base + firstUnlisted.start,
			end: base + read
		});
	}
	if (broken) {
		nodes.push({
			label: 'cut off',
			value: bytesToHex(script.slice(read)),
			start: base + read,
			end: base + script.length,
			meaning: 'This push asks for more bytes than the script has.'
		});
	}
	return nodes;
}

const hexNote = (data: Uint8Array): Note => ({ value: bytesToHex(data) });

/** What an output script is: its kind in words, the address or data, and its steps. */
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
			meaning:
				'A crypto-condition output: a module must agree to its spending. Coins paid to this address as to a person are lost.',
			children: stepNodes(script, base, (data, start) => ({
				...hexNote(data),
				children: derNodes(data, start)
			}))
		};
	}
	const sentences: Record<string, string> = {
		pubkeyhash: 'Pays to an address.',
		pubkey: 'Pays to a public key.',
		scripthash: 'Pays to the hash of a script.',
		multisig: `Pays to ${kind.required} of ${kind.pubkeys?.length} keys.`,
		nonstandard: script.length === 0 ? 'An empty script.' : 'A script of no usual kind.'
	};
	return {
		value,
		meaning: sentences[kind.type] ?? '',
		children: stepNodes(script, base, (data) => {
			if (isValidPubkey(data)) return pubkeyNote(data);
			return data.length === 20
				? { ...hexNote(data), meaning: `The hash in the address ${encodeAddress(data)}.` }
				: hexNote(data);
		})
	};
}

function nulldataNote(script: Uint8Array, base: number, effort: Effort): Note {
	let first: PayloadNote | undefined;
	const children = stepNodes(script, base, (data, start, index) => {
		const note = payloadNote(data, start, effort);
		if (index === 0) first = note;
		return withoutLabel(note);
	});
	return {
		value: first && first.label !== 'data' ? first.label : bytesToHex(script),
		meaning: first?.meaning ?? 'Carries data; nobody can spend it.',
		children
	};
}

function withoutLabel({ value, meaning, children }: PayloadNote): Note {
	return {
		...(value === undefined ? {} : { value }),
		...(meaning === undefined ? {} : { meaning }),
		...(children === undefined ? {} : { children })
	};
}

const HASH_TYPES: ReadonlyMap<number, string> = new Map([
	[1, 'all of the transaction'],
	[2, 'the inputs, none of the outputs'],
	[3, 'the inputs and one output'],
	[0x81, 'this input and all outputs'],
	[0x82, 'this input and no output'],
	[0x83, 'this input and one output']
]);

function signedSentence(hashType: number): string {
	const what = HASH_TYPES.get(hashType);
	return what ? `signs ${what}` : `has the unusual hash type ${hashType}`;
}

/** What the script of an ordinary input does. */
export function inputScriptNote(script: Uint8Array, base: number): Note {
	if (script.length === 0) return { meaning: 'Empty: this input is not signed.' };
	const opened = parseFulfillment(script);
	if (opened) {
		const { evals, pubkeys, hashType } = opened;
		const modules = evals.length === 0 ? 'no module' : evals.map(moduleName).join(', ');
		const keys = pubkeys.map((key) => bytesToHex(key)).join(', ');
		return {
			meaning: `Opens a crypto-condition of ${modules}${keys ? ` with the signature of ${keys}` : ''}; it ${signedSentence(hashType)}.`,
			children: stepNodes(script, base, (data, start) => ({
				...hexNote(data),
				children: [
					...derNodes(data.slice(0, -1), start),
					{
						label: 'hash type',
						value: String(hashType),
						start: start + data.length - 1,
						end: start + data.length
					}
				]
			}))
		};
	}
	return { children: stepNodes(script, base, (data) => inputPushNote(data)) };
}

function inputPushNote(data: Uint8Array): Note {
	if (isValidPubkey(data)) return pubkeyNote(data);
	const isSignature = data.length >= 9 && data[0] === 0x30 && data[1] === data.length - 3;
	return isSignature
		? {
				...hexNote(data),
				meaning: `A signature; it ${signedSentence(data[data.length - 1]!)}.`
			}
		: hexNote(data);
}

/** The steps of any script, for callers that know what it is. */
export function plainSteps(script: Uint8Array, base: number): ExplainNode[] {
	return stepNodes(script, base, hexNote);
}

const OP_INVALIDOPCODE = 0xff;

/** True when every byte belongs to a push or an opcode that a script can use. */
export function isPlausibleScript(script: Uint8Array): boolean {
	const { steps, broken } = parseSteps(script);
	const usable = ({ data, opcode }: ScriptStep): boolean =>
		data !== undefined || (opcode !== OP_INVALIDOPCODE && opcodeName(opcode) !== 'OP_UNKNOWN');
	return !broken && steps.length > 0 && steps.every(usable);
}
