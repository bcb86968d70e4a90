/** Why an activation waits; it continues automatically. */
import { z } from 'zod';
import { catalogueOf, entry, STORED, type MessageOf } from '../catalogue.ts';
import {
	failureMessage,
	NODE_PASSWORD_FAULTS,
	nodePasswordFaultOf,
	type Failure,
	type NodePasswordFault
} from '../errors/activation.ts';
import type { SafetyControl } from '../errors/daemon.ts';

/**
 * The stored part of a failed call. `message`: the trading node's own text; `error`: why its response cannot be
 * used, which rows of early releases have as a sentence in `message`. `type`: only what is wrong with the password;
 * rows of early releases have none.
 */
const FAILURE = z.object({
	kind: z.enum(['refused', 'away', 'unsure', 'password', 'switched-off', 'misfit']),
	message: z.string(),
	error: z.custom<Failure['error']>().optional(),
	type: z.enum(NODE_PASSWORD_FAULTS).optional(),
	control: z.custom<SafetyControl>().optional()
});

/** `detail`: the message text, in rows of early releases, which stored it. */
const FAILED = { failure: FAILURE.optional(), detail: z.string().optional() };

const AWAY: Readonly<Record<NodePasswordFault, string>> = {
	PasswordReplaced: 'The password of the trading node was replaced in the meantime.',
	PasswordUnreadable: 'The password of the trading node cannot be read from its file.'
};

function failedSentence(failure: z.output<typeof FAILURE>): string {
	const { kind, type } = failure;
	const message = failureMessage(failure);
	switch (kind) {
		case 'refused':
			return `The trading node says: ${message}`;
		case 'away':
			return type === undefined ? 'The trading node is offline.' : AWAY[type];
		case 'unsure':
			return message || 'The trading node did not respond in time.';
		case 'password':
			return 'The trading node rejected the configured password.';
		case 'misfit':
			return 'The trading node sent an unrecognized response.';
		case 'switched-off':
			return message;
	}
}

type Failed = { failure?: z.output<typeof FAILURE> | undefined; detail?: string | undefined };

const failedMessage = ({ failure, detail = '' }: Failed): string =>
	failure === undefined ? detail : failedSentence(failure);

const REASONS = {
	...STORED,
	/** A safety control stops the call. */
	'call.stopped': entry(FAILED, failedMessage),
	/** The trading node did not respond, or not in a known form. */
	'call.failed': entry(FAILED, failedMessage)
} as const;

/** Reason for which an activation waits, as it is stored. */
export type ActivationReason = MessageOf<typeof REASONS>;

/** Creates the reason for an activation that waits after a failed call. Nothing else of the failure is stored. */
export const callReason = (
	code: 'call.stopped' | 'call.failed',
	{ kind, type, message, error, control, spoiled }: Failure
): ActivationReason => {
	const fault = nodePasswordFaultOf({ kind, type });
	return {
		code,
		params: {
			failure: {
				kind,
				message: kind === 'refused' || spoiled ? message : '',
				...(error !== undefined && (kind === 'refused' || spoiled) ? { error } : {}),
				...(fault === null ? {} : { type: fault }),
				...(control === undefined ? {} : { control })
			}
		}
	};
};

export const activationReasons = catalogueOf(REASONS);

/** Returns the reason without the node's own text. */
export function unquotedReason(reason: ActivationReason): string {
	if (reason.code !== 'call.failed' && reason.code !== 'call.stopped') {
		return activationReasons.text(reason);
	}
	const { failure } = reason.params;
	return failure === undefined || failure.kind === 'refused'
		? 'The trading node rejected the request.'
		: failedSentence(failure);
}
