/** What a node's refusal says about an activation task and its hardware wallet. Pure. */
import {
	nodePasswordFaultOf,
	type Failure,
	type NotTaken
} from '#lib/messages/errors/activation.ts';
import { refusalCode } from './refusals.ts';

/** Whether the node has no such task: it does not know it any more, or was replaced by a build without such tasks. */
export const isNoSuchTask = ({ type }: Failure): boolean =>
	type === 'NoSuchTask' || type === 'NoSuchMethod';
export const isTaskFinished = ({ type }: Failure): boolean => type === 'TaskFinished';

/** Whether the node is cancelling the task already (KDF 2.5.1). */
export const isBeingCancelled = (failure: Failure): boolean =>
	refusalCode(null, failure) === 'task.ending';

/** Whether a hardware wallet refused the PIN. (KDF 2.5.1: as text of `CoinCreationError`, or as `HwError`.) */
export const isWrongPin = (failure: Failure): boolean =>
	refusalCode(null, failure) === 'device.pin';

/** Returns why a PIN was not accepted. Only the type of the error is read: its text may repeat the PIN. */
export function notTaken({ kind, type, control }: Failure): {
	why: NotTaken;
	control?: Failure['control'];
} {
	const fault = nodePasswordFaultOf({ kind, type });
	if (fault !== null) {
		return { why: fault === 'PasswordReplaced' ? 'password-replaced' : 'password-unreadable' };
	}
	if (kind !== 'refused') return { why: kind, control };
	if (type === 'CallKept') return { why: 'kept' };
	if (type === 'NoSuchTask') return { why: 'task-unknown' };
	const closed = type === 'Internal' || type === 'InternalError';
	return { why: closed ? 'device-closed' : 'node-refused' };
}
