import { safety } from './access.ts';
import type { SafetyControl } from './daemon.ts';
import { messageIn, withStatus, type CodedOf, type ErrorArea, type ParamValue } from './define.ts';
import { kdf } from './kdf.ts';

/**
 * - `refused`: the node responded with an error
 * - `away`: the call did not reach it
 * - `unsure`: the call was sent and no complete response arrived
 * - `password`: the node refuses the password; nothing is called until an admin confirms
 * - `switched-off`: a safety control stops the call
 * - `misfit`: the response has an unknown form
 */
export type FailureKind = 'refused' | 'away' | 'unsure' | 'password' | 'switched-off' | 'misfit';

/** A failed call to a trading node, in one form for the engine and the pages; stored as JSON. */
export type Failure = {
	kind: FailureKind;
	/** `error_type` of a version 2 method, or a type of this server; null otherwise. */
	type: string | null;
	/**
	 * The node's text without its source locations; empty when the node said nothing. Rows of early releases have
	 * the sentence of `error` here.
	 */
	message: string;
	/** Why there is no result, when the node itself does not say it; rows of early releases have none. */
	error?: CodedOf<typeof kdf> | undefined;
	/** `error_data`; null where there is none. */
	data: Exclude<ParamValue, undefined>;
	/** The safety control that stops the call; rows of early releases have its sentence as the message. */
	control?: SafetyControl | undefined;
	/** Source location in the node, for its operator. */
	place?: { path: string; trace: string };
	/** The node may have acted on the call in an earlier attempt, and this failure does not tell. */
	unsure?: true;
	/** The node responded in an earlier attempt, or may have. */
	asked?: true;
	/** A response arrived, but it is invalid: `error` says why. */
	spoiled?: true;
};

/** Types of failures of the kind `away` where the configured password, not the node, is the reason. */
export const NODE_PASSWORD_FAULTS = ['PasswordReplaced', 'PasswordUnreadable'] as const;

export type NodePasswordFault = (typeof NODE_PASSWORD_FAULTS)[number];

/** Returns what is wrong with the password when that is why a call did not reach the node; null otherwise. */
export const nodePasswordFaultOf = ({
	kind,
	type
}: Pick<Failure, 'kind' | 'type'>): NodePasswordFault | null =>
	kind === 'away' ? (NODE_PASSWORD_FAULTS.find((fault) => fault === type) ?? null) : null;

/** Returns the sentence of the safety control that stops a call. */
export function controlMessage({ control, message }: Pick<Failure, 'control' | 'message'>): string {
	if (control === undefined) return message;
	const { message: render } = safety[control.code] as { message(params: object): string };
	return render(control.params);
}

/** Returns why a call gave no result, in Komodeck's words or the node's; empty when nothing more is known. */
export const failureMessage = ({
	error,
	...failure
}: Pick<Failure, 'error' | 'control' | 'message'>): string =>
	error === undefined ? controlMessage(failure) : messageIn(kdf, error);

const ENDED = {
	active: 'had become active before it could be ended: it stays active until it is disabled',
	failed: 'had failed already',
	cancelled: 'had been ended already',
	void: 'was lost already, because the node does not know its task any more'
} as const;

/** Why an answer to a device prompt was not accepted; the answer itself is not included. */
export type NotTaken =
	| Exclude<FailureKind, 'refused'>
	| 'password-replaced'
	| 'password-unreadable'
	| 'kept'
	| 'task-unknown'
	| 'device-closed'
	| 'node-refused';

const NOT_TAKEN: Readonly<Record<Exclude<NotTaken, 'switched-off'>, (node: string) => string>> = {
	away: (node) => `Nothing answers at the trading node ${node}: it is down or being restarted.`,
	'password-replaced': (node) =>
		`The trading node ${node} refused the call: its password was replaced meanwhile. Try again in a moment.`,
	'password-unreadable': (node) =>
		`The password of the trading node ${node} cannot be read from its file. An admin checks the file that the configuration names for the node.`,
	kept: () => 'Nothing was sent: your session ended or your rights changed meanwhile.',
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

/** The encrypted settings of the activation cannot be decrypted. */
export const unreadableActivation =
	'The settings of this activation cannot be read: they were changed in the database, or stored under another secret key.';

/** Why an action on an activation is refused. */
export const activation = {
	...withStatus(409, {
		/** A call to a trading node failed. The message contains no credential and no parameter. */
		'activation.call-failed': ({ failure }: { failure: Failure }) =>
			failureMessage(failure) || failure.kind,
		/** The address of a native coin cannot be imported: there is no daemon, or no address. */
		'activation.nothing-to-import': () => 'There is no daemon or no address to import.',
		'activation.unknown': () => 'There is no such activation here.',
		'activation.unreadable': () => unreadableActivation,
		/** `coin`: null for the setup of the hardware wallet. */
		'activation.ended': ({ coin, state }: { coin: string | null; state: string }) =>
			`${coin ?? 'The set-up of the hardware wallet'} ${Object.hasOwn(ENDED, state) ? ENDED[state as keyof typeof ENDED] : 'has ended'}.`,
		'activation.not-waiting': () => 'It does not wait for a next try any more.',
		'activation.pad-closed': () =>
			'The device does not wait for this any more, so nothing was sent to it.',
		/** `by`: null when that member has released it in the meantime. */
		'activation.pad-held': ({ by }: { by: string | null }) =>
			`${by ?? 'Another member'} has the pad now.`,
		'activation.pad-not-held': () => 'Take the pad first: another member may be using it.',
		'activation.pin-invalid': () =>
			'Press the positions of your PIN: the digits 1 to 9, at least one.',
		/** The node did not accept an answer to a device prompt. */
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
					? 'A safety control prevents this.'
					: controlMessage({ control, message: '' })
				: NOT_TAKEN[why](node)
	})
} satisfies ErrorArea<'activation'>;
