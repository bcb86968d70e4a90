import { plural } from '#lib/text/plural.ts';
import { safety } from './access.ts';
import { quoted, type Delivery, type SafetyControl } from './daemon.ts';
import { kdfParamMessage, type KdfParamMismatch } from '../rpcErrors.ts';
import { withStatus, type ErrorArea, type ParamValue } from './define.ts';

/** Why nothing is sent to a trading node any more. */
export type PasswordStop = {
	reason: 'wrong' | 'missing' | 'banned';
	/** Wrong passwords that the node accepts before it bans this address; null when it did not say. */
	attemptsLeft: number | null;
};

/** A node's error response. */
export type KdfRefusalParam = {
	/** Null in the legacy form. */
	type: string | null;
	message: string;
	/** Null when the type has none. */
	data: ParamValue;
	/** Source location in the node; undefined when it does not say. */
	place?: { path: string; trace: string };
};

/** The failed call, and what is known of its response. */
interface Call {
	/** Id of the trading node. */
	kdf: string;
	/** Name on the wire. */
	method: string;
	delivery: Delivery;
	/** HTTP status of the response, when there was one. */
	status?: number | undefined;
	requestId?: string | undefined;
}

/** Describes why the node refused the password. */
function stopMessage({ reason, attemptsLeft: left }: PasswordStop): string {
	switch (reason) {
		case 'banned':
			return 'The node has banned this machine after too many wrong passwords. Restart the node, correct the password, then confirm here. Until then nothing is sent to it.';
		case 'missing':
			return 'The node says that no password was sent. Check its settings, then confirm here. Until then nothing is sent to it.';
		case 'wrong': {
			const rest =
				left === null
					? 'It bans this machine after ten wrong ones.'
					: `It takes ${plural(left, 'more wrong one')} before it bans this machine.`;
			return `The node refused the password that is configured for it. ${rest} Correct it, then confirm here. Until then nothing is sent to it.`;
		}
	}
}

/** A failed call to a trading node. Messages say what happened and contain no credential. */
export const kdf = {
	...withStatus(502, {
		'kdf.unknown': ({ kdf: id }: Readonly<Call>) => `No trading node called ${id} is configured.`,
		'kdf.unreachable': ({ kdf: id }: Readonly<Call>) => `Nothing answers at the address of ${id}.`,
		/** It presents a certificate that is not trusted. */
		'kdf.untrusted': ({ kdf: id }: Readonly<Call>) =>
			`${id} shows a certificate that is not trusted here.`,
		'kdf.truncated': ({ kdf: id, method }: Readonly<Call>) =>
			`The answer of ${id} to ${method} broke off.`,
		'kdf.too-large': ({ kdf: id, method }: Readonly<Call>) =>
			`The answer of ${id} to ${method} is larger than this console takes.`,
		/** The responder is no trading node, or a node's HTTP server whose handler ended without a response. */
		'kdf.not-kdf': ({ kdf: id, method, delivery, status = 0 }: Readonly<Call>) =>
			delivery === 'unknown' && status >= 500
				? `${id} ended ${method} without a response.`
				: status === 401 || status === 403
					? `A proxy in front of ${id} refused ${method} with HTTP ${status}.`
					: `The program at the address of ${id} is not a trading node.`,
		/** `about`: the subject of the response, when it is not the requested one. */
		'kdf.validation-mismatch': ({
			kdf: id,
			method,
			about
		}: Readonly<Call> & { place: string | null; about?: string }) =>
			about === undefined
				? `${id} answered ${method} in a form that is not known.`
				: `${id} answered ${method} about ${about}, which was not asked for.`,
		/** The node answered with an error. */
		'kdf.rpc-error': ({
			kdf: id,
			method,
			refusal
		}: Readonly<Call> & { refusal: KdfRefusalParam }) => {
			const said = quoted(refusal.message);
			return said === ''
				? `${id} refused ${method} without giving a reason.`
				: `${id} refused ${method}: ${said}`;
		},
		'kdf.local-only': ({ kdf: id }: Readonly<Call>) =>
			`${id} takes calls from its own machine only.`
	}),
	'kdf.timeout': {
		status: 504,
		message: ({ kdf: id, method }: Readonly<Call>) => `${id} did not answer ${method} in time.`
	},
	...withStatus(503, {
		'kdf.busy': ({ kdf: id }: Readonly<Call>) => `Too many calls wait for ${id}.`,
		/** Another password was configured while the call was on its way: the next call uses it. */
		'kdf.password-replaced': ({ kdf: id, method }: Readonly<Call>) =>
			`${id} refused ${method}: its password was replaced meanwhile.`,
		/** The file with the password cannot be read, so the call did not leave. */
		'kdf.password-unreadable': ({ kdf: id }: Readonly<Call>) =>
			`The password of ${id} cannot be read from its file.`,
		/** Nothing is sent until an admin confirms the password. */
		'kdf.password-refused': ({ stop }: Readonly<Call> & { stop: PasswordStop }) =>
			stopMessage(stop),
		/** A safety control stops every call that changes something. */
		'kdf.safety-control': ({ control }: Readonly<Call> & { control: SafetyControl }) => {
			const { message } = safety[control.code] as { message(params: object): string };
			return message(control.params);
		}
	}),
	'kdf.invalid-params': {
		status: 400,
		message: ({ method, mismatch }: Readonly<Call> & { mismatch: KdfParamMismatch }) =>
			`The parameters do not fit ${method}: ${kdfParamMessage(mismatch)}.`
	}
} satisfies ErrorArea<'kdf'>;
