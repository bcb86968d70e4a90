import { isAppError } from '../../platform/errors/appError.ts';
/**
 * Interprets a daemon's response to a step: wait and ask again, look up the transaction, try the next offset, or
 * stop because the same input can never succeed. Only responses listed here as final are final: everything else may
 * pass, so it is retried. (Komodo daemon 0.9.0.)
 */

export type Verdict =
	/** The chains have not progressed far enough: ask again later. */
	| 'wait'
	/** No answer: nothing is known and nothing was done. */
	| 'unreachable'
	/** The call may have taken effect: look it up before anything else. */
	| 'unknown'
	/** The daemon says that it already has it, which proves nothing: look it up. */
	| 'claimed'
	/** The burn is no longer in a block. */
	| 'back-to-burn'
	/** KMD does not have the notarization that the proof starts from. */
	| 'no-notarization'
	| 'next-offset'
	/** It is already in the chain. */
	| 'already'
	/** Another transaction in the mempool spends one of the inputs. */
	| 'conflict'
	/** Sending again is useless: an input is spent, or the transaction has expired. */
	| 'spent'
	/** It may pass: retried at increasing intervals. */
	| 'passing'
	| 'final';

export interface Refusal {
	verdict: Verdict;
	/** The daemon's message, or why there is no answer; may be empty. */
	response: string;
	/** The connection ended after the call was sent, without a complete answer: the daemon may have crashed. */
	broke?: true;
}

type Table = readonly (readonly [start: string, verdict: Verdict])[];

/** Answers of `migrate_createimporttransaction` to a burn, its payouts and, on the backup route, approvals. */
const BUILDING: Table = [
	['backnotarisation not yet confirmed', 'wait'],
	['tx still in mempool', 'back-to-burn'],
	['cannot find transaction', 'back-to-burn'],
	// With approvals the burn is checked as by a notary, with other messages.
	['Burn tx still in mempool', 'back-to-burn'],
	['Cannot find burn transaction', 'back-to-burn'],
	// Seen on running daemons: a later notarization does not help.
	['Failed merkle block->MoM', 'final'],
	["Couldn't parse", 'final'],
	['No vins in the burnTx', 'final'],
	['No vouts in the burnTx', 'final'],
	// With approvals: the checks of the burn itself.
	['Could not migrate fungible tokens', 'final'],
	['Cannot unmarshal', 'final'],
	['Cannot decode token opret', 'final'],
	['Incorrect', 'final'],
	['No opreturn in burn tx', 'final'],
	['Must not be called on the destination chain', 'final']
];

/** Answers of `migrate_completeimporttransaction` on KMD. */
const COMPLETING: Table = [
	['Cannot find notarisation for target inclusive of source', 'wait'],
	['Notarisation not found', 'no-notarization'],
	['No MoMs found', 'wait'],
	["Couldn't find MoM within MoMoM set", 'next-offset'],
	['Proof check failed', 'next-offset'],
	["Couldn't parse importTx", 'final'],
	["Couldn't unmarshal", 'final']
];

/** Answers of `sendrawtransaction`: code and message. */
const SENDING: readonly (readonly [code: number, start: string, verdict: Verdict])[] = [
	[-27, '', 'already'],
	// Also the answer when an import is sent to the chain of its own burn.
	[-26, '18: import tombstone exists', 'claimed'],
	[-26, '0: invalid-coin-import', 'wait'],
	[-26, '16: mempool conflict', 'conflict'],
	[-26, '18: bad-txns-inputs-spent', 'spent'],
	[-26, '18: already have coins', 'claimed'],
	[-26, '16: tx-overwinter-expired', 'spent'],
	// A parent may arrive late, or a reorganization may be in progress.
	[-25, 'Missing inputs', 'passing'],
	// Malformed, non-standard and invalid: the codes of `CValidationState` (consensus/validation.h).
	[-26, '1: ', 'final'],
	[-26, '16: bad-txns-premature-spend', 'passing'],
	[-26, '16: ', 'final'],
	[-26, '64: non-final', 'passing'],
	[-26, '64: ', 'final'],
	[-26, '65: ', 'final'],
	[-26, '256: ', 'final'],
	[-22, '', 'final']
];

function fromTable(table: Table, message: string): Verdict {
	return table.find(([start]) => message.startsWith(start))?.[1] ?? 'passing';
}

/** Returns a failure that says nothing about the transaction; null when the daemon judged it. */
function withoutOpinion(error: unknown): Refusal | null {
	if (!isAppError(error, 'daemon')) throw error;
	if (error.code === 'daemon.rpc-error' || error.code === 'daemon.in-band-error') return null;
	if (error.params.delivery === 'not-sent')
		return { verdict: 'unreachable', response: error.message };
	const broke = error.code === 'daemon.unreachable' || error.code === 'daemon.truncated';
	return { verdict: 'unknown', response: error.message, ...(broke ? { broke } : {}) };
}

const responseOf = (error: unknown): string =>
	isAppError(error, 'daemon') ? (error.params.rpcMessage ?? error.message).trim() : '';

/** @throws the error itself when it is not an error answer or failure of a daemon */
export function readBuildRefusal(error: unknown): Refusal {
	const none = withoutOpinion(error);
	// Building changes nothing, so after a lost answer it is simply repeated.
	if (none) return { ...none, verdict: 'unreachable' };
	const response = responseOf(error);
	return { verdict: fromTable(BUILDING, response), response };
}

/** @throws the error itself when it is not an error answer or failure of a daemon */
export function readCompletionRefusal(error: unknown): Refusal {
	const none = withoutOpinion(error);
	if (none) return { ...none, verdict: 'unreachable' };
	const response = responseOf(error);
	return { verdict: fromTable(COMPLETING, response), response };
}

/** @throws the error itself when it is not an error answer or failure of a daemon */
export function readSendRefusal(error: unknown): Refusal {
	const none = withoutOpinion(error);
	if (none) return none;
	const response = responseOf(error);
	const code = isAppError(error, 'daemon') ? error.params.rpcCode : undefined;
	const row = SENDING.find(([of, start]) => of === code && response.startsWith(start));
	return { verdict: row?.[2] ?? 'passing', response };
}
