import { safety } from './access.ts';
import type { SafetyControl } from './daemon.ts';
import { withStatus, type ErrorArea, type ParamValue } from './define.ts';

/**
 * - `refused`: the node answered with an error
 * - `away`: the call did not reach it
 * - `unsure`: the call was sent and no whole answer came
 * - `password`: the node refuses the password; nothing is called until an admin confirms
 * - `switched-off`: a safety control stands against it
 * - `misfit`: the answer has an unknown form
 */
export type FailureKind = 'refused' | 'away' | 'unsure' | 'password' | 'switched-off' | 'misfit';

/** What went wrong with a call to a trading node, in one form for the engine and the pages; stored as JSON. */
export type Failure = {
	kind: FailureKind;
	/** `error_type` of a version 2 method; null otherwise. */
	type: string | null;
	/** The node's text without the places in its source, or ours. */
	message: string;
	/** `error_data`; null where there is none. */
	data: Exclude<ParamValue, undefined>;
	/** Which safety control stands against it; rows of earlier releases have its sentence as the message. */
	control?: SafetyControl | undefined;
	/** Where in the node's source it happened, for those who look after the node. */
	place?: { path: string; trace: string };
	/** The node may have acted on a call of an earlier try, and this failure does not say whether it did. */
	unsure?: true;
	/** The node answered in an earlier try, or may have. */
	asked?: true;
	/** Something came all the same: `message` says what is wrong with it. */
	spoiled?: true;
};

/** The sentence of the safety control that stands against a call. */
export function controlMessage({ control, message }: Pick<Failure, 'control' | 'message'>): string {
	if (control === undefined) return message;
	const { message: render } = safety[control.code] as { message(params: object): string };
	return render(control.params);
}

const ENDED = {
	active: 'had become active before it could be ended: it stays active until it is disabled',
	failed: 'had failed already',
	cancelled: 'had been ended already',
	void: 'was lost already, because the node does not know its task any more'
} as const;

/** Why an answer for a device was not taken; nothing of the answer is in it. */
export type NotTaken =
	Exclude<FailureKind, 'refused'> | 'task-unknown' | 'device-closed' | 'node-refused';

const NOT_TAKEN: Readonly<Record<Exclude<NotTaken, 'switched-off'>, (node: string) => string>> = {
	away: (node) => `Nothing answers at the trading node ${node}: it is down or being restarted.`,
	unsure: (node) => `The trading node ${node} gave no readable answer in time.`,
	password: (node) =>
		`The trading node ${node} refuses the configured password, so nothing more is sent to it: after ten wrong ones it would shut this console out.`,
	misfit: (node) => `The trading node ${node} answered in a form that is not known.`,
	'task-unknown': () => 'The node does not know this task any more. Start the activation again.',
	'device-closed': () =>
		'The device does not wait for this any more. Look at the state of the activation.',
	'node-refused': () =>
		'The node did not take it. Look at the state of the activation and try again.'
};

/** What was asked for is encrypted, and cannot be read any more. */
export const unreadableActivation =
	'The settings of this activation cannot be read: they were changed in the database, or stored under another secret key.';

/** What stands against something that somebody wants with an activation. */
export const activation = {
	...withStatus(409, {
		/** A call to a trading node gave no result. The message holds no credential and no parameter. */
		'activation.call-failed': ({ failure }: { failure: Failure }) =>
			controlMessage(failure) || failure.kind,
		/** The address of a native coin cannot be watched: there is no daemon, or no address. */
		'activation.nothing-to-import': () => 'There is no daemon or no address to import.',
		'activation.unknown': () => 'There is no such activation here.',
		'activation.unreadable': () => unreadableActivation,
		/** `coin`: null for the set-up of the hardware wallet. */
		'activation.ended': ({ coin, state }: { coin: string | null; state: string }) =>
			`${coin ?? 'The set-up of the hardware wallet'} ${Object.hasOwn(ENDED, state) ? ENDED[state as keyof typeof ENDED] : 'has ended'}.`,
		'activation.not-waiting': () => 'It does not wait for a next try any more.',
		'activation.pad-closed': () =>
			'The device does not wait for this any more, so nothing was sent to it.',
		/** `by`: null where that member let it go meanwhile. */
		'activation.pad-held': ({ by }: { by: string | null }) =>
			`${by ?? 'Another member'} has the pad now.`,
		'activation.pad-not-held': () => 'Take the pad first: another member may be using it.',
		'activation.pin-invalid': () =>
			'Press the positions of your PIN: the digits 1 to 9, at least one.',
		/** The node did not take an answer for a device. */
		'activation.answer-not-taken': ({
			node,
			why,
			control
		}: {
			node: string;
			why: NotTaken;
			control: SafetyControl | null;
		}) =>
			why === 'switched-off'
				? control === null
					? 'A safety control stands against this.'
					: controlMessage({ control, message: '' })
				: NOT_TAKEN[why](node)
	})
} satisfies ErrorArea<'activation'>;
