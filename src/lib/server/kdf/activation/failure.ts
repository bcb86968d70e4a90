/** What went wrong with a call to a trading node, in one form for the engine and the pages. */
import type { Plain } from '../client/plain.ts';

/**
 * - `refused`: the node answered with an error
 * - `away`: the call did not reach it
 * - `unsure`: the call was sent and no whole answer came
 * - `password`: the node refuses the password; nothing is called until an admin confirms
 * - `switched-off`: a switch of this console stands against it
 * - `misfit`: the answer has an unknown form
 */
export type FailureKind = 'refused' | 'away' | 'unsure' | 'password' | 'switched-off' | 'misfit';

export interface Failure {
	kind: FailureKind;
	/** `error_type` of a version 2 method; null otherwise. */
	type: string | null;
	/** The node's text without the places in its source, or ours. */
	message: string;
	/** `error_data`; null where there is none. */
	data: Plain | null;
	/** Where in the node's source it happened, for those who look after the node; of a task only. */
	place?: { path: string; trace: string };
}

/** A call to a trading node that gave no result. The message holds no credential and no parameter. */
export class KdfFailure extends Error {
	override readonly name = 'NodeFailure';
	readonly code = 'node-failure';
	readonly failure: Failure;

	constructor(failure: Failure, cause?: unknown) {
		super(failure.message, cause === undefined ? undefined : { cause });
		this.failure = failure;
	}
}

const ALREADY_TYPES: readonly string[] = [
	'CoinIsAlreadyActivated',
	'PlatformIsAlreadyActivated',
	'TokenIsAlreadyActivated'
];

/** The coin is active already: what was asked for is so. */
export function isAlreadyActive({ type, message }: Failure): boolean {
	if (type !== null) return ALREADY_TYPES.includes(type);
	// The older calls say it as text: of an EVM coin in other words than of the others (KDF 2.5.1).
	return / already (?:initialized|activated)$/.test(message.trim());
}

/**
 * The node reached no server of a coin. The interface document has that as a coin that could not be created,
 * with the reason in the text.
 */
export function isUnreached({ type, message }: Failure): boolean {
	if (type === 'Transport') return true;
	return (
		type === 'CoinCreationError' &&
		/\bservers? (?:errored|unavailable|inactive)\b|\bTransport\(/i.test(message)
	);
}

/** Servers or the daemon behind the node could not be reached: another try may work. */
export function isPassing({ kind, type, message, data }: Failure): boolean {
	if (kind === 'away' || kind === 'unsure') return true;
	if (kind !== 'refused') return false;
	if (isUnreached({ kind, type, message, data })) return true;
	// A wallet of many addresses cannot be asked this way, however often.
	if (/UnexpectedDerivationMethod/.test(message)) return false;
	return type === null && /^Deactivated coin due to error in balance querying/.test(message);
}

export const isNoSuchTask = ({ type }: Failure): boolean => type === 'NoSuchTask';
export const isTaskFinished = ({ type }: Failure): boolean => type === 'TaskFinished';

/** A device said that the PIN was wrong. (KDF 2.5.1: as text of `CoinCreationError`, or as `HwError`.) */
export function isWrongPin({ type, message, data }: Failure): boolean {
	if (type !== 'CoinCreationError' && type !== 'HwError') return false;
	return /InvalidPin|invalid pin/i.test(`${message} ${JSON.stringify(data)}`);
}
