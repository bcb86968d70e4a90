import type { ExplainFault } from '#lib/chain/explain/fault.ts';
import type { PartLabel } from '#lib/chain/explain/label.ts';
import type { ParamFault } from '#lib/rpc/paramSchema.ts';
import { explainFaultMessage } from '../decoder/faults.ts';
import { labelMessage } from '../decoder/labels.ts';
import { messageIn, withStatus, type CodedOf, type ErrorArea } from './define.ts';

const PARAM_FAULTS: Readonly<Record<ParamFault['code'], (fault: ParamFault) => string>> = {
	hex: () => 'Enter an even number of hex digits.',
	hash: () => 'Enter 64 hex digits.',
	pubkey: () => 'Enter a public key: 66 hex digits that begin with 02 or 03.',
	address: () => 'This is not an address.',
	'too-long': ({ maxBytes = 0 }) => `Enter at most ${maxBytes} bytes.`,
	whole: () => 'Enter a whole number.',
	'out-of-range': ({ min, max }) => `Enter a whole number from ${min ?? 'any'} to ${max ?? 'any'}.`,
	coins: () => 'Enter an amount with a point and at most 8 decimals, like 1.15.',
	'height-or-hash': () => 'Enter a height or 64 hex digits.',
	boolean: () => 'Choose true or false.',
	other: () => 'This value is not valid.'
};

/** Field errors of the console's forms. */
export const consoleForm = {
	...withStatus(400, {
		'console.no-daemon': () => 'Choose a daemon.',
		'console.no-node': () => 'Choose a trading node.',
		'console.required': () => 'This parameter is required.',
		/** Parameters are positional, so no gap is possible. */
		'console.gap': () => 'This parameter is required because a later one is given.',
		'console.too-long': () => 'The call is too long.',
		'console.not-json': () => 'This is not valid JSON. Names and texts need double quotes.',
		'console.nested-too-deeply': () => 'This is nested too deeply.',
		'console.not-an-array': () => 'Enter the parameters as a JSON array: [ … ].',
		'console.array-not-json': () =>
			'This is not valid JSON. Enter an array like ["text", 1, true].',
		'console.not-an-object': () => 'Enter the parameters as a JSON object: { … }.',
		'console.not-a-whole-number': () => 'Enter a whole number.',
		'console.not-a-boolean': () => 'Choose true or false.',
		'console.not-a-choice': () => 'Choose one of the options.',
		/** `fault`: the decoder's error. */
		'console.hex-unreadable': ({ fault }: { fault: ExplainFault }) => explainFaultMessage(fault),
		/** `found`: what the hex decodes as. */
		'console.not-a-transaction': ({ found }: { found: PartLabel }) =>
			`This is not a transaction but decodes as: ${labelMessage(found)}.`,
		'console.parameter-invalid': (fault: { [Name in keyof ParamFault]: ParamFault[Name] }) =>
			PARAM_FAULTS[fault.code](fault),
		/** `place`: path inside the field; empty for the whole field. `fault`: the error of the method's schema. */
		'console.mismatch': ({ place, fault }: { place: string; fault: string }) =>
			place === '' ? `${fault}.` : `${place}: ${fault}.`
	})
} satisfies ErrorArea<'console'>;

/** Returns the errors as sentences, by field name. */
export const consoleFormMessages = (
	problems: Readonly<Record<string, ConsoleProblem>>
): Record<string, string> =>
	Object.fromEntries(
		Object.entries(problems).map(([field, problem]) => [field, messageIn(consoleForm, problem)])
	);

/** An error of one field. */
export type ConsoleProblem = CodedOf<typeof consoleForm>;
